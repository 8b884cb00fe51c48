//! The sending end.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{SendError, SendTimeoutError, TrySendError};
use rt::channel::{Channel, Message};
use rt::{chan, wait, EventKind, Loc, What};

use super::deadline_in;

/// The sending end of a channel.
pub struct Sender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Sender<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

impl<T> Sender<T> {
    /// Sends the value if there is room.
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
        self.send_until(msg, None, Location::caller()).map_err(|error| match error {
            SendTimeoutError::Timeout(value) | SendTimeoutError::Disconnected(value) => SendError(value),
        })
    }

    /// Sends the value, and waits for room until then.
    ///
    /// # Errors
    ///
    /// The value, when the time is over or there is no receiver.
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_until(msg, Some(deadline), Location::caller())
    }

    /// Sends the value, and waits for room for at most that long.
    ///
    /// # Errors
    ///
    /// The value, when the time is over or there is no receiver.
    ///
    /// # Panics
    ///
    /// Before 0.12, when there is no such time.
    #[track_caller]
    pub fn send_timeout(&self, msg: T, dur: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_until(msg, deadline_in(dur), Location::caller())
    }

    #[inline]
    fn send_until(
        &self,
        value: T,
        deadline: Option<Instant>,
        location: Loc,
    ) -> Result<(), SendTimeoutError<T>> {
        rt::delay(self.channel.head(), location);
        let sent = match self.offer(self.message(value, location), location) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => self.wait(message, deadline, location),
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
        // SAFETY: the message lives in the real channel, or in what borrows or owns an end; and each of them drops its share
        // of the identity last.
        unsafe { self.channel.message(value, location) }
    }

    /// Sends the message if there is room. That is known only afterwards, so that a receiver may be quicker to record it; the
    /// numbers put the two in order.
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
        deadline: Option<Instant>,
        location: Loc,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        let (number, head, timed) = (message.number(), self.channel.head(), deadline.is_some());
        wait::blocked(EventKind::SendWait, head, What::Recv, timed, location, || match deadline {
            Some(deadline) => self.real.send_deadline(message, deadline),
            None => self.real.send(message).map_err(SendTimeoutError::from),
        })?;
        chan::sent(head, number, location);
        Ok(())
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_flume_0_11)]
    pub fn downgrade(&self) -> super::WeakSender<T> {
        super::WeakSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

super::ends::both_ends!(Sender, chan::sender_dropped);
