//! The sending ends.
//!
//! Sends are recorded after the fact, so that a message that did not fit is never taken for a sent one. A receiver may be
//! quicker to record it; the numbers put the two in order.

use core::cell::Cell;
use real::panic::Location;
use real::sync::{mpsc as std, Arc};

use recorder::channel::{Channel, Message};
use recorder::control::meeting::{self, Side, Unmet};
use recorder::{chan, control, delay, wait, EventKind, Loc, What};

use super::channel::message;
use super::{SendError, TrySendError};

/// The sending end of an unbounded channel.
pub struct Sender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    real: std::Sender<Message<T>>,
    channel: Arc<Channel>,
}

recorder::identified!([T] Sender<T>, it => it.channel.head().value());

/// The sending end of a bounded channel.
pub struct SyncSender<T> {
    // As above.
    real: std::SyncSender<Message<T>>,
    channel: Arc<Channel>,
}

recorder::identified!([T] SyncSender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    /// Sends a value.
    ///
    /// # Errors
    ///
    /// When the receiver is gone.
    #[track_caller]
    #[inline]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        delay(self.channel.head(), location);
        let message = message(&self.channel, t, location);
        let number = message.number();
        match self.real.send(message) {
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(SendError(message)) => Err(SendError(self.channel.refused(message, location))),
        }
    }
}

impl<T> SyncSender<T> {
    /// Sends a value, and waits for room if there is none.
    ///
    /// # Errors
    ///
    /// When the receiver is gone.
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        delay(self.channel.head(), location);
        let message = message(&self.channel, t, location);
        let number = message.number();
        let message = match self.offer(message) {
            Ok(()) => return Ok(chan::sent(self.channel.head(), number, location)),
            Err(TrySendError::Full(message) | TrySendError::Disconnected(message)) => message,
        };
        let head = self.channel.head();
        if self.channel.meets() {
            return self.meet(message, location).map(|()| chan::sent(head, number, location));
        }
        let waiting = Cell::new(Some(message));
        let attempt = || match self.real.try_send(waiting.take()?) {
            Ok(()) => Some(Ok(())),
            Err(TrySendError::Disconnected(message)) => Some(Err(SendError(message))),
            Err(TrySendError::Full(message)) => {
                waiting.set(Some(message));
                None
            }
        };
        let send = || waiting.take().map_or(Ok(()), |message| self.real.send(message));
        match wait::blocked(EventKind::SendWait, head, What::Recv, false, location, || {
            control::waiting(head, location, attempt, send)
        }) {
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(SendError(message)) => Err(SendError(self.channel.refused(message, location))),
        }
    }

    /// Sends a value if there is room.
    ///
    /// # Errors
    ///
    /// When there is none, or when the receiver is gone.
    #[track_caller]
    pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        delay(self.channel.head(), location);
        let message = message(&self.channel, t, location);
        let number = message.number();
        match self.offer(message) {
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(TrySendError::Full(message)) => Err(TrySendError::Full(message.into_value())),
            Err(TrySendError::Disconnected(message)) => {
                Err(TrySendError::Disconnected(self.channel.refused(message, location)))
            }
        }
    }
}

impl<T> SyncSender<T> {
    /// Sends the message if that is possible at once.
    #[inline]
    fn offer(&self, message: Message<T>) -> Result<(), TrySendError<Message<T>>> {
        if self.channel.meets() {
            if let Some(handover) = meeting::meet(self.channel.head(), Side::Sends) {
                return Ok(handover.put(message));
            }
        }
        self.real.try_send(message)
    }

    /// Sends the message through a channel without room, in a controlled run.
    fn meet(&self, message: Message<T>, location: Loc) -> Result<(), SendError<T>> {
        let head = self.channel.head();
        let is_over = |message| match self.real.try_send(message) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => Err((message, false)),
            Err(TrySendError::Disconnected(message)) => Err((message, true)),
        };
        let sent = wait::blocked(EventKind::SendWait, head, What::Recv, false, location, || {
            // SAFETY: it is what goes through this channel.
            unsafe { meeting::send(head, location, None, message, is_over) }
        });
        match sent {
            Ok(()) => Ok(()),
            Err((message, Unmet::Closed)) => Err(SendError(self.channel.refused(message, location))),
            Err((message, _)) => {
                let sent = self.real.send(message);
                sent.map_err(|SendError(message)| SendError(self.channel.refused(message, location)))
            }
        }
    }
}

macro_rules! ends {
    ($($end:ident)*) => {$(
        impl<T> $end<T> {
            pub(super) fn around(real: std::$end<Message<T>>, channel: Arc<Channel>) -> $end<T> {
                channel.sender_made();
                $end { real, channel }
            }
        }

        impl<T> Drop for $end<T> {
            #[inline]
            fn drop(&mut self) {
                self.channel.sender_dropped();
            }
        }

        recorder::forwards! {
            [T] $end<T>: Clone = around(real, channel);
            [T] $end<T>: Debug;
        }
    )*};
}

ends! { Sender SyncSender }
