//! Guards that borrow the lock.

use std::marker::PhantomData;
use std::panic::Location;

use real::{GetThreadId, GuardNoSend, RawMutex, RawMutexFair};
use rt::lock::Held;

use super::nested::{Again, Nested};
use super::ReentrantMutex;
use crate::guards::{lends, maps, shows, stays, unlocks};
use crate::hold::{Bare, Hold};

/// The lock is held, maybe by other guards too. Dropping the last one gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct ReentrantMutexGuard<'a, R: RawMutex, G: GetThreadId, T: ?Sized> {
    hold: Hold<&'a ReentrantMutex<R, G, T>, Again>,
    marker: PhantomData<(&'a T, GuardNoSend)>,
}

// SAFETY: as for the real one: a reference to the guard is one to the data.
unsafe impl<'a, R: RawMutex + Sync + 'a, G: GetThreadId + Sync + 'a, T: ?Sized + Sync + 'a> Sync
    for ReentrantMutexGuard<'a, R, G, T>
{
}

impl<'a, R: RawMutex + 'a, G: GetThreadId + 'a, T: ?Sized + 'a> ReentrantMutexGuard<'a, R, G, T> {
    #[inline]
    pub(super) fn of(lock: &'a ReentrantMutex<R, G, T>, held: Held) -> Self {
        Self::from(Hold::of(lock, held))
    }

    #[inline]
    pub(super) fn from(hold: Hold<&'a ReentrantMutex<R, G, T>, Again>) -> Self {
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
    [&] => MappedReentrantMutexGuard: MappedReentrantMutexGuard<'a, R, G, U>, try_map_or_err
}

/// The lock is held for a part of its data.
#[clippy::has_significant_drop]
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct MappedReentrantMutexGuard<'a, R: RawMutex, G: GetThreadId, T: ?Sized> {
    hold: Hold<Bare<'a, Nested<R, G>>, Again>,
    data: *const T,
    marker: PhantomData<&'a T>,
}

// SAFETY: as for the real one.
unsafe impl<'a, R: RawMutex + Sync + 'a, G: GetThreadId + Sync + 'a, T: ?Sized + Sync + 'a> Sync
    for MappedReentrantMutexGuard<'a, R, G, T>
{
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
    [&] => MappedReentrantMutexGuard: MappedReentrantMutexGuard<'a, R, G, U>, try_map_or_err
}
