//! The future of a receive.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::future::FusedFuture;
use real::RecvError;
use rt::channel::Message;
use rt::{wait, EventKind, Loc};

use super::owner::Owner;
use crate::channel::taken;
use crate::Receiver;

/// Waits for a message.
#[must_use = "futures/streams/sinks do nothing unless you `.await` or poll them"]
pub struct RecvFut<'a, T> {
    /// Before the receiver, which it borrows.
    real: real::r#async::RecvFut<'a, Message<T>>,
    waits: bool,
    location: Loc,
    receiver: Owner<'a, Receiver<T>>,
}

impl<'a, T> RecvFut<'a, T> {
    #[inline]
    pub(super) fn new(receiver: Owner<'a, Receiver<T>>, location: Loc) -> RecvFut<'a, T> {
        // SAFETY: the real future is dropped before the receiver.
        let real = unsafe { receiver.end() }.real.recv_async();
        RecvFut { real, waits: false, location, receiver }
    }
}

impl<T> Future for RecvFut<'_, T> {
    type Output = Result<T, RecvError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.real).poll(context) {
            Poll::Pending => {
                if !self.waits {
                    self.waits = true;
                    wait::begin(EventKind::RecvWait, self.receiver.channel.head(), 0, self.location);
                }
                Poll::Pending
            }
            Poll::Ready(received) => Poll::Ready(taken(&self.receiver.channel, received, self.location)),
        }
    }
}

impl<T> FusedFuture for RecvFut<'_, T> {
    fn is_terminated(&self) -> bool {
        self.real.is_terminated()
    }
}

super::says_of_channel!(RecvFut, receiver);
