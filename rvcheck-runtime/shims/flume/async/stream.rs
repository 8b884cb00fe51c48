//! The stream of a receiver.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::stream::{FusedStream, Stream};
use real::RecvError;
use rt::channel::Message;
use rt::wait::Wait;
use rt::{EventKind, Loc};

use super::owner::Owner;
use crate::channel::taken;
use crate::Receiver;

/// Messages until there will be no more.
pub struct RecvStream<'a, T> {
    /// Before the receiver, which it borrows.
    real: real::r#async::RecvStream<'a, Message<T>>,
    wait: Wait,
    location: Loc,
    receiver: Owner<'a, Receiver<T>>,
}

impl<'a, T> RecvStream<'a, T> {
    pub(super) fn new(receiver: Owner<'a, Receiver<T>>, location: Loc) -> RecvStream<'a, T> {
        // SAFETY: the real stream is dropped before the receiver.
        let real = unsafe { receiver.end() }.real.stream();
        RecvStream { real, wait: Wait::new(), location, receiver }
    }
}

impl<T> Stream for RecvStream<'_, T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let context = &mut rt::waker::real(context);
        let this = &mut *self;
        if this.wait.is_delayed(this.receiver.channel.head(), this.location, context) {
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.real).poll_next(context);
        this.wait.polled(&polled, EventKind::RecvWait, this.receiver.channel.head(), 0, this.location);
        if polled.is_pending() {
            this.receiver.channel.waits();
        }
        polled.map(|message| {
            let received = message.ok_or(RecvError::Disconnected);
            taken(&this.receiver.channel, received, this.location).ok()
        })
    }
}

rt::forwards! {
    ['a, T] RecvStream<'a, T> => receiver {
        #[cfg(rv_flume_0_11)] pub fn same_channel(&self, other: &Self) -> bool;
    }
    [T] RecvStream<'_, T>: FusedStream {
        fn is_terminated(&self) -> bool;
    }
}

impl<T> Clone for RecvStream<'_, T> {
    fn clone(&self) -> Self {
        RecvStream::new(self.receiver.clone(), self.location)
    }
}

super::says_of_channel!(RecvStream, receiver);
