//! The receiving end.

use real::panic::Location;
use real::sync::{mpsc as std, Arc};
use real::time::Duration;

use recorder::channel::{Channel, Message};
use recorder::{chan, delay, wait, EventKind, Loc, What};

use super::{RecvError, RecvTimeoutError, TryRecvError};

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
        delay(self.channel.head(), location);
        match self.take(location) {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {}
        }
        let head = self.channel.head();
        let received = wait::blocked(EventKind::RecvWait, head, What::Recv, true, location, || {
            self.real.recv_timeout(timeout)
        });
        if matches!(received, Err(RecvTimeoutError::Timeout)) {
            wait::given_up(EventKind::RecvWait, head, location);
        }
        self.channel.taken(received, |error| *error == RecvTimeoutError::Disconnected, location)
    }

    pub(super) fn recv_at(&self, location: Loc) -> Result<T, RecvError> {
        delay(self.channel.head(), location);
        match self.take(location) {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
            Err(TryRecvError::Empty) => {}
        }
        let head = self.channel.head();
        let received =
            wait::blocked(EventKind::RecvWait, head, What::Recv, false, location, || self.real.recv());
        self.channel.taken(received, |RecvError| true, location)
    }

    pub(super) fn take(&self, location: Loc) -> Result<T, TryRecvError> {
        self.channel.taken(self.real.try_recv(), |error| *error == TryRecvError::Disconnected, location)
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
