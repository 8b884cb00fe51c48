//! The futures that wait for a token to be cancelled.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
#[cfg(rv_tokio_util_0_7_5)]
use std::sync::Arc;
use std::task::{Context, Poll};

use rt::Loc;

use super::node::Node;
use super::CancellationToken;
use crate::waiting::Wait;

/// Waits until a token is cancelled.
#[must_use = "futures do nothing unless polled"]
pub struct WaitForCancellationFuture<'a> {
    wait: Wait,
    node: &'a Node,
    real: real::sync::WaitForCancellationFuture<'a>,
}

impl<'a> WaitForCancellationFuture<'a> {
    pub(super) fn new(token: &'a CancellationToken, location: Loc) -> WaitForCancellationFuture<'a> {
        WaitForCancellationFuture {
            wait: Wait::new(location),
            node: &token.node,
            real: token.real.cancelled(),
        }
    }
}

impl Future for WaitForCancellationFuture<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let (wait, node, real) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.wait, this.node, Pin::new_unchecked(&mut this.real))
        };
        let polled = rt::waker::recorded(|| real.poll(context));
        match polled {
            Poll::Ready(()) => wait.over(&node.head),
            Poll::Pending => wait.pending(&node.head),
        }
        polled
    }
}

rt::forwards! {
    [] WaitForCancellationFuture<'_>: Debug;
}

/// Waits until a token is cancelled, and keeps it meanwhile.
#[cfg(rv_tokio_util_0_7_5)]
#[must_use = "futures do nothing unless polled"]
pub struct WaitForCancellationFutureOwned {
    wait: Wait,
    real: real::sync::WaitForCancellationFutureOwned,
    node: Arc<Node>,
}

#[cfg(rv_tokio_util_0_7_5)]
impl WaitForCancellationFutureOwned {
    pub(super) fn new(token: CancellationToken, location: Loc) -> WaitForCancellationFutureOwned {
        let CancellationToken { real, node } = token;
        WaitForCancellationFutureOwned { wait: Wait::new(location), real: real.cancelled_owned(), node }
    }
}

#[cfg(rv_tokio_util_0_7_5)]
impl Future for WaitForCancellationFutureOwned {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        // SAFETY: as for `WaitForCancellationFuture`.
        let (wait, node, real) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.wait, &this.node, Pin::new_unchecked(&mut this.real))
        };
        let polled = rt::waker::recorded(|| real.poll(context));
        match polled {
            Poll::Ready(()) => wait.over(&node.head),
            Poll::Pending => wait.pending(&node.head),
        }
        polled
    }
}

rt::forwards! {
    #[cfg(rv_tokio_util_0_7_5)] [] WaitForCancellationFutureOwned: Debug;
}

/// Drives a real future that gives nothing when the token is cancelled first.
pub(crate) struct Until<N, F> {
    wait: Wait,
    /// Before the node, of which it may have a share.
    real: F,
    node: N,
}

impl<N, F> Until<N, F> {
    pub(crate) fn new(node: N, location: Loc, real: F) -> Until<N, F> {
        Until { wait: Wait::new(location), real, node }
    }
}

impl<N, F, T> Future for Until<N, F>
where
    N: Deref<Target = Node>,
    F: Future<Output = Option<T>>,
{
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let context = &mut rt::waker::real(context);
        // SAFETY: as for `WaitForCancellationFuture`.
        let (wait, node, real) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.wait, &this.node, Pin::new_unchecked(&mut this.real))
        };
        let polled = rt::waker::recorded(|| real.poll(context));
        match polled {
            Poll::Ready(Some(_)) => {}
            Poll::Ready(None) => wait.over(&node.head),
            Poll::Pending => wait.pending(&node.head),
        }
        polled
    }
}
