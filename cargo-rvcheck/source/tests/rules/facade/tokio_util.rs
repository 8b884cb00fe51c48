//! The paths and signatures of `tokio-util`, without what they do.

pub mod sync {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    pub struct CancellationToken(usize);

    pub struct DropGuard(CancellationToken);

    pub struct WaitForCancellationFuture<'a>(&'a CancellationToken);

    impl CancellationToken {
        pub fn new() -> Self {
            loop {}
        }
        pub fn cancel(&self) {}
        pub fn is_cancelled(&self) -> bool {
            loop {}
        }
        pub fn cancelled(&self) -> WaitForCancellationFuture<'_> {
            loop {}
        }
        pub async fn run_until_cancelled<F: std::future::Future>(&self, _: F) -> Option<F::Output> {
            loop {}
        }
        pub fn child_token(&self) -> Self {
            loop {}
        }
        pub fn drop_guard(self) -> DropGuard {
            loop {}
        }
    }

    impl Clone for CancellationToken {
        fn clone(&self) -> Self {
            loop {}
        }
    }

    impl Drop for CancellationToken {
        fn drop(&mut self) {}
    }

    impl Drop for DropGuard {
        fn drop(&mut self) {}
    }

    impl Future for WaitForCancellationFuture<'_> {
        type Output = ();
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            loop {}
        }
    }
}
