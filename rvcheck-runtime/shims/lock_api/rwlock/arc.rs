//! Guards that keep the lock alive.

use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use real::{
    RawRwLock, RawRwLockDowngrade, RawRwLockFair, RawRwLockUpgrade, RawRwLockUpgradeDowngrade,
    RawRwLockUpgradeFair, RawRwLockUpgradeTimed,
};
use rt::Head;

use super::{upgrade, RwLock};
use crate::guards::{keeps, lends, shows, unlocks};
use crate::hold::Hold;
use crate::way::{self, Mark, Reading, Upgradable, Writing};

/// The lock is held to read, and kept alive. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct ArcRwLockReadGuard<R: RawRwLock, T: ?Sized> {
    hold: Hold<Arc<RwLock<R, T>>, Reading<R>>,
    marker: PhantomData<Mark<Reading<R>>>,
}

/// The lock is held to write, and kept alive. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct ArcRwLockWriteGuard<R: RawRwLock, T: ?Sized> {
    hold: Hold<Arc<RwLock<R, T>>, Writing<R>>,
    marker: PhantomData<Mark<Writing<R>>>,
}

/// The lock is held to read, and to become the writer, and kept alive. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct ArcRwLockUpgradableReadGuard<R: RawRwLockUpgrade, T: ?Sized> {
    hold: Hold<Arc<RwLock<R, T>>, Upgradable<R>>,
    marker: PhantomData<Mark<Upgradable<R>>>,
}

/// What the three have in common.
macro_rules! guard {
    ($raw:ident, $fair:ident, $way:ident, $guard:ident) => {
        impl<R: $raw, T: ?Sized> $guard<R, T> {
            #[inline]
            pub(super) fn from(hold: Hold<Arc<RwLock<R, T>>, $way<R>>) -> Self {
                $guard { hold, marker: PhantomData }
            }

            /// The lock.
            pub fn rwlock(s: &Self) -> &Arc<RwLock<R, T>> {
                s.hold.source()
            }
        }

        shows!([R: $raw, T: ?Sized] $guard<R, T>);
        unlocks!([R: $raw, T: ?Sized] $guard<R, T>);
        unlocks!(fair [R: $fair, T: ?Sized] $guard<R, T>);
        keeps!([R: $raw, T: ?Sized] [R: $fair, T: ?Sized] $guard<R, T>, RwLock<R, T>);
    };
}

guard!(RawRwLock, RawRwLockFair, Reading, ArcRwLockReadGuard);
guard!(RawRwLock, RawRwLockFair, Writing, ArcRwLockWriteGuard);
guard!(RawRwLockUpgrade, RawRwLockUpgradeFair, Upgradable, ArcRwLockUpgradableReadGuard);
lends!(whole [R: RawRwLock, T: ?Sized] ArcRwLockReadGuard<R, T>);
lends!(mut whole [R: RawRwLock, T: ?Sized] ArcRwLockWriteGuard<R, T>);
lends!(whole [R: RawRwLockUpgrade, T: ?Sized] ArcRwLockUpgradableReadGuard<R, T>);
upgrade::downgrades! {
    [R: RawRwLockDowngrade, T: ?Sized]
    [R: RawRwLockUpgradeDowngrade, T: ?Sized]
    ArcRwLockWriteGuard<R, T> => ArcRwLockReadGuard<R, T>, ArcRwLockUpgradableReadGuard<R, T>
}
upgrade::upgrades! {
    [] [T: ?Sized]
    ArcRwLockUpgradableReadGuard<R, T> => ArcRwLockWriteGuard<R, T>, ArcRwLockReadGuard<R, T>
}
