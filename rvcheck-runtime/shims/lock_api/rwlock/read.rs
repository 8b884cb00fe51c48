//! Readers' guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawRwLock, RawRwLockFair};

use super::RwLock;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::part::Shared;
use crate::way::{Mark, Reading};

/// The lock is held to read. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<&'a RwLock<R, T>, Reading<R>>,
    marker: PhantomData<(&'a T, Mark<Reading<R>>)>,
}

impl<'a, R: RawRwLock + 'a, T: ?Sized + 'a> RwLockReadGuard<'a, R, T> {
    #[inline]
    pub(super) fn from(hold: Hold<&'a RwLock<R, T>, Reading<R>>) -> Self {
        RwLockReadGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn rwlock(s: &Self) -> &'a RwLock<R, T> {
        s.hold.source()
    }
}

lends!(whole ['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>);
shows!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>);
stays!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>);
unlocks!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>);
unlocks!(fair ['a, R: RawRwLockFair + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>);
maps! {
    ['a, R: RawRwLock + 'a, T: ?Sized + 'a] RwLockReadGuard<'a, R, T>,
    [&] => MappedRwLockReadGuard: MappedRwLockReadGuard<'a, R, U>
}

/// The lock is held to read a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct MappedRwLockReadGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<Bare<'a, R>, Reading<R>>,
    data: Shared<'a, T>,
}

lends!(part ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
shows!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
stays!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
unlocks!(at_last ['a, R: RawRwLockFair + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
maps! {
    ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>,
    [&] => MappedRwLockReadGuard: MappedRwLockReadGuard<'a, R, U>
}

#[cfg(not(rv_lock_api_0_5))]
impl<'a, R: RawRwLock + 'a, T: ?Sized + 'a> MappedRwLockReadGuard<'a, R, T> {
    /// `try_map_or_err`, by the name that it had here.
    ///
    /// # Errors
    ///
    /// The guard itself, and the closure's error.
    #[inline]
    pub fn try_map_or_else<U: ?Sized, F, E>(
        s: Self,
        f: F,
    ) -> Result<MappedRwLockReadGuard<'a, R, U>, (Self, E)>
    where
        F: FnOnce(&T) -> Result<&U, E>,
    {
        Self::try_map_or_err(s, f)
    }
}
