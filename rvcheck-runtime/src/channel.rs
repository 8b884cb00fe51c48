//! What the shims of channels have in common: the identity of a channel, and the messages that travel through the real
//! one with their numbers.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rvcheck_event::kind::ObjectKind;
use rvcheck_event::record::NO_ROOM;

use crate::annotations::observing::messages;
use crate::chan::{self, Messages};
use crate::memory::List;
use crate::{EndingHead, Head, Loc, at_work, control, site, statics, switch, under_way};

/// The recorded side of a channel. Every end has a share of it, which it drops after the real end.
#[derive(Debug)]
pub struct Channel {
    head: EndingHead,
    messages: Messages,
    born: Loc,
    senders: AtomicU32,
    receivers: AtomicU32,
    /// The numbers of messages that were never sent, and are about to be dropped.
    withdrawn: Mutex<List<u32>>,
}

impl Channel {
    /// A channel made at `born`; capacity 0 is no limit.
    pub fn new(kind: ObjectKind, capacity: usize, born: Loc) -> Arc<Channel> {
        Channel::sized(kind, capacity.min(NO_ROOM as usize - 1), born)
    }

    /// A channel made at `born` for at most so many messages; with 0, whoever sends meets whoever receives.
    pub fn bounded(kind: ObjectKind, capacity: usize, born: Loc) -> Arc<Channel> {
        if capacity == 0 {
            Channel::sized(kind, NO_ROOM as usize, born)
        } else {
            Channel::new(kind, capacity, born)
        }
    }

    fn sized(kind: ObjectKind, capacity: usize, born: Loc) -> Arc<Channel> {
        let head = EndingHead::sized(kind, born, capacity);
        if statics::initialises() {
            // It has to be known as one that a static keeps before it is used elsewhere.
            head.announce();
        }
        Arc::new(Channel {
            head,
            messages: Messages::new(),
            born,
            senders: AtomicU32::new(0),
            receivers: AtomicU32::new(0),
            withdrawn: Mutex::new(List::new()),
        })
    }

    /// There is one more sender.
    #[inline]
    pub fn sender_made(&self) {
        self.senders.fetch_add(1, Ordering::Relaxed);
    }

    /// There is one more receiver.
    #[inline]
    pub fn receiver_made(&self) {
        self.receivers.fetch_add(1, Ordering::Relaxed);
    }

    /// A sender is gone.
    #[inline]
    pub fn sender_dropped(&self) {
        chan::sender_dropped(&self.head, left(&self.senders));
    }

    /// A receiver is gone.
    #[inline]
    pub fn receiver_dropped(&self) {
        chan::receiver_dropped(&self.head, left(&self.receivers));
    }

    /// Whether senders and receivers have to meet in a controlled run, since there is no room for messages.
    #[inline]
    pub fn meets(&self) -> bool {
        control::on() && self.head.room() == NO_ROOM
    }

    /// Somebody waits at the real channel from now on. Where there is no room, those who try have something to meet.
    #[inline]
    pub fn waits(&self) {
        if self.meets() {
            control::changed(&self.head);
        }
    }

    /// The future, whose waiting is reported by [`Channel::waits`].
    pub fn reporting_waits<F: Future + Unpin>(&self, mut future: F) -> impl Future<Output = F::Output> {
        core::future::poll_fn(move |context| {
            let polled = Pin::new(&mut future).poll(context);
            if polled.is_pending() {
                self.waits();
            }
            polled
        })
    }

    /// The identity.
    #[inline]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The place of a poll, unless it lies in a dependency: then the place where the channel was made.
    #[inline]
    pub fn place(&self, poll: Loc) -> Loc {
        site::own_or(poll, self.born)
    }

    /// The number of the next message; 0 where sends are not recorded.
    #[inline]
    pub fn number(&self, location: Loc) -> u32 {
        self.messages.number(location)
    }

    /// A message that is to be sent at this place. Where sends are not recorded its number is 0.
    ///
    /// # Safety
    ///
    /// The message may not outlive the channel. It does not where it lives in the real channel, or in a future that borrows
    /// an end, and every end drops its share last.
    #[inline]
    pub unsafe fn message<T>(&self, value: T, location: Loc) -> Message<T> {
        let number = self.number(location);
        messages::prepared(&self.head, number, &value, location);
        under_way::begins(&self.head, number);
        Message { mark: Mark { number, channel: NonNull::from(self) }, value }
    }

    /// A message whose sending is not recorded, wherever that is.
    ///
    /// # Safety
    ///
    /// As for [`Channel::message`].
    #[inline]
    pub unsafe fn unrecorded<T>(&self, value: T) -> Message<T> {
        Message { mark: Mark { number: 0, channel: NonNull::from(self) }, value }
    }

    /// Records that the message was received.
    #[inline]
    pub fn received<T>(&self, message: Message<T>, location: Loc) -> T {
        let number = message.number();
        // Where it is sent only now, whoever sends it says so.
        let value = message.taken();
        under_way::wait(&self.head, number);
        chan::received(&self.head, number, location);
        messages::passed(&self.head, &value, messages::Side::Receive, location);
        value
    }

