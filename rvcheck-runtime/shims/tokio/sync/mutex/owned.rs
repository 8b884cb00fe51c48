//! Guards that keep the lock alive.

use std::sync::Arc;

use rt::lock::Held;

use super::Mutex;
use crate::sync::erased::Erased;

/// The lock is held and kept alive.
pub struct OwnedMutexGuard<T: ?Sized> {
    pub(super) held: Held,
    pub(super) data: *mut T,
    /// Borrows from `lock`, so it is dropped before.
    pub(super) guard: Erased,
    pub(super) lock: Arc<Mutex<T>>,
}

/// Parts the real guard from its lifetime.
///
/// # Safety
///
/// As for [`Erased::new`].
pub(super) unsafe fn erase<T: ?Sized>(mut guard: real::sync::MutexGuard<'_, T>) -> (*mut T, Erased) {
    let data: *mut T = &mut *guard;
    // SAFETY: as the caller says.
    (data, unsafe { Erased::new(guard) })
}

// SAFETY: the guard is an exclusive reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send> Send for OwnedMutexGuard<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for OwnedMutexGuard<T> {}

/// Guards of parts of the data, which may be of types with this bound.
#[cfg(rv_tokio_1_26)]
macro_rules! parts {
    ($($bound:tt)*) => {
        impl<T: ?Sized> OwnedMutexGuard<T> {
            /// A guard of a part of the data.
            #[inline]
            pub fn map<U, F>(mut this: Self, f: F) -> OwnedMappedMutexGuard<T, U>
            where
                U: $($bound)*,
                F: FnOnce(&mut T) -> &mut U,
            {
                let data: *mut U = f(&mut this);
                OwnedMappedMutexGuard { held: this.held, data, guard: this.guard, lock: this.lock }
            }

            /// A guard of a part of the data, if it is there.
            ///
            /// # Errors
            ///
            /// The guard itself, when it is not.
            #[inline]
            pub fn try_map<U, F>(mut this: Self, f: F) -> Result<OwnedMappedMutexGuard<T, U>, Self>
            where
                U: $($bound)*,
                F: FnOnce(&mut T) -> Option<&mut U>,
            {
                let Some(data) = f(&mut this).map(|it| it as *mut U) else { return Err(this) };
                Ok(OwnedMappedMutexGuard { held: this.held, data, guard: this.guard, lock: this.lock })
            }
        }
    };
}

#[cfg(rv_tokio_1_33)]
parts!(?Sized);
#[cfg(all(rv_tokio_1_26, not(rv_tokio_1_33)))]
parts!(Sized);

#[cfg(rv_tokio_1_9)]
impl<T: ?Sized> OwnedMutexGuard<T> {
    /// The lock.
    #[inline]
    pub fn mutex(this: &Self) -> &Arc<Mutex<T>> {
        &this.lock
    }
}

rt::forwards! {
    [T: ?Sized] OwnedMutexGuard<T>: Guard<mut T> = it => it.data;
}

/// The lock is held for a part of its data, and kept alive.
#[cfg(rv_tokio_1_26)]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct OwnedMappedMutexGuard<T: ?Sized, U: ?Sized = T> {
    held: Held,
    data: *mut U,
    guard: Erased,
    lock: Arc<Mutex<T>>,
}

// SAFETY: as for `OwnedMutexGuard`.
#[cfg(rv_tokio_1_26)]
unsafe impl<T: ?Sized + Send, U: ?Sized + Send> Send for OwnedMappedMutexGuard<T, U> {}
// SAFETY: as for `OwnedMutexGuard`.
#[cfg(rv_tokio_1_26)]
unsafe impl<T: ?Sized + Send + Sync, U: ?Sized + Send + Sync> Sync for OwnedMappedMutexGuard<T, U> {}

#[cfg(rv_tokio_1_26)]
impl<T: ?Sized, U: ?Sized> OwnedMappedMutexGuard<T, U> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<S, F>(mut this: Self, f: F) -> OwnedMappedMutexGuard<T, S>
    where
        F: FnOnce(&mut U) -> &mut S,
    {
        let data: *mut S = f(&mut this);
        OwnedMappedMutexGuard { held: this.held, data, guard: this.guard, lock: this.lock }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<S, F>(mut this: Self, f: F) -> Result<OwnedMappedMutexGuard<T, S>, Self>
    where
        F: FnOnce(&mut U) -> Option<&mut S>,
    {
        let Some(data) = f(&mut this).map(|it| it as *mut S) else { return Err(this) };
        Ok(OwnedMappedMutexGuard { held: this.held, data, guard: this.guard, lock: this.lock })
    }
}

rt::forwards! {
    #[cfg(rv_tokio_1_26)] [T: ?Sized, U: ?Sized] OwnedMappedMutexGuard<T, U>: Guard<mut U> = it => it.data;
}

rt::exchanged! {
    #[cfg(rv_tokio_1_26)] OwnedMappedMutexGuard<(), ()> => real::sync::OwnedMappedMutexGuard<(), ()>;
    OwnedMutexGuard<()> => real::sync::OwnedMutexGuard<()>;
}
