//! The sender of an unbounded channel.

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
        rt::delay(self.channel.head(), location);
        if self.real.is_closed() {
            chan::closed(self.channel.head(), location);
            return Err(SendError(value));
        }
        self.real.send(message(&self.channel, value, location)).map_err(|SendError(message)| {
            chan::closed(self.channel.head(), location);
            SendError(message.into_unsent())
        })
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_tokio_1_22)]
    #[must_use = "Downgrade creates a WeakSender without destroying the original non-weak sender."]
    pub fn downgrade(&self) -> WeakUnboundedSender<T> {
        WeakUnboundedSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

rt::forwards! {
    [T] UnboundedSender<T> {
        pub fn closed(&self) -> impl Future<Output = ()> + '_;
        pub fn is_closed(&self) -> bool;
        #[cfg(rv_tokio_1_3)] pub fn same_channel(&self, other: &Self) -> bool;
        #[cfg(rv_tokio_1_37)] pub fn strong_count(&self) -> usize;
        #[cfg(rv_tokio_1_37)] pub fn weak_count(&self) -> usize;
    }
    [T] UnboundedSender<T>: Clone = around(real, channel);
    [T] UnboundedSender<T>: Debug;
}

rt::exchanged! {
    UnboundedSender<()> => real::sync::mpsc::UnboundedSender<()>;
}

rt::exchanged_functions! {
    unbounded_channel::<()> => real::sync::mpsc::unbounded_channel::<()>;
}
