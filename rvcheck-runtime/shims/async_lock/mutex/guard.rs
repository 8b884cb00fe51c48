//! The guards of a mutex.

use std::ptr::NonNull;
use std::sync::Arc;

use rt::lock::Held;
use rt::Erased;

use super::Mutex;
use crate::guards::ErasedGuard;

/// The lock is held. Dropping this gives it back.
pub struct MutexGuard<'a, T: ?Sized> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    pub(super) held: Held,
    pub(super) real: real::MutexGuard<'a, T>,
    pub(super) lock: &'a Mutex<T>,
}

// SAFETY: as for the real guard.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// The lock.
    pub fn source(guard: &MutexGuard<'a, T>) -> &'a Mutex<T> {
        guard.lock
    }
}

rt::forwards! {
    [T: ?Sized] MutexGuard<'_, T>: Guard<mut T>;
}

/// The lock is held and kept alive. Dropping this gives it back.
pub struct MutexGuardArc<T: ?Sized> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    pub(super) held: Held,
    pub(super) data: NonNull<T>,
    /// Borrows from `lock`, so it is dropped before.
    #[allow(dead_code)]
    pub(super) guard: ErasedGuard,
    pub(super) lock: Arc<Mutex<T>>,
}

impl<T: ?Sized> MutexGuardArc<T> {
    /// Parts a real guard from its lifetime.
    ///
    /// # Safety
    ///
    /// It must be put together with an `Arc` of its lock.
    #[inline]
    pub(super) unsafe fn erase(mut guard: real::MutexGuard<'_, T>) -> (NonNull<T>, ErasedGuard) {
        let data = NonNull::from(&mut *guard);
        // SAFETY: the `Arc` keeps what the guard borrows alive and in place.
        (data, unsafe { Erased::new(guard) })
    }

    /// The lock.
    pub fn source(guard: &Self) -> &Arc<Mutex<T>>
    where
        T: Send,
    {
        &guard.lock
    }
}

// SAFETY: the guard is an exclusive reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send> Send for MutexGuardArc<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuardArc<T> {}

rt::forwards! {
    [T: ?Sized] MutexGuardArc<T>: Guard<mut T> = it => it.data.as_ptr();
}
