//! The guard of a reader that keeps the lock alive.

use std::ptr::NonNull;
use std::sync::Arc;

use rt::lock::Held;
use rt::Erased;

use super::RwLock;
use crate::guards::{ErasedGuard, ErasedPointer};

/// The lock is held to read, and kept alive. Dropping this gives it back.
pub struct RwLockReadGuardArc<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    held: Held,
    data: NonNull<T>,
    /// Borrows from the lock, so it is dropped before.
    #[allow(dead_code)]
    guard: ErasedGuard,
    /// An `Arc` of the lock. As such it would not let the guard be one of a `T` that lives shorter, as the real one is.
    #[allow(dead_code)]
    lock: ErasedPointer,
}

impl<T> RwLockReadGuardArc<T> {
    /// Puts a guard together with its lock.
    ///
    /// # Safety
    ///
    /// The guard must be one of `lock`.
    #[inline]
    pub(super) unsafe fn new(
        held: Held,
        guard: real::RwLockReadGuard<'_, T>,
        lock: Arc<RwLock<T>>,
    ) -> RwLockReadGuardArc<T> {
        let data = NonNull::from(&*guard);
        // SAFETY: the `Arc` keeps what the guard borrows alive and in place.
        let guard = unsafe { Erased::new(guard) };
        // SAFETY: what the data borrows outlives the guard, as the next `impl` makes sure.
        RwLockReadGuardArc { held, data, guard, lock: unsafe { Erased::new(lock) } }
    }
}

/// Makes the compiler expect that this drops a `T`, which none of its fields tells.
impl<T> Drop for RwLockReadGuardArc<T> {
    #[inline]
    fn drop(&mut self) {}
}

// SAFETY: the guard is a shared reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: Send + Sync> Send for RwLockReadGuardArc<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for RwLockReadGuardArc<T> {}

rt::forwards! {
    [T] RwLockReadGuardArc<T>: Guard<T> = it => it.data.as_ptr();
}
