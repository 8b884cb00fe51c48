//! The sending end.

use std::cell::Cell;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{SendError, SendTimeoutError, TrySendError};
use rt::channel::{Channel, Message};
use rt::control::meeting::{self, Side, Unmet};
use rt::{chan, control, wait, EventKind, Loc, What};

use super::Until;

/// The sending end of a channel.
pub struct Sender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Sender<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    pub(super) fn around(real: real::Sender<Message<T>>, channel: Arc<Channel>) -> Sender<T> {
        channel.sender_made();
        Sender { real, channel }
    }

    /// Sends the value if that is possible at once.
    ///
    /// # Errors
    ///
    /// The value, when there is no room or no receiver.
    #[track_caller]
    #[inline]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        control::tries(self.channel.head(), location);
        let sent = self.offer(self.message(msg, location), location);
        control::tried(self.channel.head(), !matches!(sent, Err(TrySendError::Full(_))));
        sent.map_err(|error| match error {
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
        self.try_to_send(message)?;
        chan::sent(self.channel.head(), number, location);
        Ok(())
    }

    #[inline]
    fn try_to_send(&self, message: Message<T>) -> Result<(), TrySendError<Message<T>>> {
        if self.channel.meets() {
            if let Some(handover) = meeting::meet(self.channel.head(), Side::Sends) {
                return Ok(handover.put(message));
            }
        }
        self.real.try_send(message)
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
            if !control::on() {
                return until.send(&self.real, message);
            }
            self.send_in_turn(message, until, location)
        });
        if matches!(sent, Err(SendTimeoutError::Timeout(_))) {
            wait::given_up(EventKind::SendWait, head, location);
        }
        sent?;
        chan::sent(head, number, location);
        Ok(())
    }
}

impl<T> Sender<T> {
    /// Sends the message in a controlled run, where nobody waits in the real call.
    fn send_in_turn(
        &self,
        message: Message<T>,
        until: Until,
        location: Loc,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        let (head, deadline) = (self.channel.head(), until.deadline());
        if self.channel.meets() {
            let is_over = |message| match self.real.try_send(message) {
                Ok(()) => Ok(()),
                Err(TrySendError::Full(message)) => Err((message, false)),
                Err(TrySendError::Disconnected(message)) => Err((message, true)),
            };
            // SAFETY: it is what goes through this channel.
            return match unsafe { meeting::send(head, location, deadline, message, is_over) } {
                Ok(()) => Ok(()),
                Err((message, Unmet::Closed)) => Err(SendTimeoutError::Disconnected(message)),
                Err((message, Unmet::TimedOut)) => Err(SendTimeoutError::Timeout(message)),
                Err((message, Unmet::Uncontrolled)) => until.send(&self.real, message),
            };
        }
        let message = Cell::new(Some(message));
        let attempt = || match self.real.try_send(message.take()?) {
            Ok(()) => Some(Ok(())),
            Err(TrySendError::Full(it)) => {
                message.set(Some(it));
                None
            }
            Err(TrySendError::Disconnected(it)) => Some(Err(SendTimeoutError::Disconnected(it))),
        };
        let late = || message.take().map_or(Ok(()), |it| Err(SendTimeoutError::Timeout(it)));
        let real = || message.take().map_or(Ok(()), |it| until.send(&self.real, it));
        control::waiting_until(head, location, deadline, attempt, late, real)
    }
}

impl<T> Drop for Sender<T> {
    #[inline]
    fn drop(&mut self) {
        self.channel.sender_dropped();
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
    [T] Sender<T>: Clone = around(real, channel);
    [T] Sender<T>: Debug;
}
