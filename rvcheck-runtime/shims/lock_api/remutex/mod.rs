//! `ReentrantMutex`.

#[cfg(feature = "arc_lock")]
mod arc;
#[cfg(not(rv_lock_api_0_5))]
mod crossing;
mod guard;
mod nested;

use std::cell::UnsafeCell;
use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{GetThreadId, RawMutex, RawMutexFair, RawMutexTimed};
use rt::{Head, ObjectKind};

use crate::acquire;
use crate::guards::{holds, takes};
use crate::hold::{Hold, Lock};
use crate::way::RawReentrant;
use nested::{Again, Nested};

#[cfg(feature = "arc_lock")]
pub use arc::ArcReentrantMutexGuard;
pub use guard::{MappedReentrantMutexGuard, ReentrantMutexGuard};

/// A lock that its owner can take again, made of a raw one, that records when it gets an owner and when it has none any more.
pub struct ReentrantMutex<R: RawReentrant, G, T: ?Sized> {
    head: Head,
    raw: Nested<R, G>,
    data: UnsafeCell<T>,
}

rt::identified!([R: RawReentrant, G, T: ?Sized] ReentrantMutex<R, G, T>, it => it.head.value());

// SAFETY: as for the real one: only the thread that has the lock has references to the data.
unsafe impl<R: RawMutex + Sync, G: GetThreadId + Sync, T: ?Sized + Send> Sync for ReentrantMutex<R, G, T> {}

impl<R: RawMutex, G: GetThreadId, T> ReentrantMutex<R, G, T> {
    /// A free lock around the value.
    #[inline]
    #[track_caller]
    pub const fn new(val: T) -> ReentrantMutex<R, G, T> {
        ReentrantMutex::const_new(R::INIT, G::INIT, val)
    }
}

rt::forwards! {
    [R: RawMutex, G: GetThreadId, T] ReentrantMutex<R, G, T> => data {
        pub fn into_inner(self) -> T;
    }
}

impl<R: RawReentrant, G, T> ReentrantMutex<R, G, T> {
    /// The raw lock with a value.
    #[inline]
    #[track_caller]
    pub const fn from_raw(raw_mutex: R, get_thread_id: G, val: T) -> ReentrantMutex<R, G, T> {
        ReentrantMutex::const_new(raw_mutex, get_thread_id, val)
    }

    /// The same under its older name.
    #[inline]
    #[track_caller]
    pub const fn const_new(raw_mutex: R, get_thread_id: G, val: T) -> ReentrantMutex<R, G, T> {
        ReentrantMutex {
            head: Head::new(ObjectKind::LockApiReentrant, Location::caller()),
            raw: Nested::new(raw_mutex, get_thread_id),
            data: UnsafeCell::new(val),
        }
    }

    /// The value, the raw lock, and what tells threads apart.
    #[cfg(rv_lock_api_0_5)]
    #[inline]
    pub fn into_inner_with_raw(self) -> (R, G, T) {
        let (raw, get_thread_id) = self.raw.into_inner();
        (raw, get_thread_id, self.data.into_inner())
    }
}

impl<R: RawMutex, G: GetThreadId, T: ?Sized> ReentrantMutex<R, G, T> {
    /// A guard out of thin air.
    ///
    /// # Safety
    ///
    /// The lock must be held by this thread, and no other guard may give it back.
    #[inline]
    pub unsafe fn make_guard_unchecked(&self) -> ReentrantMutexGuard<'_, R, G, T> {
        // SAFETY: as the caller says.
        ReentrantMutexGuard::from(unsafe { Hold::assumed(self, ()) })
    }

    /// The same, which keeps the lock alive.
    ///
    /// # Safety
    ///
    /// The lock must be held by this thread, and no other guard may give it back.
    #[cfg(feature = "arc_lock")]
    #[inline]
    pub unsafe fn make_arc_guard_unchecked(self: &Arc<Self>) -> ArcReentrantMutexGuard<R, G, T> {
        // SAFETY: as the caller says.
        ArcReentrantMutexGuard::from(unsafe { Hold::assumed(self.clone(), ()) })
    }

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
        self.raw.real().is_locked()
    }

    /// Whether this thread has the lock.
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_3))]
    #[inline]
    #[track_caller]
    pub fn is_owned_by_current_thread(&self) -> bool {
        self.raw.real().is_owned_by_current_thread()
    }

    /// Gives back a lock whose guard was forgotten.
    ///
    /// # Safety
    ///
    /// The lock must be held by this thread, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock(&self) {
        // SAFETY: as the caller says.
        drop(unsafe { Hold::<_, Again<R, G>>::assumed(self, ()) });
    }

    /// The raw lock. What is done to it is not recorded.
    ///
    /// # Safety
    ///
    /// It may not be unlocked while there is a guard.
    #[inline]
    pub unsafe fn raw(&self) -> &R {
        // SAFETY: as the caller says.
        unsafe { self.raw.real().raw() }
    }

    /// Where the data are.
    #[inline]
    pub const fn data_ptr(&self) -> *mut T {
        self.data.get()
    }
}

impl<R: RawMutexFair, G: GetThreadId, T: ?Sized> ReentrantMutex<R, G, T> {
    /// Gives back a lock whose guard was forgotten, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held by this thread, and no guard may give it back.
    #[inline]
    #[track_caller]
    pub unsafe fn force_unlock_fair(&self) {
        // SAFETY: as the caller says.
        unsafe { Hold::<_, Again<R, G>>::assumed(self, ()) }.unlock_fair();
    }
}

takes! {
    [R: RawMutex, G: GetThreadId, T: ?Sized] ReentrantMutex<R, G, T>, Again<R, G>;
    ReentrantMutexGuard<R, G, T>: lock try_lock;
    ArcReentrantMutexGuard: lock_arc try_lock_arc
}

takes! {
    timed [R: RawMutexTimed, G: GetThreadId, T: ?Sized] ReentrantMutex<R, G, T>, Again<R, G>;
    ReentrantMutexGuard<R, G, T>: try_lock_for try_lock_until;
    ArcReentrantMutexGuard: try_lock_arc_for try_lock_arc_until
}

holds!([R: RawMutex, G: GetThreadId] ReentrantMutex<R, G, T>, Again<R, G>, "ReentrantMutex");

impl<R: RawMutex, G: GetThreadId, T: ?Sized> Lock for ReentrantMutex<R, G, T> {
    type Raw = Nested<R, G>;

    #[inline]
    fn parts(&self) -> (&Head, &Nested<R, G>) {
        (&self.head, &self.raw)
    }
}
