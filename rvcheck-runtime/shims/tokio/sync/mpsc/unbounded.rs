//! The sender of an unbounded channel.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use real::sync::mpsc::error::SendError;
use rt::channel::{Channel, Message, SenderEnd};
use rt::{chan, ObjectKind};

use super::UnboundedReceiver;
#[cfg(rv_tokio_1_22)]
use super::WeakUnboundedSender;
use crate::sync::channel::{identity, message, sender_end};

/// A channel for any number of messages.
#[track_caller]
pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    let (sender, receiver) = real::sync::mpsc::unbounded_channel();
    let channel = identity(ObjectKind::TokioMpsc, 0, Location::caller());
    (UnboundedSender::around(sender, Arc::clone(&channel)), UnboundedReceiver::around(receiver, channel))
}

/// A sender that records what it sends.
pub struct UnboundedSender<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: SenderEnd,
    real: real::sync::mpsc::UnboundedSender<Message<T>>,
    channel: Arc<Channel>,
}

rt::identified!([T] UnboundedSender<T>, it => it.channel.head().value());

impl<T> UnboundedSender<T> {
    pub(super) fn around(
        real: real::sync::mpsc::UnboundedSender<Message<T>>,
        channel: Arc<Channel>,
    ) -> UnboundedSender<T> {
        UnboundedSender { end: sender_end(&channel), real, channel }
    }

    /// Sends the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    #[inline]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        if self.real.is_closed() {
            chan::closed(self.channel.head(), location);
            return Err(SendError(value));
        }
        self.real.send(message(&self.channel, value, location)).map_err(|SendError(message)| {
            chan::closed(self.channel.head(), location);
            SendError(message.into_unsent())
        })
    }

    /// Waits until all receivers are gone or closed.
    pub fn closed(&self) -> impl Future<Output = ()> + '_ {
        self.real.closed()
    }

    /// Whether the receiver is gone or closed.
    pub fn is_closed(&self) -> bool {
        self.real.is_closed()
    }

    /// Whether both send into one channel.
    #[cfg(rv_tokio_1_3)]
    pub fn same_channel(&self, other: &Self) -> bool {
        self.real.same_channel(&other.real)
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_tokio_1_22)]
    #[must_use = "Downgrade creates a WeakSender without destroying the original non-weak sender."]
    pub fn downgrade(&self) -> WeakUnboundedSender<T> {
        WeakUnboundedSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }

    /// How many senders there are.
    #[cfg(rv_tokio_1_37)]
    pub fn strong_count(&self) -> usize {
        self.real.strong_count()
    }

    /// How many weak senders there are.
    #[cfg(rv_tokio_1_37)]
    pub fn weak_count(&self) -> usize {
        self.real.weak_count()
    }
}

impl<T> Clone for UnboundedSender<T> {
    #[inline]
    fn clone(&self) -> UnboundedSender<T> {
        UnboundedSender::around(self.real.clone(), Arc::clone(&self.channel))
    }
}

impl<T> fmt::Debug for UnboundedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

rt::exchanged! {
    UnboundedSender<()> => real::sync::mpsc::UnboundedSender<()>;
}
