//! The paths and signatures of `futures`, without what they do.

pub mod executor {
    pub fn block_on<F: Future>(_: F) -> F::Output {
        loop {}
    }
}

pub mod lock {
    use std::ops::{Deref, DerefMut};

    pub struct Mutex<T: ?Sized>(std::cell::UnsafeCell<T>);
    pub struct MutexGuard<'a, T: ?Sized>(&'a Mutex<T>);

    unsafe impl<T: ?Sized> Sync for Mutex<T> {}

    impl<T> Mutex<T> {
        pub const fn new(it: T) -> Self {
            Self(std::cell::UnsafeCell::new(it))
        }
        pub async fn lock(&self) -> MutexGuard<'_, T> {
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
}

pub mod stream {
    pub struct FuturesUnordered<F>(F);

    impl<F> FuturesUnordered<F> {
        pub fn new() -> Self {
            loop {}
        }
        pub fn push(&self, _: F) {}
    }

    impl<F> Drop for FuturesUnordered<F> {
        fn drop(&mut self) {}
    }

    impl<F> FromIterator<F> for FuturesUnordered<F> {
        fn from_iter<I: IntoIterator<Item = F>>(_: I) -> Self {
            loop {}
        }
    }

    pub struct Iter<I>(I);
    pub struct Map<S, F>(S, F);
    pub struct Buffered<S: Stream>(S, Vec<S::Item>);
    pub struct BufferUnordered<S: Stream>(S, Vec<S::Item>);

    pub fn iter<I: IntoIterator>(_: I) -> Iter<I::IntoIter> {
        loop {}
    }

    impl<I: Iterator> Stream for Iter<I> {
        type Item = I::Item;
    }

    impl<T, S: Stream, F: FnMut(S::Item) -> T> Stream for Map<S, F> {
        type Item = T;
    }

    impl<S: Stream<Item: Future>> Stream for Buffered<S> {
        type Item = <S::Item as Future>::Output;
    }

    impl<S: Stream<Item: Future>> Stream for BufferUnordered<S> {
        type Item = <S::Item as Future>::Output;
    }

    pub trait Stream {
        type Item;
    }

    impl<F: Future> Stream for FuturesUnordered<F> {
        type Item = F::Output;
    }

    pub trait StreamExt: Stream {
        fn next(&mut self) -> impl Future<Output = Option<Self::Item>> {
            async { loop {} }
        }
        fn map<T, F: FnMut(Self::Item) -> T>(self, _: F) -> Map<Self, F>
        where
            Self: Sized,
        {
            loop {}
        }
        fn buffered(self, _: usize) -> Buffered<Self>
        where
            Self: Sized,
            Self::Item: Future,
        {
            loop {}
        }
        fn buffer_unordered(self, _: usize) -> BufferUnordered<Self>
        where
            Self: Sized,
            Self::Item: Future,
        {
            loop {}
        }
        fn for_each<U: Future<Output = ()>, F: FnMut(Self::Item) -> U>(self, _: F) -> ForEach<Self, U, F>
        where
            Self: Sized,
        {
            loop {}
        }
        fn for_each_concurrent<U: Future<Output = ()>, F: FnMut(Self::Item) -> U>(
            self,
            _: usize,
            _: F,
        ) -> ForEach<Self, U, F>
        where
            Self: Sized,
        {
            loop {}
        }
    }

    impl<S: Stream> StreamExt for S {}

    pub struct ForEach<S, U, F>(S, U, F);

    impl<S, U, F> Future for ForEach<S, U, F> {
        type Output = ();
        fn poll(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Self::Output> {
            loop {}
        }
    }
}

pub mod future {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    pub enum Either<A, B> {
        Left(A),
        Right(B),
    }

    pub struct Fuse<F>(F);

    impl<F: Future> Future for Fuse<F> {
        type Output = F::Output;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            loop {}
        }
    }

    pub trait FutureExt: Future {
        fn fuse(self) -> Fuse<Self>
        where
            Self: Sized,
        {
            loop {}
        }
        fn catch_unwind(self) -> CatchUnwind<Self>
        where
            Self: Sized + std::panic::UnwindSafe,
        {
            loop {}
        }
    }

    impl<F: Future> FutureExt for F {}

    pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

    pub struct TryJoinAll<F>(F);

    impl<T, E, F: Future<Output = Result<T, E>>> Future for TryJoinAll<F> {
        type Output = Result<Vec<T>, E>;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            loop {}
        }
    }

    pub fn try_join_all<I: IntoIterator>(_: I) -> TryJoinAll<I::Item> {
        loop {}
    }

    pub struct CatchUnwind<F>(F);

    impl<F: Future> Future for CatchUnwind<F> {
        type Output = Result<F::Output, Box<dyn std::any::Any + Send>>;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            loop {}
        }
    }

    pub struct PollFn<F>(F);

    pub fn poll_fn<T, F: FnMut(&mut Context<'_>) -> Poll<T>>(_: F) -> PollFn<F> {
        loop {}
    }

    impl<T, F: FnMut(&mut Context<'_>) -> Poll<T>> Future for PollFn<F> {
        type Output = T;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
            loop {}
        }
    }

    pub struct Abortable<F>(F);
    pub struct AbortRegistration(usize);

    impl<F> Abortable<F> {
        pub fn new(_: F, _: AbortRegistration) -> Self {
            loop {}
        }
    }

    impl<F: Future> Future for Abortable<F> {
        type Output = Result<F::Output, ()>;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            loop {}
        }
    }

    pub struct Select<A, B>(A, B);

    pub fn select<A: Future + Unpin, B: Future + Unpin>(_: A, _: B) -> Select<A, B> {
        loop {}
    }

    impl<A: Future + Unpin, B: Future + Unpin> Future for Select<A, B> {
        type Output = Either<(A::Output, B), (B::Output, A)>;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            loop {}
        }
    }
}

pub mod task {
    pub struct AtomicWaker(usize);

    impl AtomicWaker {
        pub const fn new() -> Self {
            Self(0)
        }
        pub fn register(&self, _: &std::task::Waker) {}
        pub fn wake(&self) {}
    }
}

/// Awaits the first of two futures that are pinned already, and goes on in its branch.
#[macro_export]
macro_rules! select {
    ($a:ident = $x:ident => $f:expr, $b:ident = $y:ident => $g:expr $(,)?) => {{
        #[allow(non_camel_case_types)]
        enum __PrivResult<_0, _1> {
            _0(_0),
            _1(_1),
        }
        let result = {
            let either = |context: &mut std::task::Context<'_>| {
                if let std::task::Poll::Ready(it) = Future::poll(std::pin::Pin::new(&mut $x), context) {
                    return std::task::Poll::Ready(__PrivResult::_0(it));
                }
                Future::poll(std::pin::Pin::new(&mut $y), context).map(__PrivResult::_1)
            };
            $crate::future::poll_fn(either).await
        };
        match result {
            __PrivResult::_0($a) => $f,
            __PrivResult::_1($b) => $g,
        }
    }};
}
