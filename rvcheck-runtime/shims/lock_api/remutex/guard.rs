//! Guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{GetThreadId, GuardNoSend, RawMutex, RawMutexFair};

use super::nested::{Again, Nested};
use super::ReentrantMutex;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};
use crate::part::Shared;

/// The lock is held, maybe by other guards too. Dropping the last one gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct ReentrantMutexGuard<'a, R: RawMutex, G: GetThreadId, T: ?Sized> {
    hold: Hold<&'a ReentrantMutex<R, G, T>, Again<R, G>>,
    marker: PhantomData<(&'a T, GuardNoSend)>,
}

impl<'a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a> ReentrantMutexGuard<'a, R, G, T> {
    #[inline]
    pub(super) fn from(hold: Hold<&'a ReentrantMutex<R, G, T>, Again<R, G>>) -> Self {
        ReentrantMutexGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn remutex(s: &Self) -> &'a ReentrantMutex<R, G, T> {
        s.hold.source()
    }
}

lends!(whole ['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>);
shows!(['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>);
stays!(['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>);
unlocks!(['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>);
unlocks! {
    fair ['a, R: RawMutexFair + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>
}
maps! {
    ['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] ReentrantMutexGuard<'a, R, G, T>,
    [&] => MappedReentrantMutexGuard: MappedReentrantMutexGuard<'a, R, G, U>
}

/// Where a part of the data is, for a guard that stays with its thread.
struct Here<'a, T: ?Sized> {
    data: Shared<'a, T>,
    marker: PhantomData<GuardNoSend>,
}

rt::forwards! {
    [T: ?Sized] Here<'_, T> => data {
        fn pointer(&self) -> *mut T;
    }
}

impl<T: ?Sized> From<&T> for Here<'_, T> {
    #[inline]
    fn from(data: &T) -> Self {
        Here { data: data.into(), marker: PhantomData }
    }
}

/// The lock is held for a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct MappedReentrantMutexGuard<'a, R: RawMutex, G: GetThreadId, T: ?Sized> {
    hold: Hold<Bare<'a, Nested<R, G>>, Again<R, G>>,
    data: Here<'a, T>,
}

lends! {
    part ['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] MappedReentrantMutexGuard<'a, R, G, T>
}
shows!(['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] MappedReentrantMutexGuard<'a, R, G, T>);
stays!(['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] MappedReentrantMutexGuard<'a, R, G, T>);
unlocks! {
    at_last
    ['a, R: RawMutexFair + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] MappedReentrantMutexGuard<'a, R, G, T>
}
maps! {
    ['a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a] MappedReentrantMutexGuard<'a, R, G, T>,
    [&] => MappedReentrantMutexGuard: MappedReentrantMutexGuard<'a, R, G, U>
}
