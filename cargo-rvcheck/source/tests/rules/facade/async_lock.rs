//! The paths and signatures of `async-lock`, without what they do.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

pub struct Mutex<T: ?Sized>(std::cell::UnsafeCell<T>);
pub struct RwLock<T: ?Sized>(std::cell::UnsafeCell<T>);
pub struct Semaphore(usize);

unsafe impl<T: ?Sized> Sync for Mutex<T> {}
unsafe impl<T: ?Sized> Sync for RwLock<T> {}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        loop {}
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        loop {}
    }
}

impl<T> Mutex<T> {
    pub const fn new(it: T) -> Self {
        Self(std::cell::UnsafeCell::new(it))
    }
    pub fn lock(&self) -> futures::Lock<'_, T> {
        loop {}
    }
    pub fn lock_blocking(&self) -> MutexGuard<'_, T> {
        loop {}
    }
}

impl<T> RwLock<T> {
    pub const fn new(it: T) -> Self {
        Self(std::cell::UnsafeCell::new(it))
    }
    pub fn read(&self) -> futures::Read<'_, T> {
        loop {}
    }
    pub fn write(&self) -> futures::Write<'_, T> {
        loop {}
    }
}

impl Semaphore {
    pub const fn new(permits: usize) -> Self {
        Self(permits)
    }
    pub fn acquire(&self) -> futures::Acquire<'_> {
        loop {}
    }
    pub fn acquire_blocking(&self) -> SemaphoreGuard<'_> {
        loop {}
    }
    pub fn acquire_arc(self: &Arc<Self>) -> futures::AcquireArc {
        loop {}
    }
    pub fn try_acquire(&self) -> Option<SemaphoreGuard<'_>> {
        loop {}
    }
    pub fn add_permits(&self, _: usize) {}
}

pub struct SemaphoreGuard<'a>(&'a Semaphore);
pub struct SemaphoreGuardArc(Arc<Semaphore>);

impl SemaphoreGuard<'_> {
    pub fn forget(self) {}
}

impl Drop for SemaphoreGuard<'_> {
    fn drop(&mut self) {}
}

impl Drop for SemaphoreGuardArc {
    fn drop(&mut self) {}
}

macro_rules! guard {
    ($name:ident, $lock:ident, $($mutable:tt)?) => {
        pub struct $name<'a, T: ?Sized>(&'a $lock<T>);

        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;
            fn deref(&self) -> &T {
                loop {}
            }
        }

        $(guard!($mutable $name);)?

        impl<T: ?Sized> Drop for $name<'_, T> {
            fn drop(&mut self) {}
        }
    };
    (mut $name:ident) => {
        impl<T: ?Sized> DerefMut for $name<'_, T> {
            fn deref_mut(&mut self) -> &mut T {
                loop {}
            }
        }
    };
}

guard!(MutexGuard, Mutex, mut);
guard!(RwLockReadGuard, RwLock,);
guard!(RwLockWriteGuard, RwLock, mut);

pub mod futures {
    use super::*;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    macro_rules! future {
        ($name:ident, $lock:ident, $guard:ident) => {
            pub struct $name<'a, T: ?Sized>(&'a $lock<T>);

            impl<'a, T: ?Sized> Future for $name<'a, T> {
                type Output = $guard<'a, T>;
                fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<$guard<'a, T>> {
                    loop {}
                }
            }
        };
    }

    future!(Lock, Mutex, MutexGuard);
    future!(Read, RwLock, RwLockReadGuard);
    future!(Write, RwLock, RwLockWriteGuard);

    pub struct Acquire<'a>(&'a Semaphore);
    pub struct AcquireArc(Arc<Semaphore>);

    impl<'a> Future for Acquire<'a> {
        type Output = SemaphoreGuard<'a>;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<SemaphoreGuard<'a>> {
            loop {}
        }
    }

    impl Future for AcquireArc {
        type Output = SemaphoreGuardArc;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<SemaphoreGuardArc> {
            loop {}
        }
    }
}
