//! What the ends of a channel have in common: its identity, and the numbers of its messages.

use std::fmt;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;

use rt::chan::{self, Messages};
use rt::{Head, Loc, ObjectKind};

/// The recorded side of a channel. Every end has an `Arc` of it, and drops it after the real end.
pub(super) struct Shared {
    pub(super) head: Head,
    messages: Messages,
    born: Loc,
}

impl Shared {
    /// A channel made at `born`; capacity 0 is no limit.
    pub(super) fn new(kind: ObjectKind, capacity: usize, born: Loc) -> Arc<Shared> {
        let shared = Shared { head: Head::new(kind, born), messages: Messages::new(), born };
        if capacity > 0 {
            shared.head.capacity(u32::try_from(capacity).unwrap_or(u32::MAX));
        }
        Arc::new(shared)
    }

    /// Records that a message goes into the channel at this place, and numbers it. 0 when nothing is recorded.
    #[inline]
    pub(super) fn number(&self, location: Loc) -> u32 {
        let number = self.messages.number(location);
        if number != 0 {
            chan::sent(&self.head, number, location);
        }
        number
    }

    /// As [`Shared::number`], for a message that is lost when nobody takes it.
    #[inline]
    pub(super) fn message<T>(&self, value: T, location: Loc) -> Message<T> {
        Message { mark: Mark { number: self.number(location), channel: NonNull::from(self) }, value }
    }

    /// Records that the message was received.
    #[inline]
    pub(super) fn received<T>(&self, message: Message<T>, location: Loc) -> T {
        let Message { mark, value } = message;
        chan::received(&self.head, mark.number, location);
        mem::forget(mark);
        value
    }

    /// The place of a poll, unless it lies in a dependency: then the place where the channel was made.
    #[inline]
    pub(super) fn place(&self, poll: Loc) -> Loc {
        rt::own_or(poll, self.born)
    }
}

/// A message on its way.
pub(super) struct Message<T> {
    mark: Mark,
    value: T,
}

impl<T> Message<T> {
    /// A message that nothing is recorded of.
    #[cfg(not(rv_tokio_1_1))]
    pub(super) fn unrecorded(value: T, shared: &Shared) -> Message<T> {
        Message { mark: Mark { number: 0, channel: NonNull::from(shared) }, value }
    }

    /// The value that could not be sent after all. That its message was never received is recorded.
    pub(super) fn into_unsent(self) -> T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Message<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Dropping this records that the message was never received.
struct Mark {
    number: u32,
    channel: NonNull<Shared>,
}

// SAFETY: the pointer is a shared reference to something `Sync`.
unsafe impl Send for Mark {}
// SAFETY: as above.
unsafe impl Sync for Mark {}

impl Drop for Mark {
    #[inline]
    fn drop(&mut self) {
        if self.number != 0 {
            // SAFETY: messages live in the real channel, and every end drops that before its share in this.
            chan::undelivered(unsafe { &self.channel.as_ref().head }, self.number);
        }
    }
}

macro_rules! ends {
    ($($(#[$doc:meta])* $name:ident: $dropped:path;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name(NonNull<Shared>);

        // SAFETY: the pointer is a shared reference to something `Sync`.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl $name {
            #[inline]
            pub(super) fn new(shared: &Arc<Shared>) -> $name {
                $name(NonNull::from(&**shared))
            }
        }

        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: the end that this belongs to drops its share later.
                $dropped(unsafe { &self.0.as_ref().head });
            }
        }
    )*};
}

ends! {
    /// The first field of a sender: dropping it records that the sender is gone, while the real one is still there.
    SenderEnd: chan::sender_dropped;
    /// The first field of a receiver.
    ReceiverEnd: chan::receiver_dropped;
}
