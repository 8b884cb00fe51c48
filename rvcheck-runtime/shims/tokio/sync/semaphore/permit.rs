//! The permits of a semaphore.

use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::ptr;
use std::sync::Arc;

use rt::{sem, Loc};

use super::{count, Semaphore};

/// Permits. Dropping this gives them back.
#[must_use]
pub struct SemaphorePermit<'a> {
    real: real::sync::SemaphorePermit<'a>,
    /// How many they are: older real ones do not tell.
    permits: usize,
    semaphore: &'a Semaphore,
    /// Where the permits were taken: whether that place is monitored decides for giving them back too.
    location: Loc,
}

impl<'a> SemaphorePermit<'a> {
    pub(super) fn taken(
        real: real::sync::SemaphorePermit<'a>,
        permits: u32,
        semaphore: &'a Semaphore,
        location: Loc,
    ) -> SemaphorePermit<'a> {
        sem::taken(&semaphore.head, permits, location);
        let location = rt::acting_at(location);
        SemaphorePermit { real, permits: permits as usize, semaphore, location }
    }

    /// Takes the permit apart, without giving anything back.
    fn into_real(self) -> real::sync::SemaphorePermit<'a> {
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again.
        unsafe { ptr::read(&this.real) }
    }

    /// The same permit for any lifetime.
    ///
    /// # Safety
    ///
    /// The semaphore must outlive the result.
    pub(super) unsafe fn unbound<'b>(self) -> SemaphorePermit<'b> {
        // SAFETY: only the lifetime changes, and the caller takes care of it.
        unsafe { std::mem::transmute::<SemaphorePermit<'a>, SemaphorePermit<'b>>(self) }
    }

    /// The permits will never be given back.
    #[track_caller]
    pub fn forget(self) {
        sem::forgotten(&self.semaphore.head, count(self.permits), Some(Location::caller()));
        self.into_real().forget();
    }

    /// Takes the permits of another one.
    ///
    /// # Panics
    ///
    /// When they belong to different semaphores.
    #[cfg(rv_tokio_1_22)]
    #[track_caller]
    pub fn merge(&mut self, other: Self) {
        if ptr::eq(self.semaphore, other.semaphore) {
            self.permits += other.permits;
            self.real.merge(other.into_real());
        } else {
            // The real one panics, and drops what it was given.
            sem::released(&other.semaphore.head, count(other.permits), false, Some(other.location));
            self.real.merge(other.into_real());
        }
    }

    /// Parts `n` permits from this, if it has them.
    #[cfg(rv_tokio_1_38)]
    pub fn split(&mut self, n: usize) -> Option<Self> {
        let real = self.real.split(n)?;
        self.permits -= n;
        Some(SemaphorePermit { real, permits: n, semaphore: self.semaphore, location: self.location })
    }

    /// The semaphore.
    #[cfg(rv_tokio_1_54)]
    pub fn semaphore(&self) -> &Semaphore {
        self.semaphore
    }

    /// How many permits these are.
    #[cfg(rv_tokio_1_38)]
    pub fn num_permits(&self) -> usize {
        self.permits
    }
}

impl Drop for SemaphorePermit<'_> {
    fn drop(&mut self) {
        if self.permits > 0 {
            sem::released(&self.semaphore.head, count(self.permits), false, Some(self.location));
        }
    }
}

rt::forwards! {
    [] SemaphorePermit<'_>: Debug;
}

/// Permits that keep their semaphore alive. Dropping this gives them back.
#[must_use]
pub struct OwnedSemaphorePermit {
    /// Borrows from `semaphore`, so it is dropped before.
    pub(super) permit: SemaphorePermit<'static>,
    pub(super) semaphore: Arc<Semaphore>,
}

impl OwnedSemaphorePermit {
    /// Takes the permits of another one.
    ///
    /// # Panics
    ///
    /// When they belong to different semaphores.
    #[cfg(rv_tokio_1_22)]
    #[track_caller]
    pub fn merge(&mut self, other: Self) {
        self.permit.merge(other.permit);
    }

    /// Parts `n` permits from this, if it has them.
    #[cfg(rv_tokio_1_38)]
    pub fn split(&mut self, n: usize) -> Option<Self> {
        let permit = self.permit.split(n)?;
        Some(OwnedSemaphorePermit { permit, semaphore: Arc::clone(&self.semaphore) })
    }

    /// The semaphore.
    #[cfg(rv_tokio_1_28)]
    pub fn semaphore(&self) -> &Arc<Semaphore> {
        &self.semaphore
    }
}

rt::forwards! {
    [] OwnedSemaphorePermit => permit {
        #[track_caller] pub fn forget(self);
        #[cfg(rv_tokio_1_38)] pub fn num_permits(&self) -> usize;
    }
}

impl fmt::Debug for OwnedSemaphorePermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedSemaphorePermit")
            .field("sem", &self.semaphore)
            .field("permits", &self.permit.permits)
            .finish()
    }
}

rt::exchanged! {
    OwnedSemaphorePermit => real::sync::OwnedSemaphorePermit;
    SemaphorePermit<'static> => real::sync::SemaphorePermit<'static>;
}
