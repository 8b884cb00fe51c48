//! `Mutex`.

#[cfg(feature = "arc_lock")]
mod arc;
mod guard;
mod lend;

use std::cell::UnsafeCell;
use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{RawMutex, RawMutexFair, RawMutexTimed};
use rt::{Head, ObjectKind};

use crate::acquire;
use crate::guards::{are_sent, holds, takes};
use crate::hold::{Hold, Lock};
use crate::way::Whole;

#[cfg(feature = "arc_lock")]
pub use arc::ArcMutexGuard;
pub use guard::{MappedMutexGuard, MutexGuard};
pub use lend::lend;

/// A lock made of a raw one, that records its requests, acquisitions and releases.
pub struct Mutex<R, T: ?Sized> {
    head: Head,
    /// The raw lock. What it is in is there for condition variables, which know nothing but the real guards.
    real: real::Mutex<R, ()>,
    data: UnsafeCell<T>,
}

rt::identified!([R, T: ?Sized] Mutex<R, T>, it => it.head.value());

// SAFETY: as for the real one: who has the lock has the only reference to the data.
unsafe impl<R: RawMutex + Send, T: ?Sized + Send> Send for Mutex<R, T> {}
// SAFETY: as above.
unsafe impl<R: RawMutex + Sync, T: ?Sized + Send> Sync for Mutex<R, T> {}

impl<R: RawMutex, T> Mutex<R, T> {
    /// A free lock around the value.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> Mutex<R, T> {
        let kind =
            if are_sent::<R::GuardMarker>() { ObjectKind::LockApiSendMutex } else { ObjectKind::LockApiMutex };
        Mutex::made(kind, R::INIT, val, Location::caller())
    }

    /// The value, for whoever owns the lock.
    #[inline]
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<R, T> Mutex<R, T> {
    /// The raw lock with a value.
    #[inline]
    #[track_caller]
    pub const fn from_raw(raw_mutex: R, val: T) -> Mutex<R, T> {
        Mutex::const_new(raw_mutex, val)
    }

    /// The same under its older name.
    #[inline]
    #[track_caller]
    pub const fn const_new(raw_mutex: R, val: T) -> Mutex<R, T> {
        // Nothing is known of the raw lock here, not even its marker.
        Mutex::made(ObjectKind::LockApiSendMutex, raw_mutex, val, Location::caller())
    }

    const fn made(kind: ObjectKind, raw: R, val: T, born: &'static Location<'static>) -> Mutex<R, T> {
        Mutex {
            head: Head::new(kind, born),
            real: real::Mutex::const_new(raw, ()),
            data: UnsafeCell::new(val),
        }
    }
}

impl<R: RawMutex, T: ?Sized> Mutex<R, T> {
    /// A guard out of thin air.
    ///
    /// # Safety
    ///
    /// The lock must be held, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_guard_unchecked(&self) -> MutexGuard<'_, R, T> {
        // SAFETY: as the caller says.
        MutexGuard::from(unsafe { Hold::assumed(self) })
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
        self.parts().1.is_locked()
    }

    /// Gives back a lock whose guard was forgotten.
    ///
    /// # Safety
    ///
    /// The lock must be held, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock(&self) {
        // SAFETY: as the caller says.
        drop(unsafe { Hold::<_, Whole>::assumed(self) });
    }

    /// The raw lock. What is done to it is not recorded.
    ///
    /// # Safety
    ///
    /// It may not be unlocked while there is a guard.
    #[inline]
    pub unsafe fn raw(&self) -> &R {
        self.parts().1
    }

    /// Where the data are.
    #[inline]
    pub fn data_ptr(&self) -> *mut T {
        self.data.get()
    }
}

impl<R: RawMutexFair, T: ?Sized> Mutex<R, T> {
    /// Gives back a lock whose guard was forgotten, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_fair(&self) {
        // SAFETY: as the caller says.
        unsafe { Hold::<_, Whole>::assumed(self) }.unlock_fair();
    }
}

takes! {
    [R: RawMutex, T: ?Sized] Mutex<R, T>, Whole;
    MutexGuard<R, T>: lock try_lock;
    ArcMutexGuard: lock_arc try_lock_arc
}

takes! {
    timed [R: RawMutexTimed, T: ?Sized] Mutex<R, T>, Whole;
    MutexGuard<R, T>: try_lock_for try_lock_until;
    ArcMutexGuard: try_lock_arc_for try_lock_arc_until
}

holds!([R: RawMutex] Mutex<R, T>, Whole, "Mutex");

impl<R: RawMutex, T: ?Sized> Lock for Mutex<R, T> {
    type Raw = R;

    #[inline]
    fn parts(&self) -> (&Head, &R) {
        // SAFETY: whoever unlocks the raw lock has to have it.
        (&self.head, unsafe { self.real.raw() })
    }
}
