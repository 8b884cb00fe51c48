//! The receiver.

use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::stream::{FusedStream, Stream};
use real::{RecvError, TryRecvError};
use rt::channel::{Channel, Message, ReceiverEnd};
use rt::wait::Wait;
use rt::{chan, wait, EventKind, Loc};

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
        match self.real.try_recv() {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(error) => {
                if error.is_closed() {
                    chan::closed(self.channel.head(), location);
                }
                Err(error)
            }
        }
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
        match self.try_recv() {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Closed) => return Err(RecvError),
            Err(TryRecvError::Empty) => {}
        }
        wait::begin(EventKind::RecvWait, self.channel.head(), 0, location);
        let blocking = rt::block(rt::What::Recv, location);
        let received = self.real.recv_blocking();
        drop(blocking);
        taken(&self.channel, received, location)
    }

    /// A receiver that does not keep the channel open.
    pub fn downgrade(&self) -> super::WeakReceiver<T> {
        super::WeakReceiver { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

/// Records the message, or that there will be none.
#[inline]
pub(super) fn taken<T, E>(channel: &Channel, message: Result<Message<T>, E>, location: Loc) -> Result<T, E> {
    match message {
        Ok(message) => Ok(channel.received(message, location)),
        Err(error) => {
            chan::closed(channel.head(), location);
            Err(error)
        }
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
        // SAFETY: as above.
        let polled = unsafe { Pin::new_unchecked(&mut this.real) }.poll_next(context);
        this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, location);
        polled.map(|message| taken(&this.channel, message.ok_or(()), location).ok())
    }
}

rt::forwards! {
    [T] Receiver<T>: FusedStream {
        fn is_terminated(&self) -> bool;
    }
}

super::ends::both_ends!(Receiver);
