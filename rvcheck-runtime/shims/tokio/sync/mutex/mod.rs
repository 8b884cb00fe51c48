//! `Mutex`.

mod guard;
mod owned;

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use real::sync::TryLockError;
use rt::control::trying;
use rt::{lock, Head, Mode, ObjectKind, What};

use crate::blocking::drive;
use crate::waiting::{as_they_are, locking};

#[cfg(rv_tokio_1_6)]
pub use guard::MappedMutexGuard;
pub use guard::MutexGuard;
#[cfg(rv_tokio_1_26)]
pub use owned::OwnedMappedMutexGuard;
pub use owned::OwnedMutexGuard;

/// An asynchronous lock that records its requests, acquisitions and releases.
pub struct Mutex<T: ?Sized> {
    head: Head,
    real: real::sync::Mutex<T>,
}

rt::identified!([T: ?Sized] Mutex<T>, it => it.head.value());

impl<T> Mutex<T> {
    /// A free lock around the value.
    #[track_caller]
    #[inline]
    pub fn new(value: T) -> Mutex<T> {
        Mutex {
            head: Head::new(ObjectKind::TokioMutex, Location::caller()),
            real: real::sync::Mutex::new(value),
        }
    }

    /// A free lock around the value, in a constant.
    #[cfg(any(rv_tokio_1_30, feature = "parking_lot"))]
    #[track_caller]
    #[inline]
    pub const fn const_new(value: T) -> Mutex<T> {
        Mutex {
            head: Head::new(ObjectKind::TokioMutex, Location::caller()),
            real: real::sync::Mutex::const_new(value),
        }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[track_caller]
    #[inline]
    pub fn lock(&self) -> impl Future<Output = MutexGuard<'_, T>> + '_ {
        let location = Location::caller();
        locking(self.real.lock(), &self.head, Mode::Write, location, move |held, real| MutexGuard {
            held,
            real,
            lock: self,
        })
    }

    /// Waits for the lock and blocks the thread meanwhile.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_13)]
    #[track_caller]
    pub fn blocking_lock(&self) -> MutexGuard<'_, T> {
        drive(What::Lock, Location::caller(), self.lock())
    }

    /// As [`Mutex::blocking_lock`], with a guard that keeps the lock alive.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_22)]
    #[track_caller]
    pub fn blocking_lock_owned(self: Arc<Self>) -> OwnedMutexGuard<T> {
        drive(What::Lock, Location::caller(), self.lock_owned())
    }

    /// Waits for the lock, with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn lock_owned(self: Arc<Self>) -> impl Future<Output = OwnedMutexGuard<T>> {
        let location = Location::caller();
        async move {
            let locking = locking(self.real.lock(), &self.head, Mode::Write, location, as_they_are);
            let (held, real) = locking.await;
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned::erase(real) };
            OwnedMutexGuard { held, data, guard, lock: self }
        }
    }

    /// Takes the lock if it is free.
    ///
    /// # Errors
    ///
    /// When it is not.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> Result<MutexGuard<'_, T>, TryLockError> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_lock(), Result::is_ok)?;
        let held = lock::acquired(&self.head, Mode::Write, true, location);
        Ok(MutexGuard { held, real, lock: self })
    }

    /// As [`Mutex::try_lock`], with a guard that keeps the lock alive.
    ///
    /// # Errors
    ///
    /// When the lock is not free.
    #[track_caller]
    pub fn try_lock_owned(self: Arc<Self>) -> Result<OwnedMutexGuard<T>, TryLockError> {
        let (held, data, guard) = {
            let location = Location::caller();
            let real = trying(&self.head, location, || self.real.try_lock(), Result::is_ok)?;
            let held = lock::acquired(&self.head, Mode::Write, true, location);
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned::erase(real) };
            (held, data, guard)
        };
        Ok(OwnedMutexGuard { held, data, guard, lock: self })
    }
}

rt::forwards! {
    [T] Mutex<T> {
        pub fn into_inner(self) -> T;
    }
    [T: ?Sized] Mutex<T> {
        pub fn get_mut(&mut self) -> &mut T;
    }
    [T] Mutex<T>: From<T> = Mutex::new;
    [T: Default] Mutex<T>: Default = Mutex::new(T::default());
    #[cfg(rv_tokio_1_13)] [T: ?Sized + fmt::Debug] Mutex<T>: Debug;
    #[cfg(not(rv_tokio_1_13))] [T: fmt::Debug] Mutex<T>: Debug;
}

rt::exchanged! {
    Mutex<()> => real::sync::Mutex<()>;
}
