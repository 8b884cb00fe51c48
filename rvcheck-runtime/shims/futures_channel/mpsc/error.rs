//! The error that hands a message back. The real one can be made by the real crate alone.

use std::fmt;

use real::mpsc::SendError;
use rt::channel::{Channel, Message};
use rt::{chan, Loc};

/// A value that could not be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct TrySendError<T> {
    kind: Kind,
    value: T,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Full,
    Disconnected,
}

impl<T> TrySendError<T> {
    /// Records what is known of the channel from this error, and takes the value from it.
    pub(super) fn of(
        error: real::mpsc::TrySendError<Message<T>>,
        channel: &Channel,
        location: Loc,
    ) -> TrySendError<T> {
        let kind = if error.is_full() { Kind::Full } else { Kind::Disconnected };
        if kind == Kind::Disconnected {
            chan::closed(channel.head(), location);
        }
        TrySendError { kind, value: error.into_inner().into_value() }
    }

    /// Whether there was no room.
    pub fn is_full(&self) -> bool {
        self.kind == Kind::Full
    }

    /// Whether the receiver was gone or closed.
    pub fn is_disconnected(&self) -> bool {
        self.kind == Kind::Disconnected
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The error without the value.
    pub fn into_send_error(self) -> SendError {
        match self.kind {
            Kind::Full => full(),
            Kind::Disconnected => disconnected(),
        }
    }
}

/// The error of a channel without room, from one of nobody's.
#[cold]
fn full() -> SendError {
    let (mut sender, _receiver) = real::mpsc::channel(0);
    loop {
        if let Err(error) = sender.try_send(()) {
            return error.into_send_error();
        }
    }
}

/// The error of a channel without a receiver, from one of nobody's.
#[cold]
fn disconnected() -> SendError {
    let (mut sender, receiver) = real::mpsc::channel(0);
    drop(receiver);
    loop {
        if let Err(error) = sender.try_send(()) {
            return error.into_send_error();
        }
    }
}

impl<T> fmt::Debug for TrySendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrySendError").field("kind", &self.kind).finish()
    }
}

impl<T> fmt::Display for TrySendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Full => "send failed because channel is full",
            Kind::Disconnected => "send failed because receiver is gone",
        })
    }
}

impl<T: std::any::Any> std::error::Error for TrySendError<T> {}
