//! The receiving end.

use real::panic::Location;
use real::sync::{mpsc as std, Arc};
use real::time::{Duration, Instant};

use recorder::channel::{Channel, Message};
use recorder::control::meeting::{self, Side, Unmet};
use recorder::{control, delay, wait, EventKind, Loc, What};

use super::{RecvError, RecvTimeoutError, TryRecvError};

/// The receiving end of a channel.
pub struct Receiver<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    real: std::Receiver<Message<T>>,
    channel: Arc<Channel>,
}

recorder::identified!([T] Receiver<T>, it => it.channel.head().value());

impl<T> Receiver<T> {
    pub(super) fn around(real: std::Receiver<Message<T>>, channel: Arc<Channel>) -> Receiver<T> {
        channel.receiver_made();
        Receiver { real, channel }
    }

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
        let until = Instant::now().checked_add(timeout);
        let received = wait::blocked(EventKind::RecvWait, head, What::Recv, true, location, || {
            let attempt = || self.attempt().map(|it| it.map_err(|RecvError| RecvTimeoutError::Disconnected));
            let late = || Err(RecvTimeoutError::Timeout);
            if self.channel.meets() {
                return match self.meet(location, until) {
                    Ok(received) => received.map_err(|RecvError| RecvTimeoutError::Disconnected),
                    Err(Unmet::TimedOut) => late(),
                    Err(_) => self.real.recv_timeout(timeout),
                };
            }
            control::waiting_until(head, location, until, attempt, late, || self.real.recv_timeout(timeout))
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
        let received = wait::blocked(EventKind::RecvWait, head, What::Recv, false, location, || {
            if self.channel.meets() {
                return self.meet(location, None).unwrap_or_else(|_| self.real.recv());
            }
            control::waiting(head, location, || self.attempt(), || self.real.recv())
        });
        self.channel.taken(received, |RecvError| true, location)
    }

    /// The next message, or that there will be none, if that is known now.
    fn attempt(&self) -> Option<Result<Message<T>, RecvError>> {
        match self.real.try_recv() {
            Ok(message) => Some(Ok(message)),
            Err(TryRecvError::Disconnected) => Some(Err(RecvError)),
            Err(TryRecvError::Empty) => None,
        }
    }

    /// Receives through a channel without room, in a controlled run.
    fn meet(&self, location: Loc, until: Option<Instant>) -> Result<Result<Message<T>, RecvError>, Unmet> {
        // SAFETY: it is what goes through this channel.
        let met = unsafe { meeting::receive(self.channel.head(), location, until, || self.attempt()) };
        met.map(|it| it.map_or_else(|other| other, Ok))
    }

    pub(super) fn take(&self, location: Loc) -> Result<T, TryRecvError> {
        if self.channel.meets() {
            let met = meeting::meet(self.channel.head(), Side::Receives);
            // SAFETY: it is what goes through this channel.
            if let Some(message) = met.and_then(|it| unsafe { it.receive(location) }) {
                return Ok(self.channel.received(message, location));
            }
        }
        self.channel.taken(self.real.try_recv(), |error| *error == TryRecvError::Disconnected, location)
    }
}

impl<T> Drop for Receiver<T> {
    #[inline]
    fn drop(&mut self) {
        self.channel.receiver_dropped();
    }
}

recorder::forwards! {
    [T] Receiver<T>: Debug;
}
