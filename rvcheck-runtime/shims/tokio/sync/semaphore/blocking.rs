//! Waiting for permits with the thread blocked.

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
