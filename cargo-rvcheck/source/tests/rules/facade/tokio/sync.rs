//! The paths and signatures of `tokio::sync`.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

macro_rules! guards {
    ($($name:ident $lock:ident)*) => {$(
        pub struct $name<'a, T: ?Sized>(&'a $lock<T>);

        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;
            fn deref(&self) -> &T {
                loop {}
            }
        }

        impl<T: ?Sized> DerefMut for $name<'_, T> {
            fn deref_mut(&mut self) -> &mut T {
                loop {}
            }
        }

        impl<T: ?Sized> Drop for $name<'_, T> {
            fn drop(&mut self) {}
        }
    )*};
}

guards! { MutexGuard Mutex RwLockReadGuard RwLock RwLockWriteGuard RwLock }

pub struct Mutex<T: ?Sized>(std::cell::UnsafeCell<T>);
pub struct RwLock<T: ?Sized>(std::cell::UnsafeCell<T>);
pub struct OwnedMutexGuard<T: ?Sized>(Arc<Mutex<T>>);
#[derive(Debug)]
pub struct TryLockError;

unsafe impl<T: ?Sized> Sync for Mutex<T> {}
unsafe impl<T: ?Sized> Sync for RwLock<T> {}

impl<T: ?Sized> Drop for OwnedMutexGuard<T> {
    fn drop(&mut self) {}
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        loop {}
    }
}

impl<T> Mutex<T> {
    pub const fn new(it: T) -> Self {
        Self(std::cell::UnsafeCell::new(it))
    }
}

impl<T: ?Sized> Mutex<T> {
    pub async fn lock(&self) -> MutexGuard<'_, T> {
        loop {}
    }
    pub async fn lock_owned(self: Arc<Self>) -> OwnedMutexGuard<T> {
        loop {}
    }
    pub fn try_lock(&self) -> Result<MutexGuard<'_, T>, TryLockError> {
        loop {}
    }
    pub fn blocking_lock(&self) -> MutexGuard<'_, T> {
        loop {}
    }
}

impl<T> RwLock<T> {
    pub const fn new(it: T) -> Self {
        Self(std::cell::UnsafeCell::new(it))
    }
}

impl<T: ?Sized> RwLock<T> {
    pub async fn read(&self) -> RwLockReadGuard<'_, T> {
        loop {}
    }
    pub async fn write(&self) -> RwLockWriteGuard<'_, T> {
        loop {}
    }
}

pub struct Semaphore(usize);
pub struct SemaphorePermit<'a>(&'a Semaphore);
pub struct OwnedSemaphorePermit(Arc<Semaphore>);
#[derive(Debug)]
pub struct AcquireError;

impl Semaphore {
    pub const MAX_PERMITS: usize = 1 << 20;
    pub const fn const_new(permits: usize) -> Self {
        Semaphore(permits)
    }
    pub const fn new(permits: usize) -> Self {
        Self(permits)
    }
    pub async fn acquire(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        loop {}
    }
    pub async fn acquire_many(&self, _: u32) -> Result<SemaphorePermit<'_>, AcquireError> {
        loop {}
    }
    pub async fn acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, AcquireError> {
        loop {}
    }
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        loop {}
    }
    pub fn add_permits(&self, _: usize) {}
    pub fn close(&self) {}
}

impl SemaphorePermit<'_> {
    pub fn forget(self) {}
}

impl OwnedSemaphorePermit {
    pub fn forget(self) {}
}

impl Drop for SemaphorePermit<'_> {
    fn drop(&mut self) {}
}

impl Drop for OwnedSemaphorePermit {
    fn drop(&mut self) {}
}

#[derive(Default)]
pub struct Notify(usize);

pub struct Notified<'a>(&'a Notify);

impl Notify {
    pub const fn new() -> Self {
        Self(0)
    }
    pub fn notified(&self) -> Notified<'_> {
        loop {}
    }
    pub fn notified_owned(self: Arc<Self>) -> futures::OwnedNotified {
        loop {}
    }
    pub fn notify_one(&self) {}
    pub fn notify_waiters(&self) {}
}

impl Notified<'_> {
    pub fn enable(self: std::pin::Pin<&mut Self>) -> bool {
        loop {}
    }
}

impl Future for Notified<'_> {
    type Output = ();
    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        loop {}
    }
}

pub mod futures {
    pub struct OwnedNotified(usize);

    impl std::future::Future for OwnedNotified {
        type Output = ();
        fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<()> {
            loop {}
        }
    }
}

