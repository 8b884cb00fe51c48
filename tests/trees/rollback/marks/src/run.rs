//! The least that runs a future.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Polls until the future is ready.
pub fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
