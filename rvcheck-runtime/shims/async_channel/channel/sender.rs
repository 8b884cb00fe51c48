//! The sender.

use std::panic::Location;
use std::sync::Arc;

use real::{SendError, TrySendError};
use rt::channel::{Channel, Message, SenderEnd};
use rt::{chan, wait, EventKind, Loc};

use super::Send;

/// A sender that records what it sends and when it has to wait.
pub struct Sender<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: SenderEnd,
    pub(super) real: real::Sender<Message<T>>,
    pub(super) channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    pub(super) fn around(real: real::Sender<Message<T>>, channel: Arc<Channel>) -> Sender<T> {
        // SAFETY: the share of the channel is dropped last.
        let end = unsafe { SenderEnd::new(&channel) };
        Sender { end, real, channel }
    }

    #[inline]
    fn message(&self, value: T, location: Loc) -> Message<T> {
        // SAFETY: the message lives in the real channel or in a future that borrows this.
        unsafe { self.channel.message(value, location) }
    }

    /// Sends the value if there is room.
    ///
    /// # Errors
    ///
    /// The value, when there is no room or the channel is closed.
    #[track_caller]
    #[inline]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        rt::delay(self.channel.head(), location);
        match self.attempt(self.message(msg, location), location) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => Err(TrySendError::Full(message.into_value())),
            Err(TrySendError::Closed(message)) => {
                Err(TrySendError::Closed(self.channel.refused(message, location)))
            }
        }
    }

    /// Recorded after the fact, so that a message that did not fit is never taken for a sent one. A receiver may be quicker to
    /// record it than we are; the numbers put the two in order.
    #[inline]
    fn attempt(&self, message: Message<T>, location: Loc) -> Result<(), TrySendError<Message<T>>> {
        let number = message.number();
        let sent = self.real.try_send(message);
        if sent.is_ok() {
            chan::sent(self.channel.head(), number, location);
        }
        sent
    }

    /// Waits for room and sends the value.
    #[track_caller]
    #[inline]
    pub fn send(&self, msg: T) -> Send<'_, T> {
        let location = Location::caller();
        Send::new(self, self.message(msg, location), location)
    }

    /// Waits for room and sends the value, and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// The value, when the channel is closed.
    #[cfg(any(feature = "std", not(rv_async_channel_2)))]
    #[track_caller]
    pub fn send_blocking(&self, msg: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        rt::delay(self.channel.head(), location);
        match self.attempt(self.message(msg, location), location) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => self.send_blocked(message, location),
            Err(TrySendError::Closed(message)) => Err(SendError(self.channel.refused(message, location))),
        }
    }

    #[cfg(any(feature = "std", not(rv_async_channel_2)))]
    #[cold]
    fn send_blocked(&self, message: Message<T>, location: Loc) -> Result<(), SendError<T>> {
        let number = message.number();
        let head = self.channel.head();
        let sent = wait::blocked(EventKind::SendWait, head, rt::What::Recv, false, location, || {
            let message = std::cell::Cell::new(Some(message));
            let future = || async { self.real.send(message.take().expect("it is sent once")).await };
            let really = || message.take().map_or(Ok(()), |message| self.real.send_blocking(message));
            rt::control::driving(location, future, really)
        });
        match sent {
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(SendError(message)) => Err(SendError(self.channel.refused(message, location))),
        }
    }

    /// Sends the value. Where there is no room, the oldest message makes room for it, which then counts as received here.
    ///
    /// # Errors
    ///
    /// The value, when the channel is closed.
    #[cfg(rv_async_channel_2_3)]
    #[track_caller]
    pub fn force_send(&self, msg: T) -> Result<Option<T>, SendError<T>> {
        let location = Location::caller();
        let message = self.message(msg, location);
        let number = message.number();
        rt::control::asks(self.channel.head(), location);
        match self.real.force_send(message) {
            Ok(displaced) => {
                chan::sent(self.channel.head(), number, location);
                Ok(displaced.map(|message| self.channel.received(message, location)))
            }
            Err(SendError(message)) => Err(SendError(self.channel.refused(message, location))),
        }
    }

    /// Waits until the channel is closed.
    #[cfg(rv_async_channel_2_5)]
    pub fn closed(&self) -> super::Closed<'_, T> {
        super::Closed::around(self.real.closed())
    }

    /// A sender that does not keep the channel open.
    pub fn downgrade(&self) -> super::WeakSender<T> {
        super::WeakSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

super::ends::both_ends!(Sender);
