//! The guard that keeps the lock alive.

use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use real::{GetThreadId, GuardNoSend, RawMutex, RawMutexFair};

use super::nested::Again;
use super::ReentrantMutex;
use crate::guards::{keeps, lends, unlocks};
use crate::hold::Hold;

/// The lock is held, maybe by other guards too, and kept alive. Dropping the last one gives it back.
#[clippy::has_significant_drop]
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct ArcReentrantMutexGuard<R: RawMutex, G: GetThreadId, T: ?Sized> {
    hold: Hold<Arc<ReentrantMutex<R, G, T>>, Again<R, G>>,
    #[cfg(not(rv_lock_api_0_5))]
    marker: PhantomData<GuardNoSend>,
    #[cfg(rv_lock_api_0_5)]
    marker: PhantomData<(GuardNoSend, T)>,
}

impl<R: RawMutex, G: GetThreadId, T: ?Sized> ArcReentrantMutexGuard<R, G, T> {
    #[inline]
    pub(super) fn from(hold: Hold<Arc<ReentrantMutex<R, G, T>>, Again<R, G>>) -> Self {
        ArcReentrantMutexGuard { hold, marker: PhantomData }
    }

    /// The lock.
    pub fn remutex(s: &Self) -> &Arc<ReentrantMutex<R, G, T>> {
        s.hold.source()
    }
}

lends!(whole [R: RawMutex, G: GetThreadId, T: ?Sized] ArcReentrantMutexGuard<R, G, T>);
unlocks!([R: RawMutex, G: GetThreadId, T: ?Sized] ArcReentrantMutexGuard<R, G, T>);
unlocks!(fair [R: RawMutexFair, G: GetThreadId, T: ?Sized] ArcReentrantMutexGuard<R, G, T>);
keeps! {
    [R: RawMutex, G: GetThreadId, T: ?Sized]
    [R: RawMutexFair, G: GetThreadId, T: ?Sized]
    ArcReentrantMutexGuard<R, G, T>, ReentrantMutex<R, G, T>
}
