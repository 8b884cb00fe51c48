//! `RwLock`.

#[cfg(feature = "arc_lock")]
mod arc;
mod read;
mod upgradable;
mod upgrade;
mod write;

use std::cell::UnsafeCell;
use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{
    RawRwLock, RawRwLockFair, RawRwLockRecursive, RawRwLockRecursiveTimed, RawRwLockTimed, RawRwLockUpgrade,
    RawRwLockUpgradeTimed,
};
use rt::{Head, ObjectKind};

use crate::acquire;
use crate::guards::{are_sent, holds, takes};
use crate::hold::{Hold, Lock};
use crate::way::{Reading, ReadingAgain, Upgradable, Writing};

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
unsafe impl<R: RawRwLock + Send, T: ?Sized + Send> Send for RwLock<R, T> {}
// SAFETY: as above.
unsafe impl<R: RawRwLock + Sync, T: ?Sized + Send + Sync> Sync for RwLock<R, T> {}

impl<R: RawRwLock, T> RwLock<R, T> {
    /// A free lock around the value.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> RwLock<R, T> {
        let kind =
            if are_sent::<R::GuardMarker>() { ObjectKind::LockApiSendRwLock } else { ObjectKind::LockApiRwLock };
        RwLock::made(kind, R::INIT, val, Location::caller())
    }

    /// The value, for whoever owns the lock.
    #[inline]
    pub fn into_inner(self) -> T {
        self.data.into_inner()
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
        // Nothing is known of the raw lock here, not even its marker.
        RwLock::made(ObjectKind::LockApiSendRwLock, raw_rwlock, val, Location::caller())
    }

    const fn made(kind: ObjectKind, raw: R, val: T, born: &'static Location<'static>) -> RwLock<R, T> {
        RwLock { head: Head::new(kind, born), raw, data: UnsafeCell::new(val) }
    }
}

impl<R: RawRwLock, T: ?Sized> RwLock<R, T> {
    /// A reader's guard out of thin air.
    ///
    /// # Safety
    ///
    /// The lock must be held to read, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_read_guard_unchecked(&self) -> RwLockReadGuard<'_, R, T> {
        // SAFETY: as the caller says.
        RwLockReadGuard::from(unsafe { Hold::assumed(self) })
    }

    /// A writer's guard out of thin air.
    ///
    /// # Safety
    ///
    /// The lock must be held to write, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_write_guard_unchecked(&self) -> RwLockWriteGuard<'_, R, T> {
        // SAFETY: as the caller says.
        RwLockWriteGuard::from(unsafe { Hold::assumed(self) })
    }

    /// The value, for whoever borrows the lock exclusively.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// Whether somebody has the lock.
    #[cfg(rv_lock_api_0_4)]
    #[inline]
    #[track_caller]
    pub fn is_locked(&self) -> bool {
        self.raw.is_locked()
    }

    /// Whether a writer has the lock.
    #[cfg(rv_lock_api_0_4_6)]
    #[inline]
    #[track_caller]
    pub fn is_locked_exclusive(&self) -> bool {
        self.raw.is_locked_exclusive()
    }

    /// Gives back a reader's lock whose guard was forgotten.
    ///
    /// # Safety
    ///
    /// The lock must be held to read, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_read(&self) {
        // SAFETY: as the caller says.
        drop(unsafe { Hold::<_, Reading>::assumed(self) });
    }

    /// Gives back a writer's lock whose guard was forgotten.
    ///
    /// # Safety
    ///
    /// The lock must be held to write, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_write(&self) {
        // SAFETY: as the caller says.
        drop(unsafe { Hold::<_, Writing>::assumed(self) });
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
    pub fn data_ptr(&self) -> *mut T {
        self.data.get()
    }
}

#[cfg(feature = "arc_lock")]
impl<R: RawRwLock, T: ?Sized> RwLock<R, T> {
    /// A reader's guard out of thin air, which keeps the lock alive.
    ///
    /// # Safety
    ///
    /// The lock must be held to read, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_arc_read_guard_unchecked(self: &Arc<Self>) -> ArcRwLockReadGuard<R, T> {
        // SAFETY: as the caller says.
        ArcRwLockReadGuard::from(unsafe { Hold::assumed(self.clone()) })
    }

    /// A writer's guard out of thin air, which keeps the lock alive.
    ///
    /// # Safety
    ///
    /// The lock must be held to write, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_arc_write_guard_unchecked(self: &Arc<Self>) -> ArcRwLockWriteGuard<R, T> {
        // SAFETY: as the caller says.
        ArcRwLockWriteGuard::from(unsafe { Hold::assumed(self.clone()) })
    }
}

