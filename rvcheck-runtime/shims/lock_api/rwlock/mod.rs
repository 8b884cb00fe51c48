//! `RwLock`.

#[cfg(feature = "arc_lock")]
mod arc;
#[cfg(not(rv_lock_api_0_5))]
mod crossing;
mod read;
#[cfg(not(rv_lock_api_0_5))]
mod recursive;
mod upgradable;
mod upgrade;
mod write;

use std::cell::UnsafeCell;
use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{RawRwLock, RawRwLockFair, RawRwLockTimed, RawRwLockUpgrade, RawRwLockUpgradeTimed};
use rt::{Head, ObjectKind};

use crate::acquire;
use crate::guards::{holds, takes};
use crate::hold::{Hold, Lock};
use crate::way::{self, assumes, Reading, Upgradable, Writing};

#[cfg(feature = "arc_lock")]
pub use arc::{ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard};
pub use read::{MappedRwLockReadGuard, RwLockReadGuard};
pub use upgradable::RwLockUpgradableReadGuard;
pub use write::{MappedRwLockWriteGuard, RwLockWriteGuard};

/// A reader-writer lock made of a raw one, that records its requests, acquisitions and releases.
pub struct RwLock<R, T: ?Sized> {
    head: Head,
    raw: R,
    data: UnsafeCell<T>,
}

rt::identified!([R, T: ?Sized] RwLock<R, T>, it => it.head.value());

// SAFETY: as for the real one: readers share the data, a writer has them alone.
unsafe impl<R: RawRwLock + Sync, T: ?Sized + Send + Sync> Sync for RwLock<R, T> {}

impl<R: RawRwLock, T> RwLock<R, T> {
    /// A free lock around the value.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> RwLock<R, T> {
        RwLock::made(way::rwlock_kind::<R>(), R::INIT, val, Location::caller())
    }
}

impl<R, T> RwLock<R, T> {
    /// The raw lock with a value.
    #[inline]
    #[track_caller]
    pub const fn from_raw(raw_rwlock: R, val: T) -> RwLock<R, T> {
        RwLock::const_new(raw_rwlock, val)
    }

    /// The same under its older name.
    #[inline]
    #[track_caller]
    pub const fn const_new(raw_rwlock: R, val: T) -> RwLock<R, T> {
        // Nothing is known of the raw lock here, not even who may give it back.
        RwLock::made(ObjectKind::LockApiSendRwLock, raw_rwlock, val, Location::caller())
    }

    /// The value and the raw lock.
    #[cfg(rv_lock_api_0_5)]
    #[inline]
    pub fn into_inner_with_raw(self) -> (R, T) {
        (self.raw, self.data.into_inner())
    }

    const fn made(kind: ObjectKind, raw: R, val: T, born: &'static Location<'static>) -> RwLock<R, T> {
        RwLock { head: Head::new(kind, born), raw, data: UnsafeCell::new(val) }
    }
}

impl<R: RawRwLock, T: ?Sized> RwLock<R, T> {
    /// The value, for whoever borrows the lock exclusively.
    #[inline]
    pub const fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// The raw lock. What is done to it is not recorded.
    ///
    /// # Safety
    ///
    /// It may not be unlocked while there is a guard.
    pub unsafe fn raw(&self) -> &R {
        &self.raw
    }

    /// Where the data are.
    #[inline]
    pub const fn data_ptr(&self) -> *mut T {
        self.data.get()
    }
}

rt::forwards! {
    [R: RawRwLock, T] RwLock<R, T> => data {
        pub fn into_inner(self) -> T;
    }
    [R: RawRwLock, T: ?Sized] RwLock<R, T> => raw {
        #[cfg(rv_lock_api_0_4)] #[track_caller] pub fn is_locked(&self) -> bool;
        #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_6))]
        #[track_caller]
        pub fn is_locked_exclusive(&self) -> bool;
    }
}

assumes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Reading<R>, R::SharedGuard;
    RwLockReadGuard<R, T>: make_read_guard_unchecked
}

assumes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Writing<R>, R::ExclusiveGuard;
    RwLockWriteGuard<R, T>: make_write_guard_unchecked
}

assumes! {
    [R: RawRwLockUpgrade, T: ?Sized] RwLock<R, T>, Upgradable<R>, R::UpgradableGuard;
    RwLockUpgradableReadGuard<R, T>: make_upgradable_guard_unchecked
}

assumes! {
    arc [R: RawRwLock, T: ?Sized] RwLock<R, T>, Reading<R>, R::SharedGuard;
    ArcRwLockReadGuard<R, T>: make_arc_read_guard_unchecked
}

assumes! {
    arc [R: RawRwLock, T: ?Sized] RwLock<R, T>, Writing<R>, R::ExclusiveGuard;
    ArcRwLockWriteGuard<R, T>: make_arc_write_guard_unchecked
}

assumes! {
    arc [R: RawRwLockUpgrade, T: ?Sized] RwLock<R, T>, Upgradable<R>, R::UpgradableGuard;
    ArcRwLockUpgradableReadGuard<R, T>: make_upgradable_arc_guard_unchecked
}

assumes! {
    unlock [R: RawRwLock, T: ?Sized] [R: RawRwLockFair, T: ?Sized] RwLock<R, T>, Reading<R>, R::SharedGuard;
    force_unlock_read force_unlock_read_fair
}

assumes! {
    unlock [R: RawRwLock, T: ?Sized] [R: RawRwLockFair, T: ?Sized] RwLock<R, T>, Writing<R>, R::ExclusiveGuard;
    force_unlock_write force_unlock_write_fair
}

takes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Reading<R>;
    RwLockReadGuard<R, T>: read try_read;
    ArcRwLockReadGuard: read_arc try_read_arc
}

takes! {
    timed [R: RawRwLockTimed, T: ?Sized] RwLock<R, T>, Reading<R>;
    RwLockReadGuard<R, T>: try_read_for try_read_until;
    ArcRwLockReadGuard: try_read_arc_for try_read_arc_until
}

takes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Writing<R>;
    RwLockWriteGuard<R, T>: write try_write;
    ArcRwLockWriteGuard: write_arc try_write_arc
}

takes! {
    timed [R: RawRwLockTimed, T: ?Sized] RwLock<R, T>, Writing<R>;
    RwLockWriteGuard<R, T>: try_write_for try_write_until;
    ArcRwLockWriteGuard: try_write_arc_for try_write_arc_until
}

takes! {
    [R: RawRwLockUpgrade, T: ?Sized] RwLock<R, T>, Upgradable<R>;
    RwLockUpgradableReadGuard<R, T>: upgradable_read try_upgradable_read;
    ArcRwLockUpgradableReadGuard: upgradable_read_arc try_upgradable_read_arc
}

takes! {
    timed [R: RawRwLockUpgradeTimed, T: ?Sized] RwLock<R, T>, Upgradable<R>;
    RwLockUpgradableReadGuard<R, T>: try_upgradable_read_for try_upgradable_read_until;
    ArcRwLockUpgradableReadGuard: try_upgradable_read_arc_for try_upgradable_read_arc_until
}

holds!([R: RawRwLock] RwLock<R, T>, Reading<R>, "RwLock");

impl<R: RawRwLock, T: ?Sized> Lock for RwLock<R, T> {
    type Raw = R;

    #[inline]
    fn parts(&self) -> (&Head, &R) {
        (&self.head, &self.raw)
    }
}
