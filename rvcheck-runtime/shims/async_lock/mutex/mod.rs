//! `Mutex`.

mod guard;
mod locking;

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use rt::control::trying;
use rt::{lock, EndingHead, Mode, ObjectKind};

pub use guard::{MutexGuard, MutexGuardArc};
pub use locking::{Lock, LockArc};

/// An asynchronous lock that records its requests, acquisitions and releases.
pub struct Mutex<T: ?Sized> {
    head: EndingHead,
    real: real::Mutex<T>,
}

rt::identified!([T: ?Sized] Mutex<T>, it => it.head.value());

impl<T> Mutex<T> {
    /// A free lock around the value.
    #[track_caller]
    #[inline]
    pub const fn new(data: T) -> Mutex<T> {
        Mutex {
            head: EndingHead::new(ObjectKind::AsyncLockMutex, Location::caller()),
            real: real::Mutex::new(data),
        }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[track_caller]
    #[inline]
    pub fn lock(&self) -> Lock<'_, T> {
        Lock::new(self, Location::caller())
    }

    /// Waits for the lock and blocks the thread meanwhile.
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[track_caller]
    #[inline]
    pub fn lock_blocking(&self) -> MutexGuard<'_, T> {
        let (held, real) = crate::blocking::blocking(
            &self.head,
            Mode::Write,
            Location::caller(),
            || self.real.try_lock(),
            || self.real.lock(),
            || self.real.lock_blocking(),
        );
        MutexGuard { held, real, lock: self }
    }

    /// Takes the lock if it is free.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_lock(), Option::is_some)?;
        let held = lock::acquired(&self.head, Mode::Write, true, location);
        Some(MutexGuard { held, real, lock: self })
    }

    /// Waits for the lock, with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn lock_arc(self: &Arc<Self>) -> LockArc<T> {
        LockArc::new(Arc::clone(self), Location::caller())
    }

    /// The same guard, which keeps the lock alive.
    #[inline]
    fn owned(self: &Arc<Self>, guard: MutexGuard<'_, T>) -> MutexGuardArc<T> {
        let MutexGuard { held, real, .. } = guard;
        // SAFETY: the guard borrows from the lock that it is put together with.
        let (data, guard) = unsafe { MutexGuardArc::erase(real) };
        MutexGuardArc { held, data, guard, lock: Arc::clone(self) }
    }

    /// As [`Mutex::lock_blocking`], with a guard that keeps the lock alive.
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[track_caller]
    #[inline]
    pub fn lock_arc_blocking(self: &Arc<Self>) -> MutexGuardArc<T> {
        self.owned(self.lock_blocking())
    }

    /// As [`Mutex::try_lock`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn try_lock_arc(self: &Arc<Self>) -> Option<MutexGuardArc<T>> {
        Some(self.owned(self.try_lock()?))
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
    [T: ?Sized + fmt::Debug] Mutex<T>: Debug;
}
