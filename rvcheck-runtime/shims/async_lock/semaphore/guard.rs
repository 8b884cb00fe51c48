//! The permits of a semaphore.

use std::fmt;
use std::mem;
use std::sync::Arc;

use rt::{sem, Loc};

use super::Semaphore;

/// A permit. Dropping this gives it back.
pub struct SemaphoreGuard<'a> {
    real: real::SemaphoreGuard<'a>,
    semaphore: &'a Semaphore,
    /// Where the permit was taken: whether that place is monitored decides for giving it back too.
    location: Loc,
}

impl<'a> SemaphoreGuard<'a> {
    pub(super) fn taken(
        real: real::SemaphoreGuard<'a>,
        semaphore: &'a Semaphore,
        location: Loc,
    ) -> SemaphoreGuard<'a> {
        sem::taken(&semaphore.head, 1, location);
        SemaphoreGuard { real, semaphore, location }
    }

    /// The permit will never be given back.
    #[cfg(rv_async_lock_3_3)]
    #[track_caller]
    pub fn forget(self) {
        sem::forgotten(&self.semaphore.head, 1, Some(std::panic::Location::caller()));
        mem::forget(self);
    }
}

impl Drop for SemaphoreGuard<'_> {
    fn drop(&mut self) {
        sem::released(&self.semaphore.head, 1, false, Some(self.location));
    }
}

rt::forwards! {
    [] SemaphoreGuard<'_>: Debug;
}

/// A permit that keeps its semaphore alive. Dropping this gives it back.
pub struct SemaphoreGuardArc {
    /// Borrows from `semaphore`, so it is dropped before.
    #[allow(dead_code)]
    permit: SemaphoreGuard<'static>,
    semaphore: Arc<Semaphore>,
}

impl SemaphoreGuardArc {
    /// Puts a permit together with its semaphore.
    ///
    /// # Safety
    ///
    /// The permit must be one of `semaphore`.
    pub(super) unsafe fn new(permit: SemaphoreGuard<'_>, semaphore: Arc<Semaphore>) -> SemaphoreGuardArc {
        // SAFETY: only the lifetime changes, and the `Arc` keeps what the permit borrows alive and in place.
        let permit = unsafe { mem::transmute::<SemaphoreGuard<'_>, SemaphoreGuard<'static>>(permit) };
        SemaphoreGuardArc { permit, semaphore }
    }
}

rt::forwards! {
    [] SemaphoreGuardArc => permit {
        #[cfg(rv_async_lock_3_3)] #[track_caller] pub fn forget(self);
    }
}

impl fmt::Debug for SemaphoreGuardArc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("SemaphoreGuardArc");
        #[cfg(rv_async_lock_3_3)]
        tuple.field(&Some(&self.semaphore));
        #[cfg(not(rv_async_lock_3_3))]
        tuple.field(&self.semaphore);
        tuple.finish()
    }
}
