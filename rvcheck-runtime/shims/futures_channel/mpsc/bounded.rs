//! The sender of a bounded channel.

use std::panic::Location;
use std::sync::Arc;
use std::task::{Context, Poll};

use real::mpsc::SendError;
use rt::channel::{Channel, Message, SenderEnd};
use rt::control::{asks, trying};
use rt::wait::Wait;
use rt::{chan, EventKind, ObjectKind};

use super::sender::sender;
use super::{Receiver, TrySendError};

/// A channel for that many messages at once, and one more for each sender.
///
/// # Panics
///
/// When the number is too large.
#[track_caller]
pub fn channel<T>(buffer: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::mpsc::channel(buffer);
    // A sender has a place of its own, so that there are `buffer + 1` as long as there is one sender.
    let channel = Channel::new(ObjectKind::FuturesMpsc, buffer + 1, Location::caller());
    // SAFETY: the share of the channel is dropped last.
    let end = Some(unsafe { SenderEnd::new(&channel) });
    let sender = Sender { end, real: sender, wait: Wait::new(), channel: Arc::clone(&channel) };
    (sender, Receiver::around(receiver, channel))
}

/// A sender that records what it sends and when it has to wait.
pub struct Sender<T> {
    /// Dropped before the real sender. None once that is disconnected.
    end: Option<SenderEnd>,
    real: real::mpsc::Sender<Message<T>>,
    wait: Wait,
    channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    /// Sends the value if there is room.
    ///
    /// # Errors
    ///
    /// The value, when there is no room or no receiver.
    #[track_caller]
    pub fn try_send(&mut self, msg: T) -> Result<(), TrySendError<T>> {
        let location = self.channel.place(Location::caller());
        // SAFETY: the message lives in the real channel.
        let message = unsafe { self.channel.message(msg, location) };
        let number = message.number();
        let has_room =
            |it: &Result<_, real::mpsc::TrySendError<_>>| !it.as_ref().is_err_and(|it| it.is_full());
        match trying(self.channel.head(), location, || self.real.try_send(message), has_room) {
            // Recorded after the fact, so that a message that did not fit is never taken for a sent one.
            Ok(()) => Ok(chan::sent(self.channel.head(), number, location)),
            Err(error) => Err(TrySendError::of(error, &self.channel, location)),
        }
    }

    /// Sends the value, for which [`Sender::poll_ready`] found room.
    ///
    /// # Errors
    ///
    /// When there is no room or no receiver.
    #[track_caller]
    pub fn start_send(&mut self, msg: T) -> Result<(), SendError> {
        self.try_send(msg).map_err(TrySendError::into_send_error)
    }

    /// Polls for room.
    #[track_caller]
    pub fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        let context = &mut rt::waker::real(context);
        let location = self.channel.place(Location::caller());
        if self.wait.is_delayed(self.channel.head(), location, context) {
            return Poll::Pending;
        }
        let polled = self.real.poll_ready(context);
        self.wait.polled(&polled, EventKind::SendWait, self.channel.head(), 0, location);
        if let Poll::Ready(Err(_)) = polled {
            chan::closed(self.channel.head(), location);
        }
        polled
    }
}

impl<T> Sender<T> {
    /// Lets nobody send any more.
    #[track_caller]
    pub fn close_channel(&mut self) {
        let location = Location::caller();
        asks(self.channel.head(), location);
        chan::closes(self.channel.head(), location);
        self.real.close_channel();
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        let real = self.real.clone();
        // SAFETY: the share of the channel is dropped last.
        let end = self.end.is_some().then(|| unsafe { SenderEnd::new(&self.channel) });
        Sender { end, real, wait: Wait::new(), channel: Arc::clone(&self.channel) }
    }
}

sender!(Sender, Receiver);

rt::exchanged_functions! {
    channel::<()> => real::mpsc::channel::<()>;
}
