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

    /// What it has is dropped with it, as of the real one.
    #[derive(Debug)]
    pub struct JoinError {
        _repr: Box<u8>,
    }

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

    pub struct Unconstrained<F>(F);

    pub fn unconstrained<F>(future: F) -> Unconstrained<F> {
        Unconstrained(future)
    }

    impl<F: Future> Future for Unconstrained<F> {
        type Output = F::Output;
        fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
            loop {}
        }
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
        fn read_u8(&mut self) -> impl Future<Output = Result<u8>> {
            async { loop {} }
        }
        fn read_u32(&mut self) -> impl Future<Output = Result<u32>> {
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
        fn write_u64_le(&mut self, _: u64) -> impl Future<Output = Result<()>> {
            async { loop {} }
        }
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
        pub fn try_current() -> Result<Handle, ()> {
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

#[path = "tokio/sync.rs"]
pub mod sync;
