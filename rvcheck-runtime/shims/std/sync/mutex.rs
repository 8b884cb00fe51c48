//! `Mutex` and its guard.

use real::fmt;
use real::ops::{Deref, DerefMut};
use real::panic::Location;
use real::sync as std;

use recorder::lock::{self, Held};
use recorder::{Head, Loc, Mode, ObjectKind, What};

use super::{try_wrapped, wrapped, LockResult, TryLockError, TryLockResult};

/// A mutual exclusion lock that records its requests, acquisitions and releases.
pub struct Mutex<T: ?Sized> {
    head: Head,
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

    /// The value, for whoever owns the lock.
    #[inline]
    pub fn into_inner(self) -> LockResult<T> {
        self.real.into_inner()
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
        wrapped(result, |real| MutexGuard { held, real, head: &self.head })
    }

    #[cold]
    #[inline(never)]
    fn wait(&self, location: Loc) -> (LockResult<std::MutexGuard<'_, T>>, Held) {
        let request = lock::request(&self.head, Mode::Write, location);
        let blocking = recorder::block(What::Lock, location);
        let result = self.real.lock();
        drop(blocking);
        (result, request.acquired())
    }

    /// Takes the lock if it is free.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        try_wrapped(self.real.try_lock(), |real| self.guard(real, true, location))
    }

    #[inline]
    fn guard<'a>(&'a self, real: std::MutexGuard<'a, T>, is_try: bool, location: Loc) -> MutexGuard<'a, T> {
        MutexGuard { held: lock::acquired(&self.head, Mode::Write, is_try, location), real, head: &self.head }
    }

    /// Whether a thread panicked while it held the lock.
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.real.is_poisoned()
    }

    /// Forgets such a panic.
    #[inline]
    pub fn clear_poison(&self) {
        self.real.clear_poison();
    }

    /// The value, for whoever has the lock to itself.
    #[inline]
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.real.get_mut()
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    #[inline]
    fn from(value: T) -> Mutex<T> {
        Mutex::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    #[inline]
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

/// The lock is held.
#[must_use = "if unused the Mutex will immediately unlock"]
#[clippy::has_significant_drop]
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    // Fields are dropped in this order: the release is recorded while the lock is still held.
    pub(super) held: Held,
    pub(super) real: std::MutexGuard<'a, T>,
    pub(super) head: &'a Head,
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.real
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.real
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
