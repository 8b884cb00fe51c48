//! What libraries call in this program: a service, a future and a destructor. A test is called after what it shows.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use tower::Service;

/// Doubles numbers, and is ready once for each.
#[derive(Clone, Default)]
pub struct Doubler {
    is_ready: bool,
}

impl Service<u32> for Doubler {
    type Response = u32;
    type Error = Infallible;
    type Future = Ready<Result<u32, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, number: u32) -> Self::Future {
        self.is_ready = false;
        ready(Ok(2 * number))
    }
}

/// A future that is polled as often as it says.
pub struct Countdown(pub u32);

impl Future for Countdown {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// What is dropped by whoever has it.
pub struct Guard(pub u32);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0 = 0;
    }
}
