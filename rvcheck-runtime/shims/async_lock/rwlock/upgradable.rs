//! The guard of the one reader that may become the writer.

use std::panic::Location;
use std::sync::Arc;

use rt::lock::{self, Held};
use rt::{Head, Loc, Mode};

use super::{RwLock, RwLockReadGuard, RwLockUpgradableReadGuardArc, RwLockWriteGuard, Upgrade};

/// The lock is held to read, and maybe to write later. Dropping this gives it back.
pub struct RwLockUpgradableReadGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::RwLockUpgradableReadGuard<'a, T>,
    pub(super) head: &'a Head,
}

impl<'a, T: ?Sized> RwLockUpgradableReadGuard<'a, T> {
    /// Goes on as a plain reader.
    #[inline]
    pub fn downgrade(guard: Self) -> RwLockReadGuard<'a, T> {
        let RwLockUpgradableReadGuard { mut held, real, .. } = guard;
        held.downgraded(Mode::Read);
        RwLockReadGuard { held, real: real::RwLockUpgradableReadGuard::downgrade(real) }
    }

    /// Goes on as the writer, if there are no other readers.
    ///
    /// # Errors
    ///
    /// The guard itself, when there are.
    #[track_caller]
    #[inline]
    pub fn try_upgrade(guard: Self) -> Result<RwLockWriteGuard<'a, T>, Self> {
        let RwLockUpgradableReadGuard { held, real, head } = guard;
        match real::RwLockUpgradableReadGuard::try_upgrade(real) {
            Ok(real) => {
                drop(held);
                let held = lock::acquired(head, Mode::Write, true, Location::caller());
                Ok(RwLockWriteGuard { held, real, head })
            }
            Err(real) => Err(RwLockUpgradableReadGuard { held, real, head }),
        }
    }

    /// Waits until there are no other readers, to go on as the writer.
    #[track_caller]
    #[inline]
    pub fn upgrade(guard: Self) -> Upgrade<'a, T> {
        Upgrade::new(guard, Location::caller())
    }

    /// As [`RwLockUpgradableReadGuard::upgrade`], and blocks the thread meanwhile.
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[track_caller]
    #[inline]
    pub fn upgrade_blocking(guard: Self) -> RwLockWriteGuard<'a, T> {
        let RwLockUpgradableReadGuard { held, real, head } = guard;
        let (held, real) = upgraded(held, real, head, Location::caller());
        RwLockWriteGuard { held, real, head }
    }

    /// The same guard, which keeps its lock alive.
    #[inline]
    pub(super) fn owned(self, lock: &Arc<RwLock<T>>) -> RwLockUpgradableReadGuardArc<T> {
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockUpgradableReadGuardArc::new(self.held, self.real, Arc::clone(lock)) }
    }
}

/// Waits until there are no other readers, with the thread blocked, and goes on as the writer.
#[cfg(all(rv_async_lock_3, feature = "std"))]
pub(super) fn upgraded<'a, T: ?Sized>(
    held: Held,
    real: real::RwLockUpgradableReadGuard<'a, T>,
    head: &Head,
    location: Loc,
) -> (Held, real::RwLockWriteGuard<'a, T>) {
    rt::delay(head, location);
    let tried = real::RwLockUpgradableReadGuard::try_upgrade(real);
    drop(held);
    match tried {
        Ok(real) => (lock::acquired(head, Mode::Write, false, location), real),
        Err(real) => {
            let real = std::cell::Cell::new(Some(real));
            let held = || real.take().expect("the lock is held upgradably");
            let future = || real::RwLockUpgradableReadGuard::upgrade(held());
            let waits = || real::RwLockUpgradableReadGuard::upgrade_blocking(held());
            crate::blocking::blocked(head, Mode::Write, location, future, waits)
        }
    }
}

rt::forwards! {
    [T: ?Sized] RwLockUpgradableReadGuard<'_, T>: Guard<T>;
}
