//! `Mutex`.

#[cfg(feature = "arc_lock")]
mod arc;
#[cfg(not(rv_lock_api_0_5))]
mod crossing;
mod guard;
mod lend;

use std::cell::UnsafeCell;
use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{RawMutex, RawMutexFair, RawMutexTimed};
use rt::{Head, ObjectKind};

use crate::acquire;
use crate::guards::{holds, takes};
use crate::hold::{Hold, Lock};
use crate::way::{self, assumes, Whole};

#[cfg(feature = "arc_lock")]
pub use arc::ArcMutexGuard;
pub use guard::{MappedMutexGuard, MutexGuard};
#[cfg(rv_lock_api_0_5)]
pub(crate) use lend::{lend, wait_in_turn};
#[cfg(not(rv_lock_api_0_5))]
pub use lend::{lend_real, wait_for_signal};

/// A lock made of a raw one, that records its requests, acquisitions and releases.
pub struct Mutex<R, T: ?Sized> {
    head: Head,
    /// The raw lock. What it is in is there for condition variables, which know nothing but the real guards.
    real: real::Mutex<R, ()>,
    data: UnsafeCell<T>,
}

rt::identified!([R, T: ?Sized] Mutex<R, T>, it => it.head.value());

// SAFETY: as for the real one: who has the lock has the only reference to the data.
unsafe impl<R: RawMutex + Sync, T: ?Sized + Send> Sync for Mutex<R, T> {}

impl<R: RawMutex, T> Mutex<R, T> {
    /// A free lock around the value.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> Mutex<R, T> {
        Mutex::made(way::mutex_kind::<R>(), R::INIT, val, Location::caller())
    }
}

rt::forwards! {
    [R: RawMutex, T] Mutex<R, T> => data {
        pub fn into_inner(self) -> T;
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
        // Nothing is known of the raw lock here, not even who may give it back.
        Mutex::made(ObjectKind::LockApiSendMutex, raw_mutex, val, Location::caller())
    }

    /// The value and the raw lock.
    #[cfg(rv_lock_api_0_5)]
    #[inline]
    pub fn into_inner_with_raw(self) -> (R, T) {
        (self.real.into_inner_with_raw().0, self.data.into_inner())
    }

    const fn made(kind: ObjectKind, raw: R, val: T, born: &'static Location<'static>) -> Mutex<R, T> {
        Mutex { head: Head::new(kind, born), real: way::mutex(raw), data: UnsafeCell::new(val) }
    }
}

impl<R: RawMutex, T: ?Sized> Mutex<R, T> {
    /// The value, for whoever borrows the lock exclusively.
    #[inline]
    pub const fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// Whether somebody has the lock.
    #[cfg(rv_lock_api_0_4)]
    #[inline]
    #[track_caller]
    pub fn is_locked(&self) -> bool {
        self.parts().1.is_locked()
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
    pub const fn data_ptr(&self) -> *mut T {
        self.data.get()
    }
}

assumes! {
    [R: RawMutex, T: ?Sized] Mutex<R, T>, Whole<R>, R::Guard;
    MutexGuard<R, T>: make_guard_unchecked
}

assumes! {
    unlock [R: RawMutex, T: ?Sized] [R: RawMutexFair, T: ?Sized] Mutex<R, T>, Whole<R>, R::Guard;
    force_unlock force_unlock_fair
}

takes! {
    [R: RawMutex, T: ?Sized] Mutex<R, T>, Whole<R>;
    MutexGuard<R, T>: lock try_lock;
    ArcMutexGuard: lock_arc try_lock_arc
}

takes! {
    timed [R: RawMutexTimed, T: ?Sized] Mutex<R, T>, Whole<R>;
    MutexGuard<R, T>: try_lock_for try_lock_until;
    ArcMutexGuard: try_lock_arc_for try_lock_arc_until
}

holds!([R: RawMutex] Mutex<R, T>, Whole<R>, "Mutex");

impl<R: RawMutex, T: ?Sized> Lock for Mutex<R, T> {
    type Raw = R;

    #[inline]
    fn parts(&self) -> (&Head, &R) {
        // SAFETY: whoever unlocks the raw lock has to have it.
        (&self.head, unsafe { self.real.raw() })
    }
}
