//! The receiver.

use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::stream::{FusedStream, Stream};
use real::{RecvError, TryRecvError};
use rt::channel::{Channel, Message, ReceiverEnd};
use rt::wait::Wait;
use rt::{wait, EventKind};

use super::Recv;

/// A receiver that records what it receives and when it has to wait.
pub struct Receiver<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: ReceiverEnd,
    pub(super) real: real::Receiver<Message<T>>,
    wait: Wait,
    pub(super) channel: Arc<Channel>,
}

rt::identified!([T] Receiver<T>, it => it.channel.head().value());

impl<T> Receiver<T> {
    pub(super) fn around(real: real::Receiver<Message<T>>, channel: Arc<Channel>) -> Receiver<T> {
        // SAFETY: the share of the channel is dropped last.
        let end = unsafe { ReceiverEnd::new(&channel) };
        Receiver { end, real, wait: Wait::new(), channel }
    }

    /// Takes a message if there is one.
    ///
    /// # Errors
    ///
    /// When there is none, or when there will be no more.
    #[track_caller]
    #[inline]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        let is_known = |it: &Result<_, TryRecvError>| !matches!(it, Err(TryRecvError::Empty));
        let received = rt::control::trying(self.channel.head(), location, || self.real.try_recv(), is_known);
        self.channel.taken(received, TryRecvError::is_closed, location)
    }

    /// Waits for a message.
    #[track_caller]
    #[inline]
    pub fn recv(&self) -> Recv<'_, T> {
        Recv::new(self, Location::caller())
    }

    /// Waits for a message and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// When there will be no more.
    #[cfg(any(feature = "std", not(rv_async_channel_2)))]
    #[track_caller]
    pub fn recv_blocking(&self) -> Result<T, RecvError> {
        let location = Location::caller();
        rt::delay(self.channel.head(), location);
        match self.channel.taken(self.real.try_recv(), TryRecvError::is_closed, location) {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Closed) => return Err(RecvError),
            Err(TryRecvError::Empty) => {}
        }
        let head = self.channel.head();
        let received = wait::blocked(EventKind::RecvWait, head, rt::What::Recv, false, location, || {
            rt::control::driving(location, || self.real.recv(), || self.real.recv_blocking())
        });
        self.channel.taken(received, |_| true, location)
    }

    /// A receiver that does not keep the channel open.
    pub fn downgrade(&self) -> super::WeakReceiver<T> {
        super::WeakReceiver { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

impl<T> Stream for Receiver<T> {
    type Item = T;

    #[track_caller]
    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real receiver is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        let location = this.channel.place(Location::caller());
        if this.wait.is_delayed(this.channel.head(), location, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll_next(context));
        this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, location);
        polled.map(|message| this.channel.next(message, location))
    }
}

rt::forwards! {
    [T] Receiver<T>: FusedStream {
        fn is_terminated(&self) -> bool;
    }
}

super::ends::both_ends!(Receiver);
