//! The guard of the one reader that may become the writer, which keeps the lock alive.

use std::panic::Location;
use std::ptr::NonNull;
use std::sync::Arc;

use rt::lock::{self, Held};
use rt::{Erased, Mode};

use super::{RwLock, RwLockReadGuardArc, RwLockWriteGuardArc, UpgradeArc};
use crate::guards::ErasedGuard;

/// The lock is held to read and maybe to write later, and kept alive. Dropping this gives it back.
pub struct RwLockUpgradableReadGuardArc<T: ?Sized> {
    held: Held,
    data: NonNull<T>,
    /// A real guard. It borrows from `lock`, so it is dropped before.
    guard: ErasedGuard,
    lock: Arc<RwLock<T>>,
}

impl<T: ?Sized> RwLockUpgradableReadGuardArc<T> {
    /// Puts a guard together with its lock.
    ///
    /// # Safety
    ///
    /// The guard must be one of `lock`.
    #[inline]
    pub(super) unsafe fn new(
        held: Held,
        guard: real::RwLockUpgradableReadGuard<'_, T>,
        lock: Arc<RwLock<T>>,
    ) -> RwLockUpgradableReadGuardArc<T> {
        let data = NonNull::from(&*guard);
        // SAFETY: the `Arc` keeps what the guard borrows alive and in place.
        RwLockUpgradableReadGuardArc { held, data, guard: unsafe { Erased::new(guard) }, lock }
    }

    /// Waits until there are no other readers, to go on as the writer.
    #[track_caller]
    #[inline]
    pub fn upgrade(guard: Self) -> UpgradeArc<T> {
        let RwLockUpgradableReadGuardArc { held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        // SAFETY: the future borrows from the lock that it is put together with.
        unsafe {
            UpgradeArc::new(held, real::RwLockUpgradableReadGuard::upgrade(real), lock, Location::caller())
        }
    }

    /// Goes on as the writer, if there are no other readers.
    ///
    /// # Errors
    ///
    /// The guard itself, when there are.
    #[track_caller]
    #[inline]
    pub fn try_upgrade(guard: Self) -> Result<RwLockWriteGuardArc<T>, Self> {
        let RwLockUpgradableReadGuardArc { held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        match real::RwLockUpgradableReadGuard::try_upgrade(real) {
            Ok(real) => {
                drop(held);
                let held = lock::acquired(&lock.head, Mode::Write, true, Location::caller());
                // SAFETY: the guard borrows from the lock that it is put together with.
                Ok(unsafe { RwLockWriteGuardArc::new(held, real, lock) })
            }
            // SAFETY: as above.
            Err(real) => Err(unsafe { RwLockUpgradableReadGuardArc::new(held, real, lock) }),
        }
    }

    /// As [`RwLockUpgradableReadGuardArc::upgrade`], and blocks the thread meanwhile.
    #[cfg(all(rv_async_lock_3_2, feature = "std"))]
    #[track_caller]
    #[inline]
    pub fn upgrade_blocking(guard: Self) -> RwLockWriteGuardArc<T> {
        let RwLockUpgradableReadGuardArc { held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        let (held, real) = super::upgradable::upgraded(held, real, &lock.head, Location::caller());
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockWriteGuardArc::new(held, real, lock) }
    }
}

impl<T> RwLockUpgradableReadGuardArc<T> {
    /// Goes on as a plain reader.
    #[inline]
    pub fn downgrade(guard: Self) -> RwLockReadGuardArc<T> {
        let RwLockUpgradableReadGuardArc { mut held, guard, lock, .. } = guard;
        // SAFETY: that is what it was made of.
        let real: Real<'_, T> = unsafe { guard.into_inner() };
        held.downgraded(Mode::Read);
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockReadGuardArc::new(held, real::RwLockUpgradableReadGuard::downgrade(real), lock) }
    }
}

/// What an upgradable guard is made of.
type Real<'a, T> = real::RwLockUpgradableReadGuard<'a, T>;

// SAFETY: the guard is a reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send + Sync> Send for RwLockUpgradableReadGuardArc<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLockUpgradableReadGuardArc<T> {}

rt::forwards! {
    [T: ?Sized] RwLockUpgradableReadGuardArc<T>: Guard<T> = it => it.data.as_ptr();
}
