//! Waiting for a reader-writer lock with the thread blocked.

use std::panic::Location;
#[cfg(rv_async_lock_3_2)]
use std::sync::Arc;

use rt::Mode;

use super::{RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard};
#[cfg(rv_async_lock_3_2)]
use super::{RwLockReadGuardArc, RwLockUpgradableReadGuardArc, RwLockWriteGuardArc};
use crate::blocking::blocking;

impl<T: ?Sized> RwLock<T> {
    /// Waits for the lock, to read, and blocks the thread meanwhile.
    #[track_caller]
    #[inline]
    pub fn read_blocking(&self) -> RwLockReadGuard<'_, T> {
        let location = Location::caller();
        let (tries, waits) = (|| self.real.try_read(), || self.real.read_blocking());
        let future = || self.real.read();
        let (held, real) = blocking(&self.head, Mode::Read, location, tries, future, waits);
        RwLockReadGuard { held, real }
    }

    /// Waits for the lock, to read and maybe to write later, and blocks the thread meanwhile.
    #[track_caller]
    #[inline]
    pub fn upgradable_read_blocking(&self) -> RwLockUpgradableReadGuard<'_, T> {
        let location = Location::caller();
        let (tries, waits) = (|| self.real.try_upgradable_read(), || self.real.upgradable_read_blocking());
        let future = || self.real.upgradable_read();
        let (held, real) = blocking(&self.head, Mode::Upgrade, location, tries, future, waits);
        RwLockUpgradableReadGuard { held, real, head: &self.head }
    }

    /// Waits for the lock, to write, and blocks the thread meanwhile.
    #[track_caller]
    #[inline]
    pub fn write_blocking(&self) -> RwLockWriteGuard<'_, T> {
        let location = Location::caller();
        let (tries, waits) = (|| self.real.try_write(), || self.real.write_blocking());
        let future = || self.real.write();
        let (held, real) = blocking(&self.head, Mode::Write, location, tries, future, waits);
        RwLockWriteGuard { held, real, head: &self.head }
    }

    /// As [`RwLock::upgradable_read_blocking`], with a guard that keeps the lock alive.
    #[cfg(rv_async_lock_3_2)]
    #[track_caller]
    #[inline]
    pub fn upgradable_read_arc_blocking(self: &Arc<Self>) -> RwLockUpgradableReadGuardArc<T> {
        self.upgradable_read_blocking().owned(self)
    }

    /// As [`RwLock::write_blocking`], with a guard that keeps the lock alive.
    #[cfg(rv_async_lock_3_2)]
    #[track_caller]
    #[inline]
    pub fn write_arc_blocking(self: &Arc<Self>) -> RwLockWriteGuardArc<T> {
        self.write_blocking().owned(self)
    }
}

#[cfg(rv_async_lock_3_2)]
impl<T> RwLock<T> {
    /// As [`RwLock::read_blocking`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn read_arc_blocking(self: &Arc<Self>) -> RwLockReadGuardArc<T> {
        self.read_blocking().owned(self)
    }
}
