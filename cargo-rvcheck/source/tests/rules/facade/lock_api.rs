//! The paths and signatures of `lock_api`, without what they do.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

macro_rules! guards {
    ($($name:ident $lock:ident)*) => {$(
        pub struct $name<'a, R, T: ?Sized>(&'a $lock<R, T>);

        impl<R, T: ?Sized> Deref for $name<'_, R, T> {
            type Target = T;
            fn deref(&self) -> &T {
                loop {}
            }
        }

        impl<R, T: ?Sized> DerefMut for $name<'_, R, T> {
            fn deref_mut(&mut self) -> &mut T {
                loop {}
            }
        }

        impl<R, T: ?Sized> Drop for $name<'_, R, T> {
            fn drop(&mut self) {}
        }
    )*};
}

guards! {
    MutexGuard Mutex
    MappedMutexGuard Mutex
    ReentrantMutexGuard ReentrantMutex
    RwLockReadGuard RwLock
    RwLockWriteGuard RwLock
    RwLockUpgradableReadGuard RwLock
}

macro_rules! locks {
    ($($name:ident)*) => {$(
        pub struct $name<R, T: ?Sized>(PhantomData<R>, std::cell::UnsafeCell<T>);

        unsafe impl<R, T: ?Sized> Sync for $name<R, T> {}

        impl<R, T> $name<R, T> {
            pub const fn new(it: T) -> Self {
                Self(PhantomData, std::cell::UnsafeCell::new(it))
            }

            pub fn into_inner(self) -> T {
                loop {}
            }
        }

        impl<R, T: Default> Default for $name<R, T> {
            fn default() -> Self {
                loop {}
            }
        }
    )*};
}

locks! { Mutex ReentrantMutex RwLock }

impl<R, T: ?Sized> Mutex<R, T> {
    pub fn lock(&self) -> MutexGuard<'_, R, T> {
        loop {}
    }
    pub fn try_lock(&self) -> Option<MutexGuard<'_, R, T>> {
        loop {}
    }
    pub fn try_lock_for(&self, _: Duration) -> Option<MutexGuard<'_, R, T>> {
        loop {}
    }
    pub fn get_mut(&mut self) -> &mut T {
        loop {}
    }
}

impl<'a, R, T: ?Sized> MutexGuard<'a, R, T> {
    pub fn map<U: ?Sized>(_: Self, _: impl FnOnce(&mut T) -> &mut U) -> MappedMutexGuard<'a, R, U> {
        loop {}
    }
    pub fn unlocked<U>(_: &mut Self, _: impl FnOnce() -> U) -> U {
        loop {}
    }
}

impl<R, T: ?Sized> ReentrantMutex<R, T> {
    pub fn lock(&self) -> ReentrantMutexGuard<'_, R, T> {
        loop {}
    }
}

impl<R, T: ?Sized> RwLock<R, T> {
    pub fn read(&self) -> RwLockReadGuard<'_, R, T> {
        loop {}
    }
    pub fn read_recursive(&self) -> RwLockReadGuard<'_, R, T> {
        loop {}
    }
    pub fn write(&self) -> RwLockWriteGuard<'_, R, T> {
        loop {}
    }
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, R, T>> {
        loop {}
    }
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, R, T>> {
        loop {}
    }
    pub fn upgradable_read(&self) -> RwLockUpgradableReadGuard<'_, R, T> {
        loop {}
    }
}

impl<'a, R, T: ?Sized> RwLockUpgradableReadGuard<'a, R, T> {
    pub fn upgrade(_: Self) -> RwLockWriteGuard<'a, R, T> {
        loop {}
    }
}
