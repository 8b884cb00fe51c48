//! The guard of a reader that keeps the lock alive.

use std::sync::Arc;

use rt::lock::Held;

use super::RwLock;
use crate::sync::erased::Erased;

/// The lock is held to read and kept alive.
pub struct OwnedRwLockReadGuard<T: ?Sized, U: ?Sized = T> {
    pub(super) held: Held,
    pub(super) data: *const U,
    /// Borrows from `lock`, so it is dropped before.
    pub(super) guard: Erased,
    pub(super) lock: Arc<RwLock<T>>,
}

/// Parts the real guard from its lifetime.
///
/// # Safety
///
/// As for [`Erased::new`].
pub(super) unsafe fn erase<T: ?Sized>(guard: real::sync::RwLockReadGuard<'_, T>) -> (*const T, Erased) {
    let data: *const T = &*guard;
    // SAFETY: as the caller says.
    (data, unsafe { Erased::new(guard) })
}

// SAFETY: the guard is a shared reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send + Sync, U: ?Sized + Sync> Send for OwnedRwLockReadGuard<T, U> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync, U: ?Sized + Send + Sync> Sync for OwnedRwLockReadGuard<T, U> {}
// As the real one, which is bounded by what it marks as its own.
impl<T: ?Sized + Unpin, U: ?Sized> Unpin for OwnedRwLockReadGuard<T, U> {}

impl<T: ?Sized, U: ?Sized> OwnedRwLockReadGuard<T, U> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<F, V: ?Sized>(this: Self, f: F) -> OwnedRwLockReadGuard<T, V>
    where
        F: FnOnce(&U) -> &V,
    {
        let data: *const V = f(&this);
        OwnedRwLockReadGuard { held: this.held, data, guard: this.guard, lock: this.lock }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<F, V: ?Sized>(this: Self, f: F) -> Result<OwnedRwLockReadGuard<T, V>, Self>
    where
        F: FnOnce(&U) -> Option<&V>,
    {
        let Some(data) = f(&this).map(|it| it as *const V) else { return Err(this) };
        Ok(OwnedRwLockReadGuard { held: this.held, data, guard: this.guard, lock: this.lock })
    }

    /// The lock.
    #[cfg(rv_tokio_1_37)]
    #[inline]
    pub fn rwlock(this: &Self) -> &Arc<RwLock<T>> {
        &this.lock
    }
}

rt::forwards! {
    [T: ?Sized, U: ?Sized] OwnedRwLockReadGuard<T, U>: Guard<U> = it => it.data;
}

rt::exchanged! {
    OwnedRwLockReadGuard<(), ()> => real::sync::OwnedRwLockReadGuard<(), ()>;
}
