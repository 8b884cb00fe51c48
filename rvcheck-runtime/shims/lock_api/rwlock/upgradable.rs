//! The upgradable reader's guard that borrows the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawRwLockUpgrade, RawRwLockUpgradeDowngrade, RawRwLockUpgradeFair, RawRwLockUpgradeTimed};

use rt::Head;

use super::{upgrade, RwLock, RwLockReadGuard, RwLockWriteGuard};
use crate::guards::{lends, shows, stays, unlocks};
use crate::hold::Hold;
use crate::way::{self, Mark, Upgradable};

/// The lock is held to read, and to become the writer. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockUpgradableReadGuard<'a, R: RawRwLockUpgrade, T: ?Sized> {
    hold: Hold<&'a RwLock<R, T>, Upgradable<R>>,
    marker: PhantomData<(&'a T, Mark<Upgradable<R>>)>,
}

impl<'a, R: RawRwLockUpgrade + 'a, T: ?Sized + 'a> RwLockUpgradableReadGuard<'a, R, T> {
    #[inline]
    pub(super) fn from(hold: Hold<&'a RwLock<R, T>, Upgradable<R>>) -> Self {
        RwLockUpgradableReadGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn rwlock(s: &Self) -> &'a RwLock<R, T> {
        s.hold.source()
    }
}

upgrade::upgrades! {
    ['a] [T: ?Sized + 'a]
    RwLockUpgradableReadGuard<'a, R, T> => RwLockWriteGuard<'a, R, T>, RwLockReadGuard<'a, R, T>
}
lends!(whole ['a, R: RawRwLockUpgrade + 'a, T: ?Sized + 'a] RwLockUpgradableReadGuard<'a, R, T>);
shows!(['a, R: RawRwLockUpgrade + 'a, T: ?Sized + 'a] RwLockUpgradableReadGuard<'a, R, T>);
stays!(['a, R: RawRwLockUpgrade + 'a, T: ?Sized + 'a] RwLockUpgradableReadGuard<'a, R, T>);
unlocks!(['a, R: RawRwLockUpgrade + 'a, T: ?Sized + 'a] RwLockUpgradableReadGuard<'a, R, T>);
unlocks!(fair ['a, R: RawRwLockUpgradeFair + 'a, T: ?Sized + 'a] RwLockUpgradableReadGuard<'a, R, T>);