    /// Records what came of a receive: a message, or that there will be no more, where this is what the error says.
    #[inline]
    pub fn taken<T, E>(
        &self,
        received: Result<Message<T>, E>,
        is_closed: impl FnOnce(&E) -> bool,
        location: Loc,
    ) -> Result<T, E> {
        match received {
            Ok(message) => Ok(self.received(message, location)),
            Err(error) => {
                if is_closed(&error) {
                    chan::closed(&self.head, location);
                }
                Err(error)
            }
        }
    }

    /// The same where nothing says that there will be no more.
    #[inline]
    pub fn next<T>(&self, received: Option<Message<T>>, location: Loc) -> Option<T> {
        self.taken(received.ok_or(()), |()| true, location).ok()
    }

    /// Records that the channel was found closed. The value that could not be sent.
    pub fn refused<T>(&self, message: Message<T>, location: Loc) -> T {
        chan::closed(&self.head, location);
        message.into_value()
    }

    /// The message of this number, which was never sent, is about to be dropped by the real crate: that is no loss.
    pub fn withdraw(&self, number: u32) {
        if number != 0
            && switch::on()
            && let Some(_at_work) = at_work::enter()
        {
            self.withdrawn.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        }
    }

    /// A message was dropped by the real crate.
    #[cold]
    fn dropped(&self, number: u32) {
        messages::settled(&self.head, number, false);
        under_way::ends(&self.head, number);
        if !self.reclaim(number) {
            chan::undelivered(&self.head, number);
        }
    }

    /// Takes back what [`Channel::withdraw`] said of the message of this number. Whether the real crate has not dropped it:
    /// then it is in the channel, or was received.
    pub fn reclaim(&self, number: u32) -> bool {
        // In a forked child the lock may be held for ever.
        if !switch::on() {
            return false;
        }
        let Some(_at_work) = at_work::enter() else { return false };
        let mut withdrawn = self.withdrawn.lock().unwrap_or_else(PoisonError::into_inner);
        let at = withdrawn.iter().position(|it| *it == number);
        at.map(|at| withdrawn.swap_remove(at)).is_some()
    }
}

/// One less, and how many are left.
fn left(ends: &AtomicU32) -> u32 {
    ends.fetch_sub(1, Ordering::Relaxed).wrapping_sub(1)
}

/// A value on its way. Dropping this records that it was never received.
pub struct Message<T> {
    /// Before the value, so that what its destructor does comes after the record that it was lost.
    mark: Mark,
    value: T,
}

impl<T> Message<T> {
    /// The number that it travels under; 0 when its send is not recorded.
    #[inline]
    pub fn number(&self) -> u32 {
        self.mark.number
    }

    /// The value of a message that was recorded as sent and came back. That it was never received is recorded.
    #[inline]
    pub fn into_unsent(self) -> T {
        self.value
    }

    /// The value, which was not sent, and of which nothing more is recorded.
    #[inline]
    pub fn into_value(self) -> T {
        if self.mark.number != 0 {
            // SAFETY: messages do not outlive the channel.
            let head = &unsafe { self.mark.channel.as_ref() }.head;
            messages::settled(head, self.mark.number, false);
            under_way::ends(head, self.mark.number);
        }
        self.taken()
    }

    fn taken(self) -> T {
        let Message { mark, value } = self;
        mem::forget(mark);
        value
    }
}

impl<T: fmt::Debug> fmt::Debug for Message<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

struct Mark {
    number: u32,
    channel: NonNull<Channel>,
}

// SAFETY: the pointer is a shared reference to something `Sync`.
unsafe impl Send for Mark {}
// SAFETY: as above.
unsafe impl Sync for Mark {}

impl Drop for Mark {
    #[inline]
    fn drop(&mut self) {
        if self.number != 0 {
            // SAFETY: messages do not outlive the channel.
            unsafe { self.channel.as_ref() }.dropped(self.number);
        }
    }
}

macro_rules! ends {
    ($($(#[$doc:meta])* $name:ident: $made:ident, $dropped:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name(NonNull<Channel>);

        // SAFETY: the pointer is a shared reference to something `Sync`.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl $name {
            /// One end of this channel.
            ///
            /// # Safety
            ///
            /// It may not outlive the channel.
            #[inline]
            pub unsafe fn new(channel: &Channel) -> $name {
                channel.$made();
                $name(NonNull::from(channel))
            }
        }

        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: the end that this belongs to drops its share of the channel later.
                unsafe { self.0.as_ref() }.$dropped();
            }
        }
    )*};
}

ends! {
    /// The first field of a sender: dropping it records that the sender is gone, while the real one is still there.
    SenderEnd: sender_made, sender_dropped;
    /// The first field of a receiver.
    ReceiverEnd: receiver_made, receiver_dropped;
}
