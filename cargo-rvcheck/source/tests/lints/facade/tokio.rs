//! The paths and signatures of `tokio`, without what they do.

pub use task::spawn;

/// Awaits all of them and gives what they give.
#[macro_export]
macro_rules! join {
    ($($future:expr),+ $(,)?) => { $crate::macros::poll_fn(|_| $crate::macros::each(($(&$future,)+))).await };
}

/// Awaits both of them, or the first that fails.
#[macro_export]
macro_rules! try_join {
    ($one:expr, $other:expr) => {{
        let mut futures = ($crate::macros::maybe_done($one), $crate::macros::maybe_done($other));
        let futures = &mut futures;
        std::future::poll_fn(move |_| $crate::macros::both(futures)).await
    }};
}

/// Awaits the first of two or three, and goes on in its branch.
#[macro_export]
macro_rules! select {
    ($a:pat = $x:expr => $f:block $b:pat = $y:expr => $g:block) => {{
        let output = {
            let given = ($x, $y);
            let mut futures = (std::future::IntoFuture::into_future(given.0), std::future::IntoFuture::into_future(given.1));
            let futures = &mut futures;
            std::future::poll_fn(|context| $crate::macros::two(futures, context)).await
        };
        match output {
            $crate::macros::Out::_0($a) => $f
            $crate::macros::Out::_1($b) => $g
            _ => panic!("all branches are disabled and there is no else branch"),
        }
    }};
    ($a:pat = $x:expr => $f:block $b:pat = $y:expr => $g:block $c:pat = $z:expr => $h:block) => {{
        let output = {
            let given = ($x, $y, $z);
            let mut futures = (
                std::future::IntoFuture::into_future(given.0),
                std::future::IntoFuture::into_future(given.1),
                std::future::IntoFuture::into_future(given.2),
            );
            let futures = &mut futures;
            std::future::poll_fn(|context| $crate::macros::three(futures, context)).await
        };
        match output {
            $crate::macros::Out3::_0($a) => $f
            $crate::macros::Out3::_1($b) => $g
            $crate::macros::Out3::_2($c) => $h
            _ => panic!("all branches are disabled and there is no else branch"),
        }
    }};
}

/// Pins values to the stack.
#[macro_export]
macro_rules! pin {
    ($($name:ident),+) => { $(let mut $name = $name; let mut $name = unsafe { std::pin::Pin::new_unchecked(&mut $name) };)+ };
}

pub mod macros {
    use std::task::{Context, Poll};

    pub async fn poll_fn<T>(_: impl FnMut(&mut Context<'_>) -> T) -> T {
        loop {}
    }

    pub enum Out<A, B> {
        _0(A),
        _1(B),
        Disabled,
    }

    pub enum Out3<A, B, C> {
        _0(A),
        _1(B),
        _2(C),
        Disabled,
    }

    pub fn two<A: Future, B: Future>(_: &mut (A, B), _: &mut Context<'_>) -> Poll<Out<A::Output, B::Output>> {
        loop {}
    }

    pub fn three<A: Future, B: Future, C: Future>(
        _: &mut (A, B, C),
        _: &mut Context<'_>,
    ) -> Poll<Out3<A::Output, B::Output, C::Output>> {
        loop {}
    }

    pub struct MaybeDone<F>(F);

    pub fn maybe_done<F: IntoFuture>(_: F) -> MaybeDone<F::IntoFuture> {
        loop {}
    }

    pub fn both<T, U, E, A: Future<Output = Result<T, E>>, B: Future<Output = Result<U, E>>>(
        _: &mut (MaybeDone<A>, MaybeDone<B>),
    ) -> Poll<Result<(T, U), E>> {
        loop {}
    }

    pub trait Each {
        type Output;
    }

    impl<A: Future> Each for (&A,) {
        type Output = (A::Output,);
    }

    impl<A: Future, B: Future> Each for (&A, &B) {
        type Output = (A::Output, B::Output);
    }

    impl<A: Future, B: Future, C: Future> Each for (&A, &B, &C) {
        type Output = (A::Output, B::Output, C::Output);
    }

    pub fn each<E: Each>(_: E) -> E::Output {
        loop {}
    }
}

pub mod task {
    pub struct JoinHandle<T>(usize, std::marker::PhantomData<T>);

    #[derive(Debug)]
    pub struct JoinError;

    impl JoinError {
        pub fn is_panic(&self) -> bool {
            loop {}
        }
        pub fn is_cancelled(&self) -> bool {
            loop {}
        }
    }

    impl<T> JoinHandle<T> {
        pub fn abort(&self) {}
        pub fn is_finished(&self) -> bool {
            loop {}
        }
        pub fn abort_handle(&self) -> AbortHandle {
            loop {}
        }
    }

