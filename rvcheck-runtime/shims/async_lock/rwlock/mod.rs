//! `RwLock`.

#[cfg(all(rv_async_lock_3, feature = "std"))]
mod blocking;
mod locking;
mod read;
mod read_arc;
mod upgradable;
mod upgradable_arc;
mod upgrade;
mod write;
mod write_arc;

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use rt::control::trying;
use rt::{lock, EndingHead, Mode, ObjectKind};

pub use locking::{Read, ReadArc, UpgradableRead, UpgradableReadArc, Write, WriteArc};
pub use read::RwLockReadGuard;
pub use read_arc::RwLockReadGuardArc;
pub use upgradable::RwLockUpgradableReadGuard;
pub use upgradable_arc::RwLockUpgradableReadGuardArc;
pub use upgrade::{Upgrade, UpgradeArc};
pub use write::RwLockWriteGuard;
pub use write_arc::RwLockWriteGuardArc;

/// An asynchronous reader-writer lock that records its requests, acquisitions and releases.
pub struct RwLock<T: ?Sized> {
    head: EndingHead,
    real: real::RwLock<T>,
}

rt::identified!([T: ?Sized] RwLock<T>, it => it.head.value());

impl<T> RwLock<T> {
    /// A free lock around the value.
    #[must_use]
    #[track_caller]
    #[inline]
    pub const fn new(t: T) -> RwLock<T> {
        RwLock {
            head: EndingHead::new(ObjectKind::AsyncLockRwLock, Location::caller()),
            real: real::RwLock::new(t),
        }
    }

    /// As [`RwLock::try_read`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn try_read_arc(self: &Arc<Self>) -> Option<RwLockReadGuardArc<T>> {
        Some(self.try_read()?.owned(self))
    }

    /// Waits for the lock, to read, with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn read_arc<'a>(self: &'a Arc<Self>) -> ReadArc<'a, T> {
        ReadArc::new(self, self.real.read(), Location::caller())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Takes the lock, to read, if that needs no waiting.
    #[track_caller]
    #[inline]
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_read(), Option::is_some)?;
        Some(RwLockReadGuard { held: lock::acquired(&self.head, Mode::Read, true, location), real })
    }

    /// Waits for the lock, to read.
    #[track_caller]
    #[inline]
    pub fn read(&self) -> Read<'_, T> {
        Read::new(self, self.real.read(), Location::caller())
    }

    /// Takes the lock, to read and maybe to write later, if that needs no waiting.
    #[track_caller]
    #[inline]
    pub fn try_upgradable_read(&self) -> Option<RwLockUpgradableReadGuard<'_, T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_upgradable_read(), Option::is_some)?;
        let held = lock::acquired(&self.head, Mode::Upgrade, true, location);
        Some(RwLockUpgradableReadGuard { held, real, head: &self.head })
    }

    /// Waits for the lock, to read and maybe to write later.
    #[track_caller]
    #[inline]
    pub fn upgradable_read(&self) -> UpgradableRead<'_, T> {
        UpgradableRead::new(self, self.real.upgradable_read(), Location::caller())
    }

    /// As [`RwLock::try_upgradable_read`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn try_upgradable_read_arc(self: &Arc<Self>) -> Option<RwLockUpgradableReadGuardArc<T>> {
        Some(self.try_upgradable_read()?.owned(self))
    }

    /// As [`RwLock::upgradable_read`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn upgradable_read_arc<'a>(self: &'a Arc<Self>) -> UpgradableReadArc<'a, T> {
        UpgradableReadArc::new(self, self.real.upgradable_read(), Location::caller())
    }

    /// Takes the lock, to write, if it is free.
    #[track_caller]
    #[inline]
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        let real = trying(&self.head, location, || self.real.try_write(), Option::is_some)?;
        let held = lock::acquired(&self.head, Mode::Write, true, location);
        Some(RwLockWriteGuard { held, real, head: &self.head })
    }

    /// Waits for the lock, to write.
    #[track_caller]
    #[inline]
    pub fn write(&self) -> Write<'_, T> {
        Write::new(self, self.real.write(), Location::caller())
    }

    /// As [`RwLock::try_write`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn try_write_arc(self: &Arc<Self>) -> Option<RwLockWriteGuardArc<T>> {
        Some(self.try_write()?.owned(self))
    }

    /// As [`RwLock::write`], with a guard that keeps the lock alive.
    #[track_caller]
    #[inline]
    pub fn write_arc<'a>(self: &'a Arc<Self>) -> WriteArc<'a, T> {
        WriteArc::new(self, self.real.write(), Location::caller())
    }
}

rt::forwards! {
    [T] RwLock<T> {
        #[must_use] pub fn into_inner(self) -> T;
    }
    [T: ?Sized] RwLock<T> {
        #[must_use] pub fn get_mut(&mut self) -> &mut T;
    }
    [T] RwLock<T>: From<T> = RwLock::new;
    [T: Default] RwLock<T>: Default = RwLock::new(T::default());
    [T: ?Sized + fmt::Debug] RwLock<T>: Debug;
}
