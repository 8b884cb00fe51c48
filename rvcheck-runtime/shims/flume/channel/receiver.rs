//! The receiving end.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{RecvError, RecvTimeoutError, TryRecvError};
use rt::channel::{Channel, Message};
use rt::{chan, wait, EventKind, Loc, What};

use super::{deadline_in, Drain, IntoIter, Iter, TryIter};

/// The receiving end of a channel.
pub struct Receiver<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(crate) real: real::Receiver<Message<T>>,
    pub(crate) channel: Arc<Channel>,
}

/// Records what came of a receive.
#[cfg(any(feature = "async", feature = "select"))]
#[inline]
pub(crate) fn taken<T>(
    channel: &Channel,
    received: Result<Message<T>, RecvError>,
    location: Loc,
) -> Result<T, RecvError> {
    match received {
        Ok(message) => Ok(channel.received(message, location)),
        Err(error) => {
            chan::closed(channel.head(), location);
            Err(error)
        }
    }
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
        self.take(Location::caller())
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
        match self.real.try_recv() {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(error) => {
                if error == TryRecvError::Disconnected {
                    chan::closed(self.channel.head(), location);
                }
                Err(error)
            }
        }
    }

    #[inline]
    fn recv_until(&self, deadline: Option<Instant>, location: Loc) -> Result<T, RecvTimeoutError> {
        match self.take(location) {
            Ok(value) => Ok(value),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => self.wait(deadline, location),
        }
    }

    fn wait(&self, deadline: Option<Instant>, location: Loc) -> Result<T, RecvTimeoutError> {
        wait::begin(EventKind::RecvWait, self.channel.head(), 0, location);
        let blocking = rt::block_at_most(What::Recv, deadline.is_some(), location);
        let received = match deadline {
            Some(deadline) => self.real.recv_deadline(deadline),
            None => self.real.recv().map_err(RecvTimeoutError::from),
        };
        drop(blocking);
        match received {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(error) => {
                if error == RecvTimeoutError::Disconnected {
                    chan::closed(self.channel.head(), location);
                }
                Err(error)
            }
        }
    }

    /// The messages until there will be no more.
    #[track_caller]
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self, location: Location::caller() }
    }

    /// The messages that are there.
    #[track_caller]
    #[inline]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self, location: Location::caller() }
    }

    /// The messages that are there now. All of them are taken out at once.
    #[track_caller]
    pub fn drain(&self) -> Drain<'_, T> {
        Drain { real: self.real.drain(), channel: &self.channel, location: Location::caller() }
    }
}

super::ends::both_ends!(Receiver, chan::receiver_dropped);

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[track_caller]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self, location: Location::caller() }
    }
}
