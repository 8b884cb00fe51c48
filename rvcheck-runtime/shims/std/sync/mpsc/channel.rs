//! Making a channel, and what its ends share.

use real::panic::Location;
use real::sync::mpsc as std;

use recorder::channel::{Channel, Message};
use recorder::{Loc, ObjectKind};

use super::{Receiver, Sender, SyncSender};

/// A channel that holds any number of messages.
#[track_caller]
#[must_use]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Channel::new(ObjectKind::StdMpsc, 0, Location::caller());
    let (sender, receiver) = std::channel();
    (Sender::around(sender, channel.clone()), Receiver::around(receiver, channel))
}

/// A channel that holds at most `bound` messages; with 0, sender and receiver meet.
#[track_caller]
#[must_use]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Channel::bounded(ObjectKind::StdMpsc, bound, Location::caller());
    channel.head().announce();
    let (sender, receiver) = std::sync_channel(bound);
    (SyncSender::around(sender, channel.clone()), Receiver::around(receiver, channel))
}

/// A message that is sent at this place.
#[inline]
pub(super) fn message<T>(channel: &Channel, value: T, location: Loc) -> Message<T> {
    // SAFETY: the message lives in the real channel. Whoever drops the last real end, and with it the messages that are left,
    // still holds a share of the identity.
    unsafe { channel.message(value, location) }
}

recorder::exchanged_functions! {
    channel::<()> => std::channel::<()>;
    sync_channel::<()> => std::sync_channel::<()>;
}
