//! What the two ends of a channel share, and what travels between them.

use real::panic::Location;
use real::sync::{mpsc as std, Arc};

use recorder::chan::{self, Messages};
use recorder::{Head, Loc, ObjectKind};

use super::{Receiver, Sender, SyncSender};

/// A channel that holds any number of messages.
#[track_caller]
#[must_use]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Shared::new(Location::caller());
    let (sender, receiver) = std::channel();
    (Sender { real: sender, shared: shared.clone() }, Receiver { real: receiver, shared })
}

/// A channel that holds at most `bound` messages.
#[track_caller]
#[must_use]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let shared = Shared::new(Location::caller());
    shared.head.capacity(u32::try_from(bound).unwrap_or(u32::MAX));
    let (sender, receiver) = std::sync_channel(bound);
    (SyncSender { real: sender, shared: shared.clone() }, Receiver { real: receiver, shared })
}

/// What all ends of one channel share.
pub(super) struct Shared {
    pub(super) head: Head,
    messages: Messages,
}

impl Shared {
    fn new(born: Loc) -> Arc<Shared> {
        Arc::new(Shared { head: Head::new(ObjectKind::StdMpsc, born), messages: Messages::new() })
    }

    /// A message that is sent at this place. Where sends are not recorded its number is 0, so that nothing waits for
    /// the record of its send.
    #[inline]
    pub(super) fn message<T>(&self, value: T, location: Loc) -> Message<T> {
        let number = self.messages.number(location);
        Message { ticket: Ticket { shared: self, number }, value }
    }
}

/// A value on its way.
pub(super) struct Message<T> {
    // Before the value, so that what its destructor does comes after the record that it was lost.
    ticket: Ticket,
    value: T,
}

impl<T> Message<T> {
    /// The number that the message travels under.
    #[inline]
    pub(super) fn number(&self) -> u32 {
        self.ticket.number
    }

    /// The message arrived, or came back to its sender.
    #[inline]
    pub(super) fn open(self) -> (u32, T) {
        let Message { ticket, value } = self;
        (ticket.used(), value)
    }
}

/// The number of a message. Dropping it says that the message will never be received.
struct Ticket {
    /// Alive as long as the message is in the channel: whoever drops the last real end, and with it the messages that
    /// are left, still holds its own share of this.
    shared: *const Shared,
    number: u32,
}

// SAFETY: what it points to is `Sync` and outlives it.
unsafe impl Send for Ticket {}

impl Ticket {
    #[inline]
    fn used(self) -> u32 {
        let number = self.number;
        core::mem::forget(self);
        number
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // SAFETY: see the field.
        chan::undelivered(unsafe { &(*self.shared).head }, self.number);
    }
}
