//! Guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{RawMutex, RawMutexFair};

use super::Mutex;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::part::Alone;
use crate::way::{Mark, Whole};

/// The lock is held. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, R: RawMutex, T: ?Sized> {
    pub(super) hold: Hold<&'a Mutex<R, T>, Whole<R>>,
    marker: PhantomData<(&'a mut T, Mark<Whole<R>>)>,
}

impl<'a, R: RawMutex + 'a, T: ?Sized + 'a> MutexGuard<'a, R, T> {
    #[inline]
    pub(super) fn from(hold: Hold<&'a Mutex<R, T>, Whole<R>>) -> Self {
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
    [&mut] => MappedMutexGuard: MappedMutexGuard<'a, R, U>
}

/// The lock is held for a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, R: RawMutex, T: ?Sized> {
    hold: Hold<Bare<'a, R>, Whole<R>>,
    data: Alone<'a, T>,
}

lends!(mut part ['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
shows!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
stays!(['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
unlocks!(at_last ['a, R: RawMutexFair + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>);
maps! {
    ['a, R: RawMutex + 'a, T: ?Sized + 'a] MappedMutexGuard<'a, R, T>,
    [&mut] => MappedMutexGuard: MappedMutexGuard<'a, R, U>
}
