//! The sending end.

use std::cell::Cell;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{SendError, SendTimeoutError, TrySendError};
use rt::channel::{Channel, Message};
use rt::control::meeting::{self, Side};
use rt::{chan, control, wait, EventKind, Loc, What};

use super::deadline_in;

/// The sending end of a channel.
pub struct Sender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Sender<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

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
        self.try_to_send(message)?;
        chan::sent(self.channel.head(), number, location);
        Ok(())
    }

    #[inline]
    pub(crate) fn try_to_send(&self, message: Message<T>) -> Result<(), TrySendError<Message<T>>> {
        if self.channel.meets() {
            // Only who selects something waits there.
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
        deadline: Option<Instant>,
        location: Loc,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        let (number, head, timed) = (message.number(), self.channel.head(), deadline.is_some());
        wait::blocked(EventKind::SendWait, head, What::Recv, timed, location, || {
            if control::on() {
                return self.send_in_turn(message, deadline, location);
            }
            self.really(message, deadline)
        })?;
        chan::sent(head, number, location);
        Ok(())
    }

    fn really(
        &self,
        message: Message<T>,
        deadline: Option<Instant>,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        match deadline {
            Some(deadline) => self.real.send_deadline(message, deadline),
            None => self.real.send(message).map_err(SendTimeoutError::from),
        }
    }

    /// Sends the message in a controlled run, where nobody waits in the real call.
    fn send_in_turn(
        &self,
        message: Message<T>,
        deadline: Option<Instant>,
        location: Loc,
    ) -> Result<(), SendTimeoutError<Message<T>>> {
        let head = self.channel.head();
        // Who has no limit of time has a place in the real queue.
        #[cfg(feature = "async")]
        if deadline.is_none() {
            let mut sending = self.real.send_async(message);
            let sent = control::drive(std::pin::pin!(self.channel.reporting_waits(&mut sending)), location);
            return sent.unwrap_or(Ok(())).map_err(SendTimeoutError::from);
        }
        if cfg!(not(feature = "async")) && self.channel.meets() {
            let _left = control::outside(location);
            return self.really(message, deadline);
        }
        let message = Cell::new(Some(message));
        let attempt = || match self.try_to_send(message.take()?) {
            Ok(()) => Some(Ok(())),
            Err(TrySendError::Full(it)) => {
                message.set(Some(it));
                None
            }
            Err(TrySendError::Disconnected(it)) => Some(Err(SendTimeoutError::Disconnected(it))),
        };
        let late = || message.take().map_or(Ok(()), |it| Err(SendTimeoutError::Timeout(it)));
        let real = || message.take().map_or(Ok(()), |it| self.really(it, deadline));
        control::waiting_until(head, location, deadline, attempt, late, real)
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_flume_0_11)]
    pub fn downgrade(&self) -> super::WeakSender<T> {
        super::WeakSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

super::ends::both_ends!(Sender, sender_made, sender_dropped);
