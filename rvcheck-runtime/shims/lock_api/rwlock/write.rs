//! Writers' guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawRwLock, RawRwLockDowngrade, RawRwLockFair, RawRwLockUpgradeDowngrade};

use super::{upgrade, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard};
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::part::Alone;
use crate::way::{self, Mark, Writing};

/// The lock is held to write. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<&'a RwLock<R, T>, Writing<R>>,
    marker: PhantomData<(&'a mut T, Mark<Writing<R>>)>,
}

impl<'a, R: RawRwLock + 'a, T: ?Sized + 'a> RwLockWriteGuard<'a, R, T> {
    #[inline]
    pub(super) fn from(hold: Hold<&'a RwLock<R, T>, Writing<R>>) -> Self {
        RwLockWriteGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn rwlock(s: &Self) -> &'a RwLock<R, T> {
        s.hold.source()
    }
}

upgrade::downgrades! {
    ['a, R: RawRwLockDowngrade + 'a, T: ?Sized + 'a]
    ['a, R: RawRwLockUpgradeDowngrade + 'a, T: ?Sized + 'a]
    RwLockWriteGuard<'a, R, T> => RwLockReadGuard<'a, R, T>, RwLockUpgradableReadGuard<'a, R, T>
}
lends!(mut whole ['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>);
shows!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>);
stays!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>);
unlocks!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>);
unlocks!(fair ['a, R: RawRwLockFair + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>);
maps! {
    ['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockWriteGuard<'a, R, T>,
    [&mut] => MappedRwLockWriteGuard: MappedRwLockWriteGuard<'a, R, U>
}

/// The lock is held to write a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct MappedRwLockWriteGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<Bare<'a, R>, Writing<R>>,
    data: Alone<'a, T>,
}

lends!(mut part ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockWriteGuard<'a, R, T>);
shows!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockWriteGuard<'a, R, T>);
stays!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockWriteGuard<'a, R, T>);
unlocks!(at_last ['a, R: RawRwLockFair + 'a, T: ?Sized + 'a] MappedRwLockWriteGuard<'a, R, T>);
maps! {
    ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockWriteGuard<'a, R, T>,
    [&mut] => MappedRwLockWriteGuard: MappedRwLockWriteGuard<'a, R, U>
}
