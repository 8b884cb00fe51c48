//! Channels of which each message is received by one of the receivers.

mod ends;
mod iter;
mod receiver;
mod sender;
#[cfg(rv_flume_0_11)]
mod weak;

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rt::channel::Channel;
use rt::ObjectKind;

pub use iter::{Drain, IntoIter, Iter, TryIter};
#[cfg(any(feature = "async", feature = "select"))]
pub(crate) use receiver::taken;
pub use receiver::Receiver;
pub use sender::Sender;
#[cfg(rv_flume_0_11)]
pub use weak::WeakSender;

/// A channel for any number of messages.
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::unbounded();
    let channel = Channel::new(ObjectKind::FlumeChannel, 0, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

/// A channel for that many messages at once; with 0, sender and receiver meet.
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::bounded(cap);
    let channel = Channel::bounded(ObjectKind::FlumeChannel, cap, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

/// When a wait of this length is over: never, if there is no such time. Before 0.12 that was a panic.
fn deadline_in(length: Duration) -> Option<Instant> {
    let deadline = Instant::now().checked_add(length);
    if cfg!(rv_flume_0_12) {
        deadline
    } else {
        Some(deadline.unwrap())
    }
}

rt::exchanged_functions! {
    unbounded::<()> => real::unbounded::<()>;
    bounded::<()> => real::bounded::<()>;
}
