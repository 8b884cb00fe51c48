//! Readers' guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawRwLock, RawRwLockFair};
use rt::lock::Held;

use super::RwLock;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::way::Reading;

/// The lock is held to read. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<&'a RwLock<R, T>, Reading>,
    marker: PhantomData<(&'a T, R::GuardMarker)>,
}

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<R: RawRwLock + Sync, T: Sync + ?Sized> Sync for RwLockReadGuard<'_, R, T> {}

impl<'a, R: RawRwLock + 'a, T: ?Sized + 'a> RwLockReadGuard<'a, R, T> {
    #[inline]
    pub(super) fn of(lock: &'a RwLock<R, T>, held: Held) -> Self {
        Self::from(Hold::of(lock, held))
    }

    #[inline]
    pub(super) fn from(hold: Hold<&'a RwLock<R, T>, Reading>) -> Self {
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
    [&] => MappedRwLockReadGuard: MappedRwLockReadGuard<'a, R, U>, try_map_or_err
}

/// The lock is held to read a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct MappedRwLockReadGuard<'a, R: RawRwLock, T: ?Sized> {
    hold: Hold<Bare<'a, R>, Reading>,
    data: *const T,
    marker: PhantomData<&'a T>,
}

// SAFETY: as for the real one.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Sync + 'a> Sync for MappedRwLockReadGuard<'a, R, T> {}
// SAFETY: as for the real one: the guard is a reference to the part, and the marker says whether a raw lock may be unlocked by
// another thread.
unsafe impl<'a, R: RawRwLock + 'a, T: ?Sized + Sync + 'a> Send for MappedRwLockReadGuard<'a, R, T> where
    R::GuardMarker: Send
{
}

lends!(part ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
shows!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
stays!(['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
unlocks!(at_last ['a, R: RawRwLockFair + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>);
// The last function has this name only here.
maps! {
    ['a, R: RawRwLock + 'a, T: ?Sized + 'a] MappedRwLockReadGuard<'a, R, T>,
    [&] => MappedRwLockReadGuard: MappedRwLockReadGuard<'a, R, U>, try_map_or_else
}
