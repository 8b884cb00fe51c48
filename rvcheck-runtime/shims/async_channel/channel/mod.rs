//! Channels of which each message is received by one of the receivers.

#[cfg(rv_async_channel_2_5)]
mod closed;
mod ends;
mod receiver;
mod recv;
mod send;
mod sender;
mod weak;

use std::panic::Location;
use std::sync::Arc;

use rt::channel::Channel;
use rt::ObjectKind;

#[cfg(rv_async_channel_2_5)]
pub use closed::Closed;
pub use receiver::Receiver;
pub use recv::Recv;
pub use send::Send;
pub use sender::Sender;
pub use weak::{WeakReceiver, WeakSender};

/// A channel for that many messages at once.
///
/// # Panics
///
/// When the number is 0.
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::bounded(cap);
    let channel = Channel::new(ObjectKind::AsyncChannel, cap, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

/// A channel for any number of messages.
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::unbounded();
    let channel = Channel::new(ObjectKind::AsyncChannel, 0, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

rt::exchanged_functions! {
    unbounded::<()> => real::unbounded::<()>;
    bounded::<()> => real::bounded::<()>;
}
