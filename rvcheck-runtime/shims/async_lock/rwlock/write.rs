//! The guard of a writer.

use std::sync::Arc;

use rt::lock::Held;
use rt::{Head, Mode};

use super::{RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuardArc};

/// The lock is held to write. Dropping this gives it back.
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::RwLockWriteGuard<'a, T>,
    pub(super) head: &'a Head,
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Goes on as a reader, without letting anybody else write in between.
    #[inline]
    pub fn downgrade(guard: Self) -> RwLockReadGuard<'a, T> {
        let RwLockWriteGuard { mut held, real, .. } = guard;
        held.downgraded(Mode::Read);
        RwLockReadGuard { held, real: real::RwLockWriteGuard::downgrade(real) }
    }

    /// Goes on as a reader that may become the writer again, without letting anybody else write in between.
    #[inline]
    pub fn downgrade_to_upgradable(guard: Self) -> RwLockUpgradableReadGuard<'a, T> {
        let RwLockWriteGuard { mut held, real, head } = guard;
        held.downgraded(Mode::Upgrade);
        let real = real::RwLockWriteGuard::downgrade_to_upgradable(real);
        RwLockUpgradableReadGuard { held, real, head }
    }

    /// The same guard, which keeps its lock alive.
    #[inline]
    pub(super) fn owned(self, lock: &Arc<RwLock<T>>) -> RwLockWriteGuardArc<T> {
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockWriteGuardArc::new(self.held, self.real, Arc::clone(lock)) }
    }
}

rt::forwards! {
    [T: ?Sized] RwLockWriteGuard<'_, T>: Guard<mut T>;
}
