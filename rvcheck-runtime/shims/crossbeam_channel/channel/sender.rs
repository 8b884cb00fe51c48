//! The sending end.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{SendError, SendTimeoutError, TrySendError};
use rt::channel::{Channel, Message};
use rt::{chan, wait, EventKind, Loc, What};

use super::Until;

/// The sending end of a channel.
pub struct Sender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Sender<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

impl<T> Sender<T> {
    /// Sends the value if that is possible at once.
    ///
    /// # Errors
    ///
    /// The value, when there is no room or no receiver.
    #[track_caller]
    #[inline]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        self.offer(self.message(msg, location), location).map_err(|error| match error {
            TrySendError::Full(message) => TrySendError::Full(message.into_value()),
            TrySendError::Disconnected(message) => {
                TrySendError::Disconnected(self.channel.refused(message, location))
            }
        })
    }

    /// Sends the value, and waits for room if there is none.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    #[inline]
    pub fn send(&self, msg: T) -> Result<(), SendError<T>> {
        self.send_until(msg, Until::Done, Location::caller()).map_err(|error| SendError(error.into_inner()))
    }

    /// Sends the value, and waits for room for at most that long.
    ///
    /// # Errors
    ///
    /// The value, when the time is over or there is no receiver.
    #[track_caller]
    pub fn send_timeout(&self, msg: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_until(msg, Until::Over(timeout), Location::caller())
    }

    /// Sends the value, and waits for room until then.
    ///
    /// # Errors
    ///
    /// The value, when the time is over or there is no receiver.
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_until(msg, Until::Deadline(deadline), Location::caller())
    }

    #[inline]
    fn send_until(&self, value: T, until: Until, location: Loc) -> Result<(), SendTimeoutError<T>> {
        rt::delay(self.channel.head(), location);
        let sent = match self.offer(self.message(value, location), location) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => self.wait(message, until, location),
            Err(TrySendError::Disconnected(message)) => Err(SendTimeoutError::Disconnected(message)),
        };
        sent.map_err(|error| match error {
            SendTimeoutError::Timeout(message) => SendTimeoutError::Timeout(message.into_value()),
            SendTimeoutError::Disconnected(message) => {
                SendTimeoutError::Disconnected(self.channel.refused(message, location))
            }
        })
    }

    #[inline]
    pub(crate) fn message(&self, value: T, location: Loc) -> Message<T> {
        // SAFETY: the message lives in the real channel, and all ends drop that before their share of the identity.
        unsafe { self.channel.message(value, location) }
    }

    /// Sends the message if that is possible at once. That is known only afterwards, so that a receiver may be quicker to
    /// record it; the numbers put the two in order.
    #[inline]
    fn offer(&self, message: Message<T>, location: Loc) -> Result<(), TrySendError<Message<T>>> {
        let number = message.number();
        self.real.try_send(message)?;
        chan::sent(self.channel.head(), number, location);
        Ok(())
    }

    /// Sends the message when there is room.
    fn wait(
        &self,
        message: Message<T>,
        until: Until,
        location: Loc,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        let (number, head) = (message.number(), self.channel.head());
        let sent = wait::blocked(EventKind::SendWait, head, What::Recv, until.is_timed(), location, || {
            until.send(&self.real, message)
        });
        if matches!(sent, Err(SendTimeoutError::Timeout(_))) {
            wait::given_up(EventKind::SendWait, head, location);
        }
        sent?;
        chan::sent(head, number, location);
        Ok(())
    }
}

impl<T> Drop for Sender<T> {
    #[inline]
    fn drop(&mut self) {
        chan::sender_dropped(self.channel.head());
    }
}

rt::forwards! {
    [T] Sender<T> {
        pub fn is_empty(&self) -> bool;
        pub fn is_full(&self) -> bool;
        pub fn len(&self) -> usize;
        pub fn capacity(&self) -> Option<usize>;
        pub fn same_channel(&self, other: &Self) -> bool;
    }
    [T] Sender<T>: Clone { real, channel };
    [T] Sender<T>: Debug;
}