    impl<T> Drop for JoinHandle<T> {
        fn drop(&mut self) {}
    }

    pub struct AbortHandle(usize);

    impl AbortHandle {
        pub fn abort(&self) {}
    }

    impl<T> Future for JoinHandle<T> {
        type Output = Result<T, JoinError>;
        fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
            loop {}
        }
    }

    pub struct JoinSet<T>(usize, std::marker::PhantomData<T>);

    impl<T> Default for JoinSet<T> {
        fn default() -> Self {
            loop {}
        }
    }

    impl<T> JoinSet<T> {
        pub fn new() -> Self {
            loop {}
        }
        pub fn spawn<F: Future<Output = T>>(&mut self, _: F) -> AbortHandle {
            loop {}
        }
        pub async fn join_next(&mut self) -> Option<Result<T, JoinError>> {
            loop {}
        }
        pub async fn join_all(self) -> Vec<T> {
            loop {}
        }
        pub fn abort_all(&mut self) {}
        pub async fn shutdown(&mut self) {}
        pub fn detach_all(&mut self) {}
    }

    impl<T> Drop for JoinSet<T> {
        fn drop(&mut self) {}
    }

    pub fn spawn<F: Future>(_: F) -> JoinHandle<F::Output> {
        loop {}
    }
    pub fn spawn_local<F: Future>(_: F) -> JoinHandle<F::Output> {
        loop {}
    }
    pub fn spawn_blocking<T>(_: impl FnOnce() -> T) -> JoinHandle<T> {
        loop {}
    }
    pub fn block_in_place<T>(_: impl FnOnce() -> T) -> T {
        loop {}
    }
    pub async fn yield_now() {}
}

pub mod time {
    pub use std::time::Duration;

    #[derive(Debug)]
    pub struct Elapsed;

    impl From<Elapsed> for std::io::Error {
        fn from(_: Elapsed) -> Self {
            loop {}
        }
    }

    pub async fn sleep(_: Duration) {}

    pub struct Interval(usize);

    pub fn interval(_: Duration) -> Interval {
        loop {}
    }

    impl Interval {
        pub async fn tick(&mut self) {}
    }
    pub async fn timeout<F: Future>(_: Duration, _: F) -> Result<F::Output, Elapsed> {
        loop {}
    }
}

pub mod io {
    use std::io::Result;

    pub struct Lines<R>(R);

    impl<R> Lines<R> {
        pub async fn next_line(&mut self) -> Result<Option<String>> {
            loop {}
        }
    }

    pub trait AsyncRead {}

    pub trait AsyncReadExt {
        fn read(&mut self, _: &mut [u8]) -> impl Future<Output = Result<usize>> {
            async { loop {} }
        }
        fn read_exact(&mut self, _: &mut [u8]) -> impl Future<Output = Result<usize>> {
            async { loop {} }
        }
    }

    impl<R: AsyncRead> AsyncReadExt for R {}

    pub trait AsyncBufReadExt {
        fn read_line(&mut self, _: &mut String) -> impl Future<Output = Result<usize>>;
        fn lines(self) -> Lines<Self>
        where
            Self: Sized,
        {
            loop {}
        }
    }

    pub trait AsyncWriteExt {
        fn write_all(&mut self, _: &[u8]) -> impl Future<Output = Result<()>>;
        fn shutdown(&mut self) -> impl Future<Output = Result<()>>;
    }
}

pub mod runtime {
    pub struct Runtime;
    #[derive(Clone)]
    pub struct Handle;

    impl Runtime {
        pub fn new() -> std::io::Result<Runtime> {
            loop {}
        }
        pub fn block_on<F: Future>(&self, _: F) -> F::Output {
            loop {}
        }
        pub fn spawn<F: Future>(&self, _: F) -> crate::task::JoinHandle<F::Output> {
            loop {}
        }
        pub fn handle(&self) -> &Handle {
            loop {}
        }
    }

    impl Handle {
        pub fn current() -> Handle {
            loop {}
        }
        pub fn block_on<F: Future>(&self, _: F) -> F::Output {
            loop {}
        }
        pub fn spawn<F: Future>(&self, _: F) -> crate::task::JoinHandle<F::Output> {
            loop {}
        }
    }
}

pub mod sync {
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
        pub const fn new(_: T) -> Self {
            loop {}
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
        pub const fn new(_: T) -> Self {
            loop {}
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
        pub const fn new(_: usize) -> Self {
            loop {}
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
    }

    impl SemaphorePermit<'_> {
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
            loop {}
        }
        pub fn notified(&self) -> Notified<'_> {
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
            fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
                loop {}
            }
        }
    }
}
