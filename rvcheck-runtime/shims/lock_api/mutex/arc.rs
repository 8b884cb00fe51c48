//! The guard that keeps the lock alive.

use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use real::{RawMutex, RawMutexFair};
use rt::lock::Held;

use super::Mutex;
use crate::guards::{keeps, lends, unlocks};
use crate::hold::Hold;
use crate::way::Whole;

/// The lock is held and kept alive. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct ArcMutexGuard<R: RawMutex, T: ?Sized> {
    hold: Hold<Arc<Mutex<R, T>>, Whole>,
    marker: PhantomData<*const ()>,
}

// SAFETY: as for the real one: the guard is an exclusive reference to the data, and the marker says whether a raw lock may be
// unlocked by another thread.
unsafe impl<R: RawMutex + Send + Sync, T: Send + ?Sized> Send for ArcMutexGuard<R, T> where
    R::GuardMarker: Send
{
}
// SAFETY: as for the real one.
unsafe impl<R: RawMutex + Sync, T: Sync + ?Sized> Sync for ArcMutexGuard<R, T> where R::GuardMarker: Sync {}

impl<R: RawMutex, T: ?Sized> ArcMutexGuard<R, T> {
    #[inline]
    pub(super) fn of(lock: Arc<Mutex<R, T>>, held: Held) -> Self {
        ArcMutexGuard { hold: Hold::of(lock, held), marker: PhantomData }
    }

    /// The lock.
    #[inline]
    pub fn mutex(s: &Self) -> &Arc<Mutex<R, T>> {
        s.hold.source()
    }
}

lends!(mut whole [R: RawMutex, T: ?Sized] ArcMutexGuard<R, T>);
unlocks!([R: RawMutex, T: ?Sized] ArcMutexGuard<R, T>);
unlocks!(fair [R: RawMutexFair, T: ?Sized] ArcMutexGuard<R, T>);
keeps!([R: RawMutex, T: ?Sized] [R: RawMutexFair, T: ?Sized] ArcMutexGuard<R, T>, Mutex<R, T>);
