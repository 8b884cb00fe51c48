//! The receiving end.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{RecvError, RecvTimeoutError, TryRecvError};
use rt::channel::{Channel, Message};
use rt::control::meeting::{self, Side};
use rt::control::{self, Retried};
use rt::{wait, EventKind, Loc, What};

use super::{deadline_in, Drain};

/// The receiving end of a channel.
pub struct Receiver<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Receiver<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

rt::identified!([T] Receiver<T>, it => it.channel.head().value());

/// Records what came of a receive.
#[cfg(any(feature = "async", feature = "select"))]
#[inline]
pub(crate) fn taken<T>(
    channel: &Channel,
    received: Result<Message<T>, RecvError>,
    location: Loc,
) -> Result<T, RecvError> {
    channel.taken(received, |_| true, location)
}

impl<T> Receiver<T> {
    /// Takes the next message if there is one.
    ///
    /// # Errors
    ///
    /// When there is none, or when there will be no more.
    #[track_caller]
    #[inline]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        control::tries(self.channel.head(), location);
        let taken = self.take(location);
        control::tried(self.channel.head(), !matches!(taken, Err(TryRecvError::Empty)));
        taken
    }

    /// Waits for the next message.
    ///
    /// # Errors
    ///
    /// When there will be no more.
    #[track_caller]
    #[inline]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    /// Waits for the next message until then.
    ///
    /// # Errors
    ///
    /// When the time is over, or when there will be no more messages.
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        self.recv_until(Some(deadline), Location::caller())
    }

    /// Waits for the next message, for at most that long.
    ///
    /// # Errors
    ///
    /// When the time is over, or when there will be no more messages.
    ///
    /// # Panics
    ///
    /// Before 0.12, when there is no such time.
    #[track_caller]
    pub fn recv_timeout(&self, dur: Duration) -> Result<T, RecvTimeoutError> {
        self.recv_until(deadline_in(dur), Location::caller())
    }

    #[inline]
    pub(super) fn recv_at(&self, location: Loc) -> Result<T, RecvError> {
        self.recv_until(None, location).map_err(|_| RecvError::Disconnected)
    }

    #[inline]
    pub(super) fn take(&self, location: Loc) -> Result<T, TryRecvError> {
        self.channel.taken(self.attempt(location), |error| *error == TryRecvError::Disconnected, location)
    }

    #[inline]
    pub(crate) fn attempt(&self, location: Loc) -> Result<Message<T>, TryRecvError> {
        if self.channel.meets() {
            // Only who selects something waits there.
            let met = meeting::meet(self.channel.head(), Side::Receives);
            // SAFETY: it is what goes through this channel.
            if let Some(message) = met.and_then(|it| unsafe { it.receive(location) }) {
                return Ok(message);
            }
        }
        self.real.try_recv()
    }

    #[inline]
    fn recv_until(&self, deadline: Option<Instant>, location: Loc) -> Result<T, RecvTimeoutError> {
        rt::delay(self.channel.head(), location);
        match self.take(location) {
            Ok(value) => Ok(value),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => self.wait(deadline, location),
        }
    }

    fn wait(&self, deadline: Option<Instant>, location: Loc) -> Result<T, RecvTimeoutError> {
        let (head, timed) = (self.channel.head(), deadline.is_some());
        let received = wait::blocked(EventKind::RecvWait, head, What::Recv, timed, location, || {
            if control::on() {
                return self.recv_in_turn(deadline, location);
            }
            self.really(deadline)
        });
        self.channel.taken(received, |error| *error == RecvTimeoutError::Disconnected, location)
    }

    fn really(&self, deadline: Option<Instant>) -> Result<Message<T>, RecvTimeoutError> {
        match deadline {
            Some(deadline) => self.real.recv_deadline(deadline),
            None => self.real.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// Waits in a controlled run, where nobody does so in the real call.
    #[cfg(feature = "async")]
    fn recv_in_turn(&self, deadline: Option<Instant>, location: Loc) -> Result<Message<T>, RecvTimeoutError> {
        let mut receiving = self.real.recv_async();
        let receiving = std::pin::pin!(self.channel.reporting_waits(&mut receiving));
        match control::drive_until(receiving, location, deadline) {
            Retried::Got(received) => received.map_err(RecvTimeoutError::from),
            Retried::TimedOut => Err(RecvTimeoutError::Timeout),
            Retried::Uncontrolled => self.really(deadline),
        }
    }

    /// As above, by trying again and again.
    #[cfg(not(feature = "async"))]
    fn recv_in_turn(&self, deadline: Option<Instant>, location: Loc) -> Result<Message<T>, RecvTimeoutError> {
        if self.channel.meets() {
            let _left = control::outside(location);
            return self.really(deadline);
        }
        let attempt = || match self.real.try_recv() {
            Ok(message) => Some(Ok(message)),
            Err(TryRecvError::Disconnected) => Some(Err(RecvTimeoutError::Disconnected)),
            Err(TryRecvError::Empty) => None,
        };
        match control::retry_until(self.channel.head(), location, deadline, attempt) {
            Retried::Got(received) => received,
            Retried::TimedOut => Err(RecvTimeoutError::Timeout),
            Retried::Uncontrolled => self.really(deadline),
        }
    }

    /// The messages that are there now. All of them are taken out at once.
    #[track_caller]
    pub fn drain(&self) -> Drain<'_, T> {
        Drain { real: self.real.drain(), channel: &self.channel, location: Location::caller() }
    }
}

super::ends::both_ends!(Receiver, receiver_made, receiver_dropped);
