//! Guards that borrow the lock.

use rt::lock::Held;

use super::Mutex;
use crate::sync::guards::lends;

/// The lock is held. Dropping this gives it back.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::sync::MutexGuard<'a, T>,
    pub(super) lock: &'a Mutex<T>,
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<U, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, U>
    where
        U: ?Sized,
        F: FnOnce(&mut T) -> &mut U,
    {
        // The closure runs while `this` is whole, so that a panic in it releases in the right order.
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::sync::MutexGuard::map(this.real, |_| unsafe { &mut *part });
        MappedMutexGuard { held: this.held, real }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<U, F>(mut this: Self, f: F) -> Result<MappedMutexGuard<'a, U>, Self>
    where
        U: ?Sized,
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
        // SAFETY: as in `map`.
        let real = real::sync::MutexGuard::map(this.real, |_| unsafe { &mut *part });
        Ok(MappedMutexGuard { held: this.held, real })
    }

    /// The lock.
    #[inline]
    pub fn mutex(this: &Self) -> &'a Mutex<T> {
        this.lock
    }
}

lends!(mut ['a, T: ?Sized] MutexGuard<'a, T> => T);

/// The lock is held for a part of its data.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    held: Held,
    real: real::sync::MappedMutexGuard<'a, T>,
}

impl<'a, T: ?Sized> MappedMutexGuard<'a, T> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<U, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::sync::MappedMutexGuard::map(this.real, |_| unsafe { &mut *part });
        MappedMutexGuard { held: this.held, real }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<U, F>(mut this: Self, f: F) -> Result<MappedMutexGuard<'a, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
        // SAFETY: as in `map`.
        let real = real::sync::MappedMutexGuard::map(this.real, |_| unsafe { &mut *part });
        Ok(MappedMutexGuard { held: this.held, real })
    }
}

lends!(mut ['a, T: ?Sized] MappedMutexGuard<'a, T> => T);
