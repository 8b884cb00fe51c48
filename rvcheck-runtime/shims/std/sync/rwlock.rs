//! `RwLock` and its guards.

use real::fmt;
use real::panic::Location;
use real::sync as std;

use recorder::lock::{self, Held};
use recorder::{Head, Loc, Mode, ObjectKind, What};

use super::{attempted, try_wrapped, wrapped, LockResult, TryLockError, TryLockResult};

/// A reader-writer lock that records its requests, acquisitions and releases.
pub struct RwLock<T: ?Sized> {
    head: Head,
    real: std::RwLock<T>,
}

recorder::identified!([T: ?Sized] RwLock<T>, it => it.head.value());

impl<T> RwLock<T> {
    /// A free lock around the value.
    #[track_caller]
    #[inline]
    pub const fn new(value: T) -> RwLock<T> {
        RwLock { head: Head::new(ObjectKind::StdRwLock, Location::caller()), real: std::RwLock::new(value) }
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits for the lock, to hold it together with other readers.
    #[track_caller]
    #[inline]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        recorder::delay(&self.head, location);
        if recorder::control::has_waiting_writer(&self.head) {
            return self.wait_read(location);
        }
        match self.real.try_read() {
            Ok(real) => Ok(self.reader(real, false, location)),
            Err(TryLockError::Poisoned(poisoned)) => {
                wrapped(Err(poisoned), |real| self.reader(real, false, location))
            }
            Err(TryLockError::WouldBlock) => self.wait_read(location),
        }
    }

    #[cold]
    fn wait_read(&self, location: Loc) -> LockResult<RwLockReadGuard<'_, T>> {
        let request = lock::request(&self.head, Mode::Read, location);
        let blocking = recorder::block(What::Lock, location);
        let attempt = || {
            let is_behind = recorder::control::has_waiting_writer(&self.head);
            if is_behind { None } else { attempted(self.real.try_read()) }
        };
        let result = recorder::control::waiting(&self.head, location, attempt, || self.real.read());
        drop(blocking);
        wrapped(result, |real| RwLockReadGuard { held: request.acquired(), real })
    }

    /// Takes the lock for reading if no writer has it.
    #[track_caller]
    #[inline]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        recorder::control::tries(&self.head, location);
        let result = self.real.try_read();
        recorder::control::tried(&self.head, !matches!(result, Err(TryLockError::WouldBlock)));
        try_wrapped(result, |real| self.reader(real, true, location))
    }

    #[inline]
    fn reader<'a>(
        &'a self,
        real: std::RwLockReadGuard<'a, T>,
        is_try: bool,
        location: Loc,
    ) -> RwLockReadGuard<'a, T> {
        RwLockReadGuard { held: lock::acquired(&self.head, Mode::Read, is_try, location), real }
    }

    /// Waits for the lock, to hold it alone.
    #[track_caller]
    #[inline]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        recorder::delay(&self.head, location);
        match self.real.try_write() {
            Ok(real) => Ok(self.writer(real, false, location)),
            Err(TryLockError::Poisoned(poisoned)) => {
                wrapped(Err(poisoned), |real| self.writer(real, false, location))
            }
            Err(TryLockError::WouldBlock) => self.wait_write(location),
        }
    }

    #[cold]
    fn wait_write(&self, location: Loc) -> LockResult<RwLockWriteGuard<'_, T>> {
        let request = lock::request(&self.head, Mode::Write, location);
        let blocking = recorder::block(What::Lock, location);
        let attempt = || attempted(self.real.try_write());
        let result = recorder::control::waiting_to_write(&self.head, location, attempt, || self.real.write());
        drop(blocking);
        wrapped(result, |real| RwLockWriteGuard { held: request.acquired(), real })
    }

    /// Takes the lock for writing if it is free.
    #[track_caller]
    #[inline]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        recorder::control::tries(&self.head, location);
        let result = self.real.try_write();
        recorder::control::tried(&self.head, !matches!(result, Err(TryLockError::WouldBlock)));
        try_wrapped(result, |real| self.writer(real, true, location))
    }

    #[inline]
    fn writer<'a>(
        &'a self,
        real: std::RwLockWriteGuard<'a, T>,
        is_try: bool,
        location: Loc,
    ) -> RwLockWriteGuard<'a, T> {
        RwLockWriteGuard { held: lock::acquired(&self.head, Mode::Write, is_try, location), real }
    }
}

recorder::forwards! {
    [T] RwLock<T> {
        pub fn into_inner(self) -> LockResult<T>;
    }
    [T: ?Sized] RwLock<T> {
        pub fn is_poisoned(&self) -> bool;
        pub fn clear_poison(&self);
        pub fn get_mut(&mut self) -> LockResult<&mut T>;
    }
    [T] RwLock<T>: From<T> = RwLock::new;
    [T: Default] RwLock<T>: Default = RwLock::new(T::default());
    [T: ?Sized + fmt::Debug] RwLock<T>: Debug;
}

/// The lock is held by this reader and maybe others.
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockReadGuard<'rwlock, T: ?Sized + 'rwlock> {
    // Fields are dropped in this order: the release is recorded while the lock is still held.
    #[expect(dead_code, reason = "its destructor is what matters")]
    held: Held,
    real: std::RwLockReadGuard<'rwlock, T>,
}

/// The lock is held by this writer.
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockWriteGuard<'rwlock, T: ?Sized + 'rwlock> {
    // As above.
    held: Held,
    real: std::RwLockWriteGuard<'rwlock, T>,
}

impl<'rwlock, T: ?Sized> RwLockWriteGuard<'rwlock, T> {
    /// Lets other readers in, without letting a writer come first.
    #[cfg(rv_std_1_92)]
    #[inline]
    pub fn downgrade(s: RwLockWriteGuard<'rwlock, T>) -> RwLockReadGuard<'rwlock, T> {
        let RwLockWriteGuard { mut held, real } = s;
        // While the lock is still held exclusively, so that the two records stay together.
        held.downgraded(Mode::Read);
        RwLockReadGuard { held, real: std::RwLockWriteGuard::downgrade(real) }
    }
}

recorder::forwards! {
    [T: ?Sized] RwLockReadGuard<'_, T>: Guard<T>;
    [T: ?Sized] RwLockWriteGuard<'_, T>: Guard<mut T>;
}
