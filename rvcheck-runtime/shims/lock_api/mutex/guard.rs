//! Guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawMutex, RawMutexFair};
use rt::lock::Held;

use super::Mutex;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::way::Whole;

/// The lock is held. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, R: RawMutex, T: ?Sized> {
    pub(super) hold: Hold<&'a Mutex<R, T>, Whole>,
    marker: PhantomData<(&'a mut T, R::GuardMarker)>,
}

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<'a, R: RawMutex + Sync + 'a, T: ?Sized + Sync + 'a> Sync for MutexGuard<'a, R, T> {}

impl<'a, R: RawMutex + 'a, T: ?Sized + 'a> MutexGuard<'a, R, T> {
    #[inline]
    pub(super) fn of(lock: &'a Mutex<R, T>, held: Held) -> Self {
        Self::from(Hold::of(lock, held))
    }

    #[inline]
    pub(super) fn from(hold: Hold<&'a Mutex<R, T>, Whole>) -> Self {
        MutexGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn mutex(s: &Self) -> &'a Mutex<R, T> {
        s.hold.source()
    }

    /// The data, with the lock held for ever.
    #[inline]
    pub fn leak(s: Self) -> &'a mut T {
        let data = s.data();
        std::mem::forget(s);
        // SAFETY: nobody will have the lock again.
        unsafe { &mut *data }
    }
}

lends!(mut whole ['a, R: RawMutex + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>);
shows!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>);
stays!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>);
unlocks!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>);
unlocks!(fair ['a, R: RawMutexFair + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>);
maps! {
    ['a, R: RawMutex + 'a, T: ?Sized + 'a] MutexGuard<'a, R, T>,
    [&mut] => MappedMutexGuard: MappedMutexGuard<'a, R, U>, try_map_or_err
}

/// The lock is held for a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, R: RawMutex, T: ?Sized> {
    hold: Hold<Bare<'a, R>, Whole>,
    data: *mut T,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: as for the real one.
unsafe impl<'a, R: RawMutex + Sync + 'a, T: ?Sized + Sync + 'a> Sync for MappedMutexGuard<'a, R, T> {}
// SAFETY: as for the real one: the guard is an exclusive reference to the part, and the marker says whether a raw lock may be
// unlocked by another thread.
unsafe impl<'a, R: RawMutex + 'a, T: ?Sized + Send + 'a> Send for MappedMutexGuard<'a, R, T> where
    R::GuardMarker: Send
{
}

lends!(mut part ['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
shows!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
stays!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
unlocks!(at_last ['a, R: RawMutexFair + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
maps! {
    ['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>,
    [&mut] => MappedMutexGuard: MappedMutexGuard<'a, R, U>, try_map_or_err
}