impl<R: RawRwLockFair, T: ?Sized> RwLock<R, T> {
    /// Gives back a reader's lock whose guard was forgotten, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held to read, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_read_fair(&self) {
        // SAFETY: as the caller says.
        unsafe { Hold::<_, Reading>::assumed(self) }.unlock_fair();
    }

    /// Gives back a writer's lock whose guard was forgotten, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held to write, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_write_fair(&self) {
        // SAFETY: as the caller says.
        unsafe { Hold::<_, Writing>::assumed(self) }.unlock_fair();
    }
}

impl<R: RawRwLockUpgrade, T: ?Sized> RwLock<R, T> {
    /// An upgradable reader's guard out of thin air.
    ///
    /// # Safety
    ///
    /// The lock must be held so, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_upgradable_guard_unchecked(&self) -> RwLockUpgradableReadGuard<'_, R, T> {
        // SAFETY: as the caller says.
        RwLockUpgradableReadGuard::from(unsafe { Hold::assumed(self) })
    }

    /// The same, which keeps the lock alive.
    ///
    /// # Safety
    ///
    /// The lock must be held so, and no other guard may give it back.
    #[cfg(feature = "arc_lock")]
    #[inline]
    pub unsafe fn make_upgradable_arc_guard_unchecked(
        self: &Arc<Self>,
    ) -> ArcRwLockUpgradableReadGuard<R, T> {
        // SAFETY: as the caller says.
        ArcRwLockUpgradableReadGuard::from(unsafe { Hold::assumed(self.clone()) })
    }
}

takes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Reading;
    RwLockReadGuard<R, T>: read try_read;
    ArcRwLockReadGuard: read_arc try_read_arc
}

takes! {
    timed [R: RawRwLockTimed, T: ?Sized] RwLock<R, T>, Reading;
    RwLockReadGuard<R, T>: try_read_for try_read_until;
    ArcRwLockReadGuard: try_read_arc_for try_read_arc_until
}

takes! {
    [R: RawRwLockRecursive, T: ?Sized] RwLock<R, T>, ReadingAgain;
    RwLockReadGuard<R, T>: read_recursive try_read_recursive;
    ArcRwLockReadGuard: read_arc_recursive try_read_recursive_arc
}

takes! {
    timed [R: RawRwLockRecursiveTimed, T: ?Sized] RwLock<R, T>, ReadingAgain;
    RwLockReadGuard<R, T>: try_read_recursive_for try_read_recursive_until;
    ArcRwLockReadGuard: try_read_arc_recursive_for try_read_arc_recursive_until
}

takes! {
    [R: RawRwLock, T: ?Sized] RwLock<R, T>, Writing;
    RwLockWriteGuard<R, T>: write try_write;
    ArcRwLockWriteGuard: write_arc try_write_arc
}

takes! {
    timed [R: RawRwLockTimed, T: ?Sized] RwLock<R, T>, Writing;
    RwLockWriteGuard<R, T>: try_write_for try_write_until;
    ArcRwLockWriteGuard: try_write_arc_for try_write_arc_until
}

takes! {
    [R: RawRwLockUpgrade, T: ?Sized] RwLock<R, T>, Upgradable;
    RwLockUpgradableReadGuard<R, T>: upgradable_read try_upgradable_read;
    ArcRwLockUpgradableReadGuard: upgradable_read_arc try_upgradable_read_arc
}

takes! {
    timed [R: RawRwLockUpgradeTimed, T: ?Sized] RwLock<R, T>, Upgradable;
    RwLockUpgradableReadGuard<R, T>: try_upgradable_read_for try_upgradable_read_until;
    ArcRwLockUpgradableReadGuard: try_upgradable_read_arc_for try_upgradable_read_arc_until
}

holds!([R: RawRwLock] RwLock<R, T>, Reading, "RwLock");

impl<R: RawRwLock, T: ?Sized> Lock for RwLock<R, T> {
    type Raw = R;

    #[inline]
    fn parts(&self) -> (&Head, &R) {
        (&self.head, &self.raw)
    }
}
