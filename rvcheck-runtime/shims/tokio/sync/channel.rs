//! The recorded side of channels. Those with a limit are recorded as they are made, and messages before they go into the real
//! channel.

use std::sync::Arc;

use rt::chan;
use rt::channel::{Channel, Message, ReceiverEnd, SenderEnd};
use rt::{Loc, ObjectKind};

/// A channel made at `born`; capacity 0 is no limit. Every end has a share of it, and drops it after the real end.
pub(super) fn identity(kind: ObjectKind, capacity: usize, born: Loc) -> Arc<Channel> {
    let channel = Channel::new(kind, capacity, born);
    if capacity > 0 {
        channel.head().announce();
    }
    channel
}

/// Records that a message goes into the channel at this place, and numbers it. 0 when nothing is recorded.
#[inline]
pub(super) fn sent(channel: &Channel, location: Loc) -> u32 {
    let number = channel.number(location);
    if number != 0 {
        chan::sent(channel.head(), number, location);
    }
    number
}

/// As [`sent`], for a message that is lost when nobody takes it.
#[inline]
pub(super) fn message<T>(channel: &Channel, value: T, location: Loc) -> Message<T> {
    // SAFETY: messages live in the real channel, and every end drops that before its share of the identity.
    let message = unsafe { channel.message(value, location) };
    if message.number() != 0 {
        chan::sent(channel.head(), message.number(), location);
    }
    message
}

/// The first field of a sender.
#[inline]
pub(super) fn sender_end(channel: &Arc<Channel>) -> SenderEnd {
    // SAFETY: the end that this belongs to drops its share later.
    unsafe { SenderEnd::new(channel) }
}

/// The first field of a receiver.
#[inline]
pub(super) fn receiver_end(channel: &Arc<Channel>) -> ReceiverEnd {
    // SAFETY: as above.
    unsafe { ReceiverEnd::new(channel) }
}
