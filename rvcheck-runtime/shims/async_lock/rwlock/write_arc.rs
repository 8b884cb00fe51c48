//! The guard of a writer that keeps the lock alive.

use std::ptr::NonNull;
use std::sync::Arc;

use rt::lock::Held;
use rt::{Erased, Mode};

use super::{RwLock, RwLockReadGuardArc, RwLockUpgradableReadGuardArc};
use crate::guards::ErasedGuard;

/// The lock is held to write, and kept alive. Dropping this gives it back.
pub struct RwLockWriteGuardArc<T: ?Sized> {
    held: Held,
    data: NonNull<T>,
    /// A real guard. It borrows from `lock`, so it is dropped before.
    guard: ErasedGuard,
    lock: Arc<RwLock<T>>,
}

impl<T: ?Sized> RwLockWriteGuardArc<T> {
    /// Puts a guard together with its lock.
    ///
    /// # Safety
    ///
    /// The guard must be one of `lock`.
    #[inline]
    pub(super) unsafe fn new(
        held: Held,
        mut guard: Real<'_, T>,
        lock: Arc<RwLock<T>>,
    ) -> RwLockWriteGuardArc<T> {
        let data = NonNull::from(&mut *guard);
        // SAFETY: the `Arc` keeps what the guard borrows alive and in place.
        RwLockWriteGuardArc { held, data, guard: unsafe { Erased::new(guard) }, lock }
    }

    /// Goes on as a reader that may become the writer again, without letting anybody else write in between.
    #[inline]
    pub fn downgrade_to_upgradable(guard: Self) -> RwLockUpgradableReadGuardArc<T> {
        let RwLockWriteGuardArc { mut held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        held.downgraded(Mode::Upgrade);
        let real = real::RwLockWriteGuard::downgrade_to_upgradable(real);
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockUpgradableReadGuardArc::new(held, real, lock) }
    }
}

impl<T> RwLockWriteGuardArc<T> {
    /// Goes on as a reader, without letting anybody else write in between.
    #[inline]
    pub fn downgrade(guard: Self) -> RwLockReadGuardArc<T> {
        let RwLockWriteGuardArc { mut held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        held.downgraded(Mode::Read);
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockReadGuardArc::new(held, real::RwLockWriteGuard::downgrade(real), lock) }
    }
}

/// What the guard is made of.
type Real<'a, T> = real::RwLockWriteGuard<'a, T>;

// SAFETY: the guard is an exclusive reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send + Sync> Send for RwLockWriteGuardArc<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLockWriteGuardArc<T> {}

rt::forwards! {
    [T: ?Sized] RwLockWriteGuardArc<T>: Guard<mut T> = it => it.data.as_ptr();
}
