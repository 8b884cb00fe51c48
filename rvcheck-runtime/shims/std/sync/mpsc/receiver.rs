//! The receiving end.

use real::panic::Location;
use real::sync::{mpsc as std, Arc};
use real::time::Duration;

use recorder::channel::{Channel, Message};
use recorder::{chan, wait, EventKind, Loc, What};

use super::{IntoIter, Iter, RecvError, RecvTimeoutError, TryIter, TryRecvError};

/// The receiving end of a channel.
pub struct Receiver<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(super) real: std::Receiver<Message<T>>,
    pub(super) channel: Arc<Channel>,
}

recorder::identified!([T] Receiver<T>, it => it.channel.head().value());

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

    /// Waits for the next message, for at most that long.
    ///
    /// # Errors
    ///
    /// When the time is over, or when there will be no more messages.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let location = Location::caller();
        match self.take(location) {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {}
        }
        wait::begin(EventKind::RecvWait, self.channel.head(), 0, location);
        let blocking = recorder::block_at_most(What::Recv, true, location);
        let result = self.real.recv_timeout(timeout);
        drop(blocking);
        match result {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(RecvTimeoutError::Timeout) => {
                wait::given_up(EventKind::RecvWait, self.channel.head(), location);
                Err(RecvTimeoutError::Timeout)
            }
            Err(RecvTimeoutError::Disconnected) => {
                chan::closed(self.channel.head(), location);
                Err(RecvTimeoutError::Disconnected)
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

    pub(super) fn recv_at(&self, location: Loc) -> Result<T, RecvError> {
        match self.take(location) {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
            Err(TryRecvError::Empty) => {}
        }
        wait::begin(EventKind::RecvWait, self.channel.head(), 0, location);
        let blocking = recorder::block(What::Recv, location);
        let result = self.real.recv();
        drop(blocking);
        match result {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(RecvError) => {
                chan::closed(self.channel.head(), location);
                Err(RecvError)
            }
        }
    }

    pub(super) fn take(&self, location: Loc) -> Result<T, TryRecvError> {
        match self.real.try_recv() {
            Ok(message) => Ok(self.channel.received(message, location)),
            Err(TryRecvError::Empty) => Err(TryRecvError::Empty),
            Err(TryRecvError::Disconnected) => {
                chan::closed(self.channel.head(), location);
                Err(TryRecvError::Disconnected)
            }
        }
    }
}

impl<T> Drop for Receiver<T> {
    #[inline]
    fn drop(&mut self) {
        chan::receiver_dropped(self.channel.head());
    }
}

recorder::forwards! {
    [T] Receiver<T>: Debug;
}

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
