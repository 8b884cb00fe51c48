//! The sender of an unbounded channel.

use std::panic::Location;
use std::sync::Arc;
use std::task::{Context, Poll};

use real::mpsc::SendError;
use rt::channel::{Channel, Message, SenderEnd};
use rt::control::asks;
use rt::{chan, ObjectKind};

use super::sender::sender;
use super::{TrySendError, UnboundedReceiver};

/// A channel for any number of messages.
#[track_caller]
pub fn unbounded<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    let (sender, receiver) = real::mpsc::unbounded();
    let channel = Channel::new(ObjectKind::FuturesMpsc, 0, Location::caller());
    // SAFETY: the share of the channel is dropped last.
    let end = Some(unsafe { SenderEnd::new(&channel) });
    let sender = UnboundedSender { end, real: sender, channel: Arc::clone(&channel) };
    (sender, UnboundedReceiver::around(receiver, channel))
}

/// A sender that records what it sends.
pub struct UnboundedSender<T> {
    /// Dropped before the real sender. None once that is disconnected.
    end: Option<SenderEnd>,
    real: real::mpsc::UnboundedSender<Message<T>>,
    channel: Arc<Channel>,
}

rt::identified!([T] UnboundedSender<T>, it => it.channel.head().value());

impl<T> UnboundedSender<T> {
    /// Sends the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    #[inline]
    pub fn unbounded_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        let location = self.channel.place(Location::caller());
        asks(self.channel.head(), location);
        // SAFETY: the message lives in the real channel.
        let message = unsafe { self.channel.message(msg, location) };
        let number = message.number();
        match self.real.unbounded_send(message) {
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(error) => Err(TrySendError::of(error, &self.channel, location)),
        }
    }

    /// Sends the value.
    ///
    /// # Errors
    ///
    /// When there is no receiver.
    #[track_caller]
    pub fn start_send(&mut self, msg: T) -> Result<(), SendError> {
        self.unbounded_send(msg).map_err(TrySendError::into_send_error)
    }

    /// Polls for room, of which there is always enough.
    #[track_caller]
    pub fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        let polled = self.real.poll_ready(context);
        if let Poll::Ready(Err(_)) = polled {
            chan::closed(self.channel.head(), self.channel.place(Location::caller()));
        }
        polled
    }
}

impl<T> UnboundedSender<T> {
    /// Lets nobody send any more.
    #[track_caller]
    pub fn close_channel(&self) {
        let location = Location::caller();
        asks(self.channel.head(), location);
        chan::closes(self.channel.head(), location);
        self.real.close_channel();
    }
}

rt::forwards! {
    [T] UnboundedSender<T> {
        #[cfg(rv_futures_channel_0_3_29)] pub fn len(&self) -> usize;
        #[cfg(rv_futures_channel_0_3_29)] pub fn is_empty(&self) -> bool;
    }
}

impl<T> Clone for UnboundedSender<T> {
    fn clone(&self) -> UnboundedSender<T> {
        let real = self.real.clone();
        // SAFETY: the share of the channel is dropped last.
        let end = self.end.is_some().then(|| unsafe { SenderEnd::new(&self.channel) });
        UnboundedSender { end, real, channel: Arc::clone(&self.channel) }
    }
}

sender!(UnboundedSender, UnboundedReceiver);

rt::exchanged_functions! {
    unbounded::<()> => real::mpsc::unbounded::<()>;
}
