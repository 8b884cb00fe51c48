//! `Semaphore` and its permits.

#[cfg(rv_tokio_1_54)]
mod blocking;
mod permit;

use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use real::sync::{AcquireError, TryAcquireError};
use rt::control::{asks, trying};
use rt::{sem, EventKind, Head, Loc, ObjectKind};

use crate::waiting::waiting;

pub use permit::{OwnedSemaphorePermit, SemaphorePermit};

/// A semaphore that records who waits for permits, takes them and gives them back.
pub struct Semaphore {
    head: Head,
    real: real::sync::Semaphore,
}

rt::identified!([] Semaphore, it => it.head.value());

/// A count as the recorder stores it.
fn count(permits: usize) -> u32 {
    u32::try_from(permits).unwrap_or(u32::MAX)
}

impl Semaphore {
    /// The greatest number of permits.
    #[cfg(rv_tokio_1_22)]
    pub const MAX_PERMITS: usize = real::sync::Semaphore::MAX_PERMITS;

    /// A semaphore with that many permits.
    ///
    /// # Panics
    ///
    /// When there are more than [`Semaphore::MAX_PERMITS`].
    #[track_caller]
    pub fn new(permits: usize) -> Semaphore {
        Semaphore {
            head: Head::new(ObjectKind::TokioSemaphore, Location::caller()),
            real: real::sync::Semaphore::new(permits),
        }
    }

    /// A semaphore with that many permits, in a constant.
    ///
    /// # Panics
    ///
    /// When there are more than [`Semaphore::MAX_PERMITS`].
    #[cfg(any(rv_tokio_1_30, feature = "parking_lot"))]
    #[track_caller]
    pub const fn const_new(permits: usize) -> Semaphore {
        Semaphore {
            head: Head::new(ObjectKind::TokioSemaphore, Location::caller()),
            real: real::sync::Semaphore::const_new(permits),
        }
    }

    /// The identity. Until the first operation all permits are free, so that their number is the capacity.
    #[inline]
    fn head(&self) -> &Head {
        if rt::on() {
            self.head.capacity(count(self.real.available_permits()));
        }
        &self.head
    }

    /// Adds new permits.
    ///
    /// # Panics
    ///
    /// When there are more than [`Semaphore::MAX_PERMITS`] afterwards.
    #[track_caller]
    pub fn add_permits(&self, n: usize) {
        sem::released(self.head(), count(n), true, Some(Location::caller()));
        self.real.add_permits(n);
    }

    /// Removes free permits. How many were there to remove.
    #[cfg(rv_tokio_1_37)]
    #[track_caller]
    pub fn forget_permits(&self, n: usize) -> usize {
        let head = self.head();
        asks(head, Location::caller());
        let forgotten = self.real.forget_permits(n);
        if forgotten > 0 {
            sem::forgotten(head, count(forgotten), Some(Location::caller()));
        }
        forgotten
    }

    /// Gives no permits any more.
    #[track_caller]
    pub fn close(&self) {
        asks(self.head(), Location::caller());
        self.real.close();
    }

    /// Waits for a permit.
    #[track_caller]
    #[inline]
    pub fn acquire(&self) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> + '_ {
        self.permits(1, Location::caller())
    }

    /// Waits for `n` permits.
    #[track_caller]
    #[inline]
    pub fn acquire_many(
        &self,
        n: u32,
    ) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> + '_ {
        self.permits(n, Location::caller())
    }

    #[inline]
    fn permits(
        &self,
        n: u32,
        location: Loc,
    ) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> + '_ {
        let acquiring = self.real.acquire_many(n);
        waiting(acquiring, EventKind::PermitWait, self.head(), n, location, move |real| {
            Ok(SemaphorePermit::taken(real?, n, self, location))
        })
    }

    /// Takes a permit if one is free.
    ///
    /// # Errors
    ///
    /// When none is, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_permits(1, Location::caller())
    }

    /// Takes `n` permits if they are free.
    ///
    /// # Errors
    ///
    /// When they are not, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_permits(n, Location::caller())
    }

    fn try_permits(&self, n: u32, location: Loc) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        let real = trying(self.head(), location, || self.real.try_acquire_many(n), Result::is_ok)?;
        Ok(SemaphorePermit::taken(real, n, self, location))
    }

    /// Waits for a permit that keeps the semaphore alive.
    #[track_caller]
    pub fn acquire_owned(
        self: Arc<Self>,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        self.owned_permits(1, Location::caller())
    }

    /// Waits for `n` permits that keep the semaphore alive.
    #[cfg(rv_tokio_1_3)]
    #[track_caller]
    pub fn acquire_many_owned(
        self: Arc<Self>,
        n: u32,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        self.owned_permits(n, Location::caller())
    }

    async fn owned_permits(
        self: Arc<Self>,
        n: u32,
        location: Loc,
    ) -> Result<OwnedSemaphorePermit, AcquireError> {
        let permit = self.permits(n, location).await?;
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        let permit = unsafe { permit.unbound() };
        Ok(OwnedSemaphorePermit { permit, semaphore: self })
    }

    /// Takes a permit that keeps the semaphore alive, if one is free.
    ///
    /// # Errors
    ///
    /// When none is, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.try_owned_permits(1, Location::caller())
    }

    /// Takes `n` permits that keep the semaphore alive, if they are free.
    ///
    /// # Errors
    ///
    /// When they are not, or the semaphore is closed.
    #[cfg(rv_tokio_1_3)]
    #[track_caller]
    pub fn try_acquire_many_owned(self: Arc<Self>, n: u32) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.try_owned_permits(n, Location::caller())
    }

    fn try_owned_permits(
        self: Arc<Self>,
        n: u32,
        location: Loc,
    ) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        let permit = self.try_permits(n, location)?;
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        let permit = unsafe { permit.unbound() };
        Ok(OwnedSemaphorePermit { permit, semaphore: self })
    }
}

rt::forwards! {
    [] Semaphore {
        pub fn available_permits(&self) -> usize;
        #[cfg(rv_tokio_1_5)] pub fn is_closed(&self) -> bool;
    }
    [] Semaphore: Debug;
}

rt::exchanged! {
    Semaphore => real::sync::Semaphore;
}
