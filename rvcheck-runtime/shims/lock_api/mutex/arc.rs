//! The guard that keeps the lock alive.

use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use real::{RawMutex, RawMutexFair};

use super::Mutex;
use crate::guards::{keeps, lends, unlocks};
use crate::hold::Hold;
use crate::way::Whole;

/// The lock is held and kept alive. Dropping this gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct ArcMutexGuard<R: RawMutex, T: ?Sized> {
    hold: Hold<Arc<Mutex<R, T>>, Whole<R>>,
    #[cfg(not(rv_lock_api_0_5))]
    marker: PhantomData<*const ()>,
    #[cfg(rv_lock_api_0_5)]
    marker: PhantomData<T>,
}

impl<R: RawMutex, T: ?Sized> ArcMutexGuard<R, T> {
    #[inline]
    pub(super) fn from(hold: Hold<Arc<Mutex<R, T>>, Whole<R>>) -> Self {
        ArcMutexGuard { hold, marker: PhantomData }
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
