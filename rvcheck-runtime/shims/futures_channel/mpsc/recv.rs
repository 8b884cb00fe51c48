//! The future of a receive.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};
use real::mpsc::RecvError;

/// Waits for a message. It is received where this is awaited.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Recv<'a, St: ?Sized> {
    stream: &'a mut St,
}

impl<'a, St: ?Sized> Recv<'a, St> {
    pub(super) fn new(stream: &'a mut St) -> Recv<'a, St> {
        Recv { stream }
    }
}

impl<St: ?Sized + Unpin> Unpin for Recv<'_, St> {}

rt::forwards! {
    [St: ?Sized + FusedStream + Unpin] Recv<'_, St>: FusedFuture => stream {
        fn is_terminated(&self) -> bool;
    }
}

impl<St: ?Sized + Stream + Unpin> Future for Recv<'_, St> {
    type Output = Result<St::Item, RecvError>;

    #[track_caller]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Not through a closure, which would be the caller.
        match Pin::new(&mut *self.get_mut().stream).poll_next(context) {
            Poll::Ready(Some(message)) => Poll::Ready(Ok(message)),
            Poll::Ready(None) => Poll::Ready(Err(RecvError)),
            Poll::Pending => Poll::Pending,
        }
    }
}
