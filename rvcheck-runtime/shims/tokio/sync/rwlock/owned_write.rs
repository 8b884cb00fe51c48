//! The guards of a writer that keep the lock alive.

use std::sync::Arc;

use rt::lock::Held;
use rt::Mode;

use super::{owned, OwnedRwLockReadGuard, RwLock};
use crate::sync::erased::Erased;

/// The lock is held to write and kept alive.
pub struct OwnedRwLockWriteGuard<T: ?Sized> {
    pub(super) held: Held,
    pub(super) data: *mut T,
    /// Borrows from `lock`, so it is dropped before.
    pub(super) guard: Erased,
    pub(super) lock: Arc<RwLock<T>>,
}

/// Parts the real guard from its lifetime.
///
/// # Safety
///
/// As for [`Erased::new`].
pub(super) unsafe fn erase<T: ?Sized>(mut guard: real::sync::RwLockWriteGuard<'_, T>) -> (*mut T, Erased) {
    let data: *mut T = &mut *guard;
    // SAFETY: as the caller says.
    (data, unsafe { Erased::new(guard) })
}

// SAFETY: the guard is an exclusive reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send + Sync> Send for OwnedRwLockWriteGuard<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for OwnedRwLockWriteGuard<T> {}
// As the real one, which is bounded by what it marks as its own.
impl<T: ?Sized + Unpin> Unpin for OwnedRwLockWriteGuard<T> {}

impl<T: ?Sized> OwnedRwLockWriteGuard<T> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<F, U: ?Sized>(mut this: Self, f: F) -> OwnedRwLockMappedWriteGuard<T, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        let data: *mut U = f(&mut this);
        OwnedRwLockMappedWriteGuard { held: this.held, data, guard: this.guard, lock: this.lock }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<F, U: ?Sized>(mut this: Self, f: F) -> Result<OwnedRwLockMappedWriteGuard<T, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(data) = f(&mut this).map(|it| it as *mut U) else { return Err(this) };
        Ok(OwnedRwLockMappedWriteGuard { held: this.held, data, guard: this.guard, lock: this.lock })
    }

    /// A reader's guard of a part of the data.
    #[cfg(rv_tokio_1_27)]
    #[inline]
    pub fn downgrade_map<F, U: ?Sized>(this: Self, f: F) -> OwnedRwLockReadGuard<T, U>
    where
        F: FnOnce(&T) -> &U,
    {
        let part: *const U = f(&this);
        let OwnedRwLockReadGuard { held, guard, lock, .. } = this.downgrade();
        OwnedRwLockReadGuard { held, data: part, guard, lock }
    }

    /// A reader's guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[cfg(rv_tokio_1_27)]
    #[inline]
    pub fn try_downgrade_map<F, U: ?Sized>(this: Self, f: F) -> Result<OwnedRwLockReadGuard<T, U>, Self>
    where
        F: FnOnce(&T) -> Option<&U>,
    {
        let Some(part) = f(&this).map(|it| it as *const U) else { return Err(this) };
        let OwnedRwLockReadGuard { held, guard, lock, .. } = this.downgrade();
        Ok(OwnedRwLockReadGuard { held, data: part, guard, lock })
    }

    /// The same guard as one of a part that is the whole.
    #[inline]
    pub fn into_mapped(this: Self) -> OwnedRwLockMappedWriteGuard<T> {
        OwnedRwLockMappedWriteGuard { held: this.held, data: this.data, guard: this.guard, lock: this.lock }
    }

    /// Goes on as a reader, without letting anybody else write in between.
    #[inline]
    pub fn downgrade(self) -> OwnedRwLockReadGuard<T> {
        let OwnedRwLockWriteGuard { mut held, guard, lock, .. } = self;
        held.downgraded(Mode::Read);
        // SAFETY: `erase` put a guard of this type in, and it borrows from the lock that stays with it.
        let (data, guard) = unsafe {
            let real: real::sync::RwLockWriteGuard<'_, T> = guard.into_inner();
            owned::erase(real.downgrade())
        };
        OwnedRwLockReadGuard { held, data, guard, lock }
    }

    /// The lock.
    #[cfg(rv_tokio_1_37)]
    #[inline]
    pub fn rwlock(this: &Self) -> &Arc<RwLock<T>> {
        &this.lock
    }
}

rt::forwards! {
    [T: ?Sized] OwnedRwLockWriteGuard<T>: Guard<mut T> = it => it.data;
}

/// The lock is held to write a part of its data, and kept alive.
pub struct OwnedRwLockMappedWriteGuard<T: ?Sized, U: ?Sized = T> {
    held: Held,
    data: *mut U,
    guard: Erased,
    lock: Arc<RwLock<T>>,
}

// SAFETY: as for `OwnedRwLockWriteGuard`.
unsafe impl<T: ?Sized + Send + Sync, U: ?Sized + Send + Sync> Send for OwnedRwLockMappedWriteGuard<T, U> {}
// SAFETY: as for `OwnedRwLockWriteGuard`.
unsafe impl<T: ?Sized + Send + Sync, U: ?Sized + Send + Sync> Sync for OwnedRwLockMappedWriteGuard<T, U> {}
// As for `OwnedRwLockWriteGuard`.
impl<T: ?Sized + Unpin, U: ?Sized> Unpin for OwnedRwLockMappedWriteGuard<T, U> {}

impl<T: ?Sized, U: ?Sized> OwnedRwLockMappedWriteGuard<T, U> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<F, V: ?Sized>(mut this: Self, f: F) -> OwnedRwLockMappedWriteGuard<T, V>
    where
        F: FnOnce(&mut U) -> &mut V,
    {
        let data: *mut V = f(&mut this);
        OwnedRwLockMappedWriteGuard { held: this.held, data, guard: this.guard, lock: this.lock }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<F, V: ?Sized>(mut this: Self, f: F) -> Result<OwnedRwLockMappedWriteGuard<T, V>, Self>
    where
        F: FnOnce(&mut U) -> Option<&mut V>,
    {
        let Some(data) = f(&mut this).map(|it| it as *mut V) else { return Err(this) };
        Ok(OwnedRwLockMappedWriteGuard { held: this.held, data, guard: this.guard, lock: this.lock })
    }

    /// The lock.
    #[cfg(rv_tokio_1_37)]
    #[inline]
    pub fn rwlock(this: &Self) -> &Arc<RwLock<T>> {
        &this.lock
    }
}

rt::forwards! {
    [T: ?Sized, U: ?Sized] OwnedRwLockMappedWriteGuard<T, U>: Guard<mut U> = it => it.data;
}

rt::exchanged! {
    OwnedRwLockMappedWriteGuard<(), ()> => real::sync::OwnedRwLockMappedWriteGuard<(), ()>;
    OwnedRwLockWriteGuard<()> => real::sync::OwnedRwLockWriteGuard<()>;
}
