//! `Semaphore` and its permits.

use std::fmt;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::ptr;
use std::sync::Arc;

use real::sync::{AcquireError, TryAcquireError};
use rt::{sem, EventKind, Head, Loc, ObjectKind};

use crate::waiting::waiting;

/// A semaphore that records who waits for permits, takes them and gives them back.
pub struct Semaphore {
    head: Head,
    real: real::sync::Semaphore,
}

/// A count as the recorder stores it.
fn count(permits: usize) -> u32 {
    u32::try_from(permits).unwrap_or(u32::MAX)
}

impl Semaphore {
    /// The greatest number of permits.
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

    /// How many permits are free.
    #[inline]
    pub fn available_permits(&self) -> usize {
        self.real.available_permits()
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
    #[track_caller]
    pub fn forget_permits(&self, n: usize) -> usize {
        let head = self.head();
        let forgotten = self.real.forget_permits(n);
        if forgotten > 0 {
            sem::forgotten(head, count(forgotten), Some(Location::caller()));
        }
        forgotten
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
            Ok(SemaphorePermit::taken(real?, self, location))
        })
    }

    /// Takes a permit if one is free.
    ///
    /// # Errors
    ///
    /// When none is, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_acquire_many(1)
    }

    /// Takes `n` permits if they are free.
    ///
    /// # Errors
    ///
    /// When they are not, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.head();
        let real = self.real.try_acquire_many(n)?;
        Ok(SemaphorePermit::taken(real, self, Location::caller()))
    }

    /// Waits for a permit that keeps the semaphore alive.
    #[track_caller]
    pub fn acquire_owned(
        self: Arc<Self>,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        self.owned_permits(1, Location::caller())
    }

    /// Waits for `n` permits that keep the semaphore alive.
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
        self.try_acquire_many_owned(1)
    }

    /// Takes `n` permits that keep the semaphore alive, if they are free.
    ///
    /// # Errors
    ///
    /// When they are not, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire_many_owned(self: Arc<Self>, n: u32) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        let permit = self.try_acquire_many(n)?;
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        let permit = unsafe { permit.unbound() };
        Ok(OwnedSemaphorePermit { permit, semaphore: self })
    }

    /// No more permits are given out.
    pub fn close(&self) {
        self.real.close();
    }

    /// Whether the semaphore was closed.
    pub fn is_closed(&self) -> bool {
        self.real.is_closed()
    }
}

#[cfg(rv_tokio_1_54)]
mod blocking {
    use std::panic::Location;
    use std::sync::Arc;

    use real::sync::AcquireError;
    use rt::What;

    use super::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
    use crate::blocking::drive;

    impl Semaphore {
        /// Waits for a permit and blocks the thread meanwhile.
        ///
        /// # Panics
        ///
        /// Inside a runtime.
        #[track_caller]
        pub fn blocking_acquire(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
            drive(What::Lock, Location::caller(), self.acquire())
        }

        /// Waits for `n` permits and blocks the thread meanwhile.
        ///
        /// # Panics
        ///
        /// Inside a runtime.
        #[track_caller]
        pub fn blocking_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, AcquireError> {
            drive(What::Lock, Location::caller(), self.acquire_many(n))
        }

        /// As [`Semaphore::blocking_acquire`], with a permit that keeps the semaphore alive.
        ///
        /// # Panics
        ///
        /// Inside a runtime.
        #[track_caller]
        pub fn blocking_acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, AcquireError> {
            drive(What::Lock, Location::caller(), self.acquire_owned())
        }

        /// As [`Semaphore::blocking_acquire_many`], with permits that keep the semaphore alive.
        ///
        /// # Panics
        ///
        /// Inside a runtime.
        #[track_caller]
        pub fn blocking_acquire_many_owned(
            self: Arc<Self>,
            n: u32,
        ) -> Result<OwnedSemaphorePermit, AcquireError> {
            drive(What::Lock, Location::caller(), self.acquire_many_owned(n))
        }
    }
}

