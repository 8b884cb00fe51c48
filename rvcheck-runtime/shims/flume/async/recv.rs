//! The future of a receive.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::future::FusedFuture;
use real::RecvError;
use rt::channel::Message;
use rt::wait::Wait;
use rt::{EventKind, Loc};

use super::owner::Owner;
use crate::channel::taken;
use crate::Receiver;

/// Waits for a message.
#[must_use = "futures/streams/sinks do nothing unless you `.await` or poll them"]
pub struct RecvFut<'a, T> {
    /// Before the receiver, which it borrows.
    real: real::r#async::RecvFut<'a, Message<T>>,
    wait: Wait,
    location: Loc,
    receiver: Owner<'a, Receiver<T>>,
}

impl<'a, T> RecvFut<'a, T> {
    #[inline]
    pub(super) fn new(receiver: Owner<'a, Receiver<T>>, location: Loc) -> RecvFut<'a, T> {
        // SAFETY: the real future is dropped before the receiver.
        let real = unsafe { receiver.end() }.real.recv_async();
        RecvFut { real, wait: Wait::new(), location, receiver }
    }
}

impl<T> Future for RecvFut<'_, T> {
    type Output = Result<T, RecvError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        let this = &mut *self;
        if this.wait.is_delayed(this.receiver.channel.head(), this.location, context) {
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.real).poll(context);
        this.wait.polled(&polled, EventKind::RecvWait, this.receiver.channel.head(), 0, this.location);
        if polled.is_pending() {
            this.receiver.channel.waits();
        }
        polled.map(|received| taken(&this.receiver.channel, received, this.location))
    }
}

rt::forwards! {
    [T] RecvFut<'_, T>: FusedFuture {
        fn is_terminated(&self) -> bool;
    }
}

super::says_of_channel!(RecvFut, receiver);
