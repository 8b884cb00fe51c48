//! The paths and signatures of `async-lock`, without what they do.

use std::ops::{Deref, DerefMut};

pub struct Mutex<T: ?Sized>(std::cell::UnsafeCell<T>);
pub struct MutexGuard<'a, T: ?Sized>(&'a Mutex<T>);

unsafe impl<T: ?Sized> Sync for Mutex<T> {}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        loop {}
    }
}

impl<T> Mutex<T> {
    pub const fn new(_: T) -> Self {
        loop {}
    }
    pub async fn lock(&self) -> MutexGuard<'_, T> {
        loop {}
    }
    pub fn lock_blocking(&self) -> MutexGuard<'_, T> {
        loop {}
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        loop {}
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        loop {}
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {}
}
