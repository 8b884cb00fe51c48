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

rt::forwards! {
    [T: ?Sized] MutexGuard<'_, T>: Deref<T>;
    [T: ?Sized] MutexGuard<'_, T>: DerefMut;
    [T: ?Sized + fmt::Debug] MutexGuard<'_, T>: Debug;
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

rt::forwards! {
    [T: ?Sized, U: ?Sized] MappedMutexGuard<'_, T, U>: Deref<U>;
    [T: ?Sized, U: ?Sized] MappedMutexGuard<'_, T, U>: DerefMut;
    [T: ?Sized, U: ?Sized + fmt::Debug] MappedMutexGuard<'_, T, U>: Debug;
}
