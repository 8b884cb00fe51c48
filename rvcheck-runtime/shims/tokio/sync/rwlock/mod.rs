//! `RwLock`.

#[cfg(rv_tokio_1_5)]
mod owned;
#[cfg(rv_tokio_1_5)]
mod owned_write;
mod read;
mod write;

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use real::sync::TryLockError;
use rt::control::trying;
use rt::{lock, Head, Mode, ObjectKind, What};

use crate::blocking::drive;
use crate::waiting::{as_they_are, locking};

#[cfg(rv_tokio_1_5)]
pub use owned::OwnedRwLockReadGuard;
#[cfg(rv_tokio_1_5)]
pub use owned_write::{OwnedRwLockMappedWriteGuard, OwnedRwLockWriteGuard};
pub use read::RwLockReadGuard;
#[cfg(rv_tokio_1_3)]
pub use write::RwLockMappedWriteGuard;
pub use write::RwLockWriteGuard;

/// An asynchronous reader-writer lock that records its requests, acquisitions and releases.
pub struct RwLock<T: ?Sized> {
    head: Head,
    real: real::sync::RwLock<T>,
}

rt::identified!([T: ?Sized] RwLock<T>, it => it.head.value());

impl<T> RwLock<T> {
    /// A free lock around the value.
    #[track_caller]
    #[inline]
    pub fn new(value: T) -> RwLock<T> {
        RwLock {
            head: Head::new(ObjectKind::TokioRwLock, Location::caller()),
            real: real::sync::RwLock::new(value),
        }
    }

    /// A free lock around the value, for that many readers at once.
    ///
    /// # Panics
    ///
    /// When the number is too large.
    #[cfg(rv_tokio_1_5)]
    #[track_caller]
    pub fn with_max_readers(value: T, max_reads: u32) -> RwLock<T> {
        RwLock {
            head: Head::new(ObjectKind::TokioRwLock, Location::caller()),
            real: real::sync::RwLock::with_max_readers(value, max_reads),
        }
    }

    /// A free lock around the value, in a constant.
    #[cfg(any(rv_tokio_1_30, feature = "parking_lot"))]
    #[track_caller]
    #[inline]
    pub const fn const_new(value: T) -> RwLock<T> {
        RwLock {
            head: Head::new(ObjectKind::TokioRwLock, Location::caller()),
            real: real::sync::RwLock::const_new(value),
        }
    }

    /// A free lock around the value, for that many readers at once, in a constant.
    ///
    /// # Panics
    ///
    /// When the number is too large.
    #[cfg(all(rv_tokio_1_5, any(rv_tokio_1_30, feature = "parking_lot")))]
    #[track_caller]
    pub const fn const_with_max_readers(value: T, max_reads: u32) -> RwLock<T> {
        RwLock {
            head: Head::new(ObjectKind::TokioRwLock, Location::caller()),
            real: real::sync::RwLock::const_with_max_readers(value, max_reads),
        }
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits for the lock, to read.
    #[track_caller]
    #[inline]
    pub fn read(&self) -> impl Future<Output = RwLockReadGuard<'_, T>> + '_ {
        let location = Location::caller();
        locking(self.real.read(), &self.head, Mode::Read, location, |held, real| RwLockReadGuard {
            held,
            real,
        })
    }

    /// Waits for the lock, to write.
    #[track_caller]
    #[inline]
    pub fn write(&self) -> impl Future<Output = RwLockWriteGuard<'_, T>> + '_ {
        let location = Location::caller();
        locking(self.real.write(), &self.head, Mode::Write, location, |held, real| RwLockWriteGuard {
            held,
            real,
        })
    }

    /// Waits for the lock, to read, with a guard that keeps the lock alive.
    #[cfg(rv_tokio_1_5)]
    #[track_caller]
    #[inline]
    pub fn read_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockReadGuard<T>> {
        let location = Location::caller();
        async move {
            let locking = locking(self.real.read(), &self.head, Mode::Read, location, as_they_are);
            let (held, real) = locking.await;
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned::erase(real) };
            OwnedRwLockReadGuard { held, data, guard, lock: self }
        }
    }

