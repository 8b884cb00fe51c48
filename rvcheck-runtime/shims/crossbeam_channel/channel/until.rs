//! How long somebody waits.

use std::time::{Duration, Instant};

use real::{Receiver, RecvTimeoutError, SendTimeoutError, Sender};

/// When a wait is given up. The real functions of each kind do not do the same with times that are far away.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// Never.
    Done,
    /// After that time.
    Over(Duration),
    /// At that time.
    Deadline(Instant),
}

impl Until {
    /// Whether the wait ends by itself.
    pub(crate) fn is_timed(&self) -> bool {
        !matches!(self, Until::Done)
    }

    /// When that is, if ever.
    pub(crate) fn deadline(self) -> Option<Instant> {
        match self {
            Until::Done => None,
            Until::Over(timeout) => Instant::now().checked_add(timeout),
            Until::Deadline(deadline) => Some(deadline),
        }
    }

    /// Sends the message, however long that takes within this time.
    pub(crate) fn send<M>(self, sender: &Sender<M>, message: M) -> Result<(), SendTimeoutError<M>> {
        match self {
            Until::Done => sender.send(message).map_err(SendTimeoutError::from),
            Until::Over(timeout) => sender.send_timeout(message, timeout),
            Until::Deadline(deadline) => sender.send_deadline(message, deadline),
        }
    }

    /// Takes a message, however long that takes within this time.
    pub(crate) fn recv<M>(self, receiver: &Receiver<M>) -> Result<M, RecvTimeoutError> {
        match self {
            Until::Done => receiver.recv().map_err(RecvTimeoutError::from),
            Until::Over(timeout) => receiver.recv_timeout(timeout),
            Until::Deadline(deadline) => receiver.recv_deadline(deadline),
        }
    }
}
