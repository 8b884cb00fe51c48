//! `Mutex` and its guard.

use real::fmt;
use real::panic::Location;
use real::sync as std;

use recorder::lock::{self, Held};
use recorder::{Head, Loc, Mode, ObjectKind, What};

use super::{attempted, try_wrapped, wrapped, LockResult, TryLockError, TryLockResult};

/// A mutual exclusion lock that records its requests, acquisitions and releases.
pub struct Mutex<T: ?Sized> {
    pub(super) head: Head,
    real: std::Mutex<T>,
}

recorder::identified!([T: ?Sized] Mutex<T>, it => it.head.value());

impl<T> Mutex<T> {
    /// A free lock around the value.
    #[track_caller]
    #[inline]
    pub const fn new(value: T) -> Mutex<T> {
        Mutex { head: Head::new(ObjectKind::StdMutex, Location::caller()), real: std::Mutex::new(value) }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[track_caller]
    #[inline]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        recorder::delay(&self.head, location);
        // The guard is put together here and nowhere else, so that it can stay in registers.
        let (result, held) = match self.real.try_lock() {
            Ok(real) => (Ok(real), lock::acquired(&self.head, Mode::Write, false, location)),
            Err(TryLockError::Poisoned(poisoned)) => {
                (Err(poisoned), lock::acquired(&self.head, Mode::Write, false, location))
            }
            Err(TryLockError::WouldBlock) => self.wait(location),
        };
        wrapped(result, |real| MutexGuard { held, real, mutex: self })
    }

    #[cold]
    #[inline(never)]
    fn wait(&self, location: Loc) -> (LockResult<std::MutexGuard<'_, T>>, Held) {
        let request = lock::request(&self.head, Mode::Write, location);
        let blocking = recorder::block(What::Lock, location);
        let result = self.awaited(location);
        drop(blocking);
        (result, request.acquired())
    }

    /// Takes the lock if it is free.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        recorder::control::tries(&self.head, location);
        let result = self.real.try_lock();
        recorder::control::tried(&self.head, !matches!(result, Err(TryLockError::WouldBlock)));
        try_wrapped(result, |real| self.guard(real, true, location))
    }

    /// Waits for the lock, of which nothing is recorded here.
    pub(super) fn awaited(&self, location: Loc) -> LockResult<std::MutexGuard<'_, T>> {
        let attempt = || attempted(self.real.try_lock());
        recorder::control::waiting(&self.head, location, attempt, || self.real.lock())
    }

    #[inline]
    fn guard<'a>(&'a self, real: std::MutexGuard<'a, T>, is_try: bool, location: Loc) -> MutexGuard<'a, T> {
        MutexGuard { held: lock::acquired(&self.head, Mode::Write, is_try, location), real, mutex: self }
    }
}

recorder::forwards! {
    [T] Mutex<T> {
        pub fn into_inner(self) -> LockResult<T>;
    }
    [T: ?Sized] Mutex<T> {
        pub fn is_poisoned(&self) -> bool;
        pub fn clear_poison(&self);
        pub fn get_mut(&mut self) -> LockResult<&mut T>;
    }
    [T] Mutex<T>: From<T> = Mutex::new;
    [T: Default] Mutex<T>: Default = Mutex::new(T::default());
    [T: ?Sized + fmt::Debug] Mutex<T>: Debug;
}

/// The lock is held.
#[must_use = "if unused the Mutex will immediately unlock"]
#[clippy::has_significant_drop]
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    // Fields are dropped in this order: the release is recorded while the lock is still held.
    pub(super) held: Held,
    pub(super) real: std::MutexGuard<'a, T>,
    pub(super) mutex: &'a Mutex<T>,
}

recorder::forwards! {
    [T: ?Sized] MutexGuard<'_, T>: Guard<mut T>;
}