    /// Waits for the lock, to write, with a guard that keeps the lock alive.
    #[cfg(rv_tokio_1_5)]
    #[track_caller]
    #[inline]
    pub fn write_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockWriteGuard<T>> {
        let location = Location::caller();
        async move {
            let locking = locking(self.real.write(), &self.head, Mode::Write, location, as_they_are);
            let (held, real) = locking.await;
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned_write::erase(real) };
            OwnedRwLockWriteGuard { held, data, guard, lock: self }
        }
    }

    /// Waits for the lock, to read, and blocks the thread meanwhile.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_16)]
    #[track_caller]
    pub fn blocking_read(&self) -> RwLockReadGuard<'_, T> {
        drive(What::Lock, Location::caller(), self.read())
    }

    /// Waits for the lock, to write, and blocks the thread meanwhile.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_16)]
    #[track_caller]
    pub fn blocking_write(&self) -> RwLockWriteGuard<'_, T> {
        drive(What::Lock, Location::caller(), self.write())
    }

    /// Takes the lock, to read, if that needs no waiting.
    ///
    /// # Errors
    ///
    /// When it does.
    #[cfg(rv_tokio_1_1)]
    #[track_caller]
    #[inline]
    pub fn try_read(&self) -> Result<RwLockReadGuard<'_, T>, TryLockError> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_read(), Result::is_ok)?;
        let held = lock::acquired(&self.head, Mode::Read, true, location);
        Ok(RwLockReadGuard { held, real })
    }

    /// Takes the lock, to write, if it is free.
    ///
    /// # Errors
    ///
    /// When it is not.
    #[cfg(rv_tokio_1_1)]
    #[track_caller]
    #[inline]
    pub fn try_write(&self) -> Result<RwLockWriteGuard<'_, T>, TryLockError> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_write(), Result::is_ok)?;
        let held = lock::acquired(&self.head, Mode::Write, true, location);
        Ok(RwLockWriteGuard { held, real })
    }

    /// As [`RwLock::try_read`], with a guard that keeps the lock alive.
    ///
    /// # Errors
    ///
    /// When the lock needs waiting for.
    #[cfg(rv_tokio_1_5)]
    #[track_caller]
    pub fn try_read_owned(self: Arc<Self>) -> Result<OwnedRwLockReadGuard<T>, TryLockError> {
        let (held, data, guard) = {
            let location = Location::caller();
            let real = trying(&self.head, location, || self.real.try_read(), Result::is_ok)?;
            let held = lock::acquired(&self.head, Mode::Read, true, location);
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned::erase(real) };
            (held, data, guard)
        };
        Ok(OwnedRwLockReadGuard { held, data, guard, lock: self })
    }

    /// As [`RwLock::try_write`], with a guard that keeps the lock alive.
    ///
    /// # Errors
    ///
    /// When the lock is not free.
    #[cfg(rv_tokio_1_5)]
    #[track_caller]
    pub fn try_write_owned(self: Arc<Self>) -> Result<OwnedRwLockWriteGuard<T>, TryLockError> {
        let (held, data, guard) = {
            let location = Location::caller();
            let real = trying(&self.head, location, || self.real.try_write(), Result::is_ok)?;
            let held = lock::acquired(&self.head, Mode::Write, true, location);
            // SAFETY: the guard borrows from the lock that it is put together with.
            let (data, guard) = unsafe { owned_write::erase(real) };
            (held, data, guard)
        };
        Ok(OwnedRwLockWriteGuard { held, data, guard, lock: self })
    }
}

rt::forwards! {
    [T] RwLock<T> {
        pub fn into_inner(self) -> T;
    }
    [T: ?Sized] RwLock<T> {
        pub fn get_mut(&mut self) -> &mut T;
    }
    [T] RwLock<T>: From<T> = RwLock::new;
    [T: Default] RwLock<T>: Default = RwLock::new(T::default());
    [T: ?Sized + fmt::Debug] RwLock<T>: Debug;
}

rt::exchanged! {
    RwLock<()> => real::sync::RwLock<()>;
}