pub mod watch {
    pub struct Sender<T>(usize, std::marker::PhantomData<T>);
    pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
    pub struct Ref<'a, T>(&'a T);

    impl<T> std::ops::Deref for Ref<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            loop {}
        }
    }

    impl<T> Drop for Ref<'_, T> {
        fn drop(&mut self) {}
    }

    pub fn channel<T>(_: T) -> (Sender<T>, Receiver<T>) {
        loop {}
    }

    #[derive(Debug)]
    pub struct RecvError;

    impl<T> Receiver<T> {
        pub fn borrow(&self) -> Ref<'_, T> {
            loop {}
        }
        pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
            loop {}
        }
        pub async fn changed(&mut self) -> Result<(), RecvError> {
            loop {}
        }
        pub async fn wait_for(&mut self, _: impl FnMut(&T) -> bool) -> Result<Ref<'_, T>, RecvError> {
            loop {}
        }
    }

    impl<T> Sender<T> {
        pub fn send(&self, _: T) -> Result<(), T> {
            loop {}
        }
        /// One for statics.
        pub const fn fixed() -> Sender<T> {
            Sender(0, std::marker::PhantomData)
        }
        pub fn send_replace(&self, _: T) -> T {
            loop {}
        }
        pub fn send_modify(&self, _: impl FnOnce(&mut T)) {
            loop {}
        }
        pub fn send_if_modified(&self, _: impl FnOnce(&mut T) -> bool) -> bool {
            loop {}
        }
        pub fn borrow(&self) -> Ref<'_, T> {
            loop {}
        }
        pub fn subscribe(&self) -> Receiver<T> {
            loop {}
        }
    }
}

pub mod broadcast {
    pub struct Sender<T>(usize, std::marker::PhantomData<T>);
    pub struct Receiver<T>(usize, std::marker::PhantomData<T>);

    pub mod error {
        #[derive(Debug, PartialEq)]
        pub enum RecvError {
            Closed,
            Lagged(u64),
        }
    }

    pub fn channel<T>(_: usize) -> (Sender<T>, Receiver<T>) {
        loop {}
    }

    impl<T> Sender<T> {
        pub fn send(&self, _: T) -> Result<usize, T> {
            loop {}
        }
        pub fn subscribe(&self) -> Receiver<T> {
            loop {}
        }
    }

    impl<T> Receiver<T> {
        pub fn resubscribe(&self) -> Self {
            loop {}
        }
        pub async fn recv(&mut self) -> Result<T, error::RecvError> {
            loop {}
        }
    }
}

pub mod mpsc {
    pub struct Sender<T>(usize, std::marker::PhantomData<T>);
    pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
    pub struct UnboundedSender<T>(usize, std::marker::PhantomData<T>);
    pub struct UnboundedReceiver<T>(usize, std::marker::PhantomData<T>);
    #[derive(Debug)]
    pub struct SendError<T>(pub T);

    pub fn channel<T>(_: usize) -> (Sender<T>, Receiver<T>) {
        loop {}
    }
    pub struct WeakUnboundedSender<T>(usize, std::marker::PhantomData<T>);

    impl<T> UnboundedSender<T> {
        pub fn downgrade(&self) -> WeakUnboundedSender<T> {
            loop {}
        }
    }

    impl<T> WeakUnboundedSender<T> {
        pub fn upgrade(&self) -> Option<UnboundedSender<T>> {
            loop {}
        }
    }

    pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
        loop {}
    }

    impl<T> Clone for Sender<T> {
        fn clone(&self) -> Self {
            loop {}
        }
    }

    impl<T> Clone for UnboundedSender<T> {
        fn clone(&self) -> Self {
            loop {}
        }
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {}
    }

    impl<T> Drop for UnboundedSender<T> {
        fn drop(&mut self) {}
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {}
    }

    impl<T> Sender<T> {
        pub async fn send(&self, _: T) -> Result<(), SendError<T>> {
            loop {}
        }
        pub fn try_send(&self, _: T) -> Result<(), SendError<T>> {
            loop {}
        }
        pub fn blocking_send(&self, _: T) -> Result<(), SendError<T>> {
            loop {}
        }
        pub async fn closed(&self) {}
        pub async fn reserve(&self) -> Result<Permit<'_, T>, SendError<()>> {
            loop {}
        }
    }

    pub struct Permit<'a, T>(&'a Sender<T>);

    impl<T> Permit<'_, T> {
        pub fn send(self, _: T) {}
    }

    impl<T> Drop for Permit<'_, T> {
        fn drop(&mut self) {}
    }

    impl<T> UnboundedSender<T> {
        pub fn send(&self, _: T) -> Result<(), SendError<T>> {
            loop {}
        }
    }

    impl<T> Receiver<T> {
        pub async fn recv(&mut self) -> Option<T> {
            loop {}
        }
        pub fn try_recv(&mut self) -> Result<T, ()> {
            loop {}
        }
        pub fn blocking_recv(&mut self) -> Option<T> {
            loop {}
        }
        pub fn close(&mut self) {}
    }

    impl<T> UnboundedReceiver<T> {
        pub async fn recv(&mut self) -> Option<T> {
            loop {}
        }
    }
}

pub mod oneshot {
    pub struct Sender<T>(usize, std::marker::PhantomData<T>);
    pub struct Receiver<T>(usize, std::marker::PhantomData<T>);
    #[derive(Debug)]
    pub struct RecvError;

    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        loop {}
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {}
    }

    impl<T> Sender<T> {
        pub fn is_closed(&self) -> bool {
            loop {}
        }

        pub fn send(self, _: T) -> Result<(), T> {
            loop {}
        }
    }

    impl<T> Receiver<T> {
        pub fn blocking_recv(self) -> Result<T, RecvError> {
            loop {}
        }
    }

    impl<T> Future for Receiver<T> {
        type Output = Result<T, RecvError>;
        fn poll(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Self::Output> {
            loop {}
        }
    }
}
