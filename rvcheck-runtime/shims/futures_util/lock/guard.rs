//! Guards that borrow the lock.

use std::fmt;
use std::ops::{Deref, DerefMut};

use rt::lock::Held;

/// The lock is held. Dropping this gives it back.
pub struct MutexGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::lock::MutexGuard<'a, T>,
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<U: ?Sized, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, T, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        // The closure runs while `this` is whole, so that a panic in it releases in the right order.
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::lock::MutexGuard::map(this.real, |_| unsafe { &mut *part });
        MappedMutexGuard { held: this.held, real }
    }
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

/// The lock is held for a part of its data.
pub struct MappedMutexGuard<'a, T: ?Sized, U: ?Sized> {
    held: Held,
    real: real::lock::MappedMutexGuard<'a, T, U>,
}

impl<'a, T: ?Sized, U: ?Sized> MappedMutexGuard<'a, T, U> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<V: ?Sized, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, T, V>
    where
        F: FnOnce(&mut U) -> &mut V,
    {
        let part: *mut V = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::lock::MappedMutexGuard::map(this.real, |_| unsafe { &mut *part });
        MappedMutexGuard { held: this.held, real }
    }
}

impl<T: ?Sized, U: ?Sized> Deref for MappedMutexGuard<'_, T, U> {
    type Target = U;

    #[inline]
    fn deref(&self) -> &U {
        &self.real
    }
}

impl<T: ?Sized, U: ?Sized> DerefMut for MappedMutexGuard<'_, T, U> {
    #[inline]
    fn deref_mut(&mut self) -> &mut U {
        &mut self.real
    }
}

impl<T: ?Sized, U: ?Sized + fmt::Debug> fmt::Debug for MappedMutexGuard<'_, T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
