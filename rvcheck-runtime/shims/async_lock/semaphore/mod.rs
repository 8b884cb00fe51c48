//! `Semaphore`.

mod acquiring;
mod guard;

use std::panic::Location;
use std::sync::Arc;

use rt::{sem, EndingHead, Loc, ObjectKind};

pub use acquiring::{Acquire, AcquireArc};
pub use guard::{SemaphoreGuard, SemaphoreGuardArc};

/// A semaphore that records who waits for permits, takes them and gives them back.
pub struct Semaphore {
    head: EndingHead,
    real: real::Semaphore,
}

rt::identified!([] Semaphore, it => it.head.value());

/// A count as the recorder stores it.
fn count(permits: usize) -> u32 {
    u32::try_from(permits).unwrap_or(u32::MAX)
}

impl Semaphore {
    /// A semaphore with that many permits.
    #[track_caller]
    pub const fn new(n: usize) -> Semaphore {
        Semaphore {
            head: EndingHead::sized(ObjectKind::AsyncLockSemaphore, Location::caller(), n),
            real: real::Semaphore::new(n),
        }
    }

    /// Takes a permit if one is free.
    #[track_caller]
    pub fn try_acquire(&self) -> Option<SemaphoreGuard<'_>> {
        self.try_acquire_at(Location::caller())
    }

    fn try_acquire_at(&self, location: Loc) -> Option<SemaphoreGuard<'_>> {
        let real = rt::control::trying(&self.head, location, || self.real.try_acquire(), Option::is_some)?;
        Some(SemaphoreGuard::taken(real, self, location))
    }

    /// Waits for a permit.
    #[track_caller]
    pub fn acquire(&self) -> Acquire<'_> {
        Acquire::new(self, Location::caller())
    }

    /// Waits for a permit and blocks the thread meanwhile.
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[track_caller]
    pub fn acquire_blocking(&self) -> SemaphoreGuard<'_> {
        let location = Location::caller();
        rt::delay(&self.head, location);
        match self.real.try_acquire() {
            Some(real) => SemaphoreGuard::taken(real, self, location),
            None => self.acquire_blocked(location),
        }
    }

    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[cold]
    fn acquire_blocked(&self, location: Loc) -> SemaphoreGuard<'_> {
        rt::wait::begin(rt::EventKind::PermitWait, &self.head, 1, location);
        let blocking = rt::block(rt::What::Lock, location);
        let (future, waits) = (|| self.real.acquire(), || self.real.acquire_blocking());
        let real = rt::control::driving(location, future, waits);
        drop(blocking);
        SemaphoreGuard::taken(real, self, location)
    }

    /// As [`Semaphore::try_acquire`], with a permit that keeps the semaphore alive.
    #[track_caller]
    pub fn try_acquire_arc(self: &Arc<Self>) -> Option<SemaphoreGuardArc> {
        let permit = self.try_acquire_at(Location::caller())?;
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        Some(unsafe { SemaphoreGuardArc::new(permit, Arc::clone(self)) })
    }

    /// As [`Semaphore::acquire`], with a permit that keeps the semaphore alive.
    #[track_caller]
    pub fn acquire_arc(self: &Arc<Self>) -> AcquireArc {
        AcquireArc::new(Arc::clone(self), Location::caller())
    }

    /// As [`Semaphore::acquire_blocking`], with a permit that keeps the semaphore alive.
    #[cfg(all(rv_async_lock_3_2, feature = "std"))]
    #[track_caller]
    pub fn acquire_arc_blocking(self: &Arc<Self>) -> SemaphoreGuardArc {
        let permit = self.acquire_blocking();
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        unsafe { SemaphoreGuardArc::new(permit, Arc::clone(self)) }
    }

    /// Adds new permits.
    #[track_caller]
    pub fn add_permits(&self, n: usize) {
        sem::released(&self.head, count(n), true, Some(Location::caller()));
        self.real.add_permits(n);
    }
}

rt::forwards! {
    [] Semaphore {
        #[cfg(rv_async_lock_3_5)] pub fn available_permits(&self) -> usize;
    }
    [] Semaphore: Debug;
}
