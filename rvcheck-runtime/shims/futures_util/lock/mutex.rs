//! `Mutex`.

use std::panic::Location;
#[cfg(rv_futures_util_0_3_22)]
use std::sync::Arc;

use rt::control::trying;
use rt::{lock, EndingHead, Mode, ObjectKind};

use super::{MutexGuard, MutexLockFuture};
#[cfg(rv_futures_util_0_3_22)]
use super::{OwnedMutexGuard, OwnedMutexLockFuture};

/// An asynchronous lock that records its requests, acquisitions and releases.
pub struct Mutex<T: ?Sized> {
    pub(super) head: EndingHead,
    pub(super) real: real::lock::Mutex<T>,
}

rt::identified!([T: ?Sized] Mutex<T>, it => it.head.value());

/// Functions that are `const` from some version on.
macro_rules! new {
    ($($qualifier:tt)*) => {
        impl<T> Mutex<T> {
            /// A free lock around the value.
            #[track_caller]
            #[inline]
            pub $($qualifier)* new(value: T) -> Mutex<T> {
                Mutex {
                    head: EndingHead::new(ObjectKind::FuturesMutex, Location::caller()),
                    real: real::lock::Mutex::new(value),
                }
            }
        }
    };
}

#[cfg(rv_futures_util_0_3_32)]
new!(const fn);
#[cfg(not(rv_futures_util_0_3_32))]
new!(fn);

impl<T: ?Sized> Mutex<T> {
    /// Takes the lock if it is free.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_lock(), Option::is_some)?;
        Some(MutexGuard { held: lock::acquired(&self.head, Mode::Write, true, location), real })
    }

    /// As [`Mutex::try_lock`], with a guard that keeps the lock alive.
    #[cfg(rv_futures_util_0_3_22)]
    #[track_caller]
    #[inline]
    pub fn try_lock_owned(self: &Arc<Self>) -> Option<OwnedMutexGuard<T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_lock(), Option::is_some)?;
        let held = lock::acquired(&self.head, Mode::Write, true, location);
        // SAFETY: the guard is of this lock.
        Some(unsafe { OwnedMutexGuard::new(held, real, Arc::clone(self)) })
    }

    /// Waits for the lock.
    #[track_caller]
    #[inline]
    pub fn lock(&self) -> MutexLockFuture<'_, T> {
        MutexLockFuture::new(self, Location::caller())
    }

    /// Waits for the lock, with a guard that keeps the lock alive.
    #[cfg(rv_futures_util_0_3_22)]
    #[track_caller]
    #[inline]
    pub fn lock_owned(self: Arc<Self>) -> OwnedMutexLockFuture<T> {
        OwnedMutexLockFuture::new(self, Location::caller())
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
    [T: ?Sized] Mutex<T>: Debug;
}