impl fmt::Debug for Semaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

/// Permits. Dropping this gives them back.
#[must_use]
pub struct SemaphorePermit<'a> {
    real: real::sync::SemaphorePermit<'a>,
    semaphore: &'a Semaphore,
    /// Where the permits were taken: whether that is watched decides for giving them back too.
    location: Loc,
}

impl<'a> SemaphorePermit<'a> {
    fn taken(
        real: real::sync::SemaphorePermit<'a>,
        semaphore: &'a Semaphore,
        location: Loc,
    ) -> SemaphorePermit<'a> {
        sem::taken(&semaphore.head, count(real.num_permits()), location);
        SemaphorePermit { real, semaphore, location }
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
    unsafe fn unbound<'b>(self) -> SemaphorePermit<'b> {
        // SAFETY: only the lifetime changes, and the caller takes care of it.
        unsafe { std::mem::transmute::<SemaphorePermit<'a>, SemaphorePermit<'b>>(self) }
    }

    /// The permits will never be given back.
    #[track_caller]
    pub fn forget(self) {
        sem::forgotten(&self.semaphore.head, count(self.real.num_permits()), Some(Location::caller()));
        self.into_real().forget();
    }

    /// Takes the permits of another one.
    ///
    /// # Panics
    ///
    /// When they belong to different semaphores.
    #[track_caller]
    pub fn merge(&mut self, other: Self) {
        if ptr::eq(self.semaphore, other.semaphore) {
            self.real.merge(other.into_real());
        } else {
            // The real one panics, and drops what it was given.
            sem::released(
                &other.semaphore.head,
                count(other.real.num_permits()),
                false,
                Some(other.location),
            );
            self.real.merge(other.into_real());
        }
    }

    /// Parts `n` permits from this, if it has them.
    pub fn split(&mut self, n: usize) -> Option<Self> {
        let real = self.real.split(n)?;
        Some(SemaphorePermit { real, semaphore: self.semaphore, location: self.location })
    }

    /// The semaphore.
    #[cfg(rv_tokio_1_54)]
    pub fn semaphore(&self) -> &Semaphore {
        self.semaphore
    }

    /// How many permits these are.
    pub fn num_permits(&self) -> usize {
        self.real.num_permits()
    }
}

impl Drop for SemaphorePermit<'_> {
    fn drop(&mut self) {
        let permits = self.real.num_permits();
        if permits > 0 {
            sem::released(&self.semaphore.head, count(permits), false, Some(self.location));
        }
    }
}

impl fmt::Debug for SemaphorePermit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

/// Permits that keep their semaphore alive. Dropping this gives them back.
#[must_use]
pub struct OwnedSemaphorePermit {
    /// Borrows from `semaphore`, so it is dropped before.
    permit: SemaphorePermit<'static>,
    semaphore: Arc<Semaphore>,
}

impl OwnedSemaphorePermit {
    /// The permits will never be given back.
    #[track_caller]
    pub fn forget(self) {
        self.permit.forget();
    }

    /// Takes the permits of another one.
    ///
    /// # Panics
    ///
    /// When they belong to different semaphores.
    #[track_caller]
    pub fn merge(&mut self, other: Self) {
        self.permit.merge(other.permit);
    }

    /// Parts `n` permits from this, if it has them.
    pub fn split(&mut self, n: usize) -> Option<Self> {
        let permit = self.permit.split(n)?;
        Some(OwnedSemaphorePermit { permit, semaphore: Arc::clone(&self.semaphore) })
    }

    /// The semaphore.
    pub fn semaphore(&self) -> &Arc<Semaphore> {
        &self.semaphore
    }

    /// How many permits these are.
    pub fn num_permits(&self) -> usize {
        self.permit.num_permits()
    }
}

impl fmt::Debug for OwnedSemaphorePermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedSemaphorePermit")
            .field("sem", &self.semaphore)
            .field("permits", &self.num_permits())
            .finish()
    }
}
