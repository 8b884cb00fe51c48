//! Channels for one message.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rt::channel::{Channel, Message, ReceiverEnd, SenderEnd};
use rt::control::{asks, trying};
use rt::wait::Wait;
use rt::{chan, EventKind, Loc, ObjectKind, What};

use self::error::{RecvError, TryRecvError};
use super::channel::{identity, message, receiver_end, sender_end};
use crate::blocking::drive;

pub use real::sync::oneshot::*;

pub mod error {
    //! Errors of the channel.

    pub use real::sync::oneshot::error::*;
}

/// A channel for one message.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::sync::oneshot::channel();
    let channel = identity(ObjectKind::TokioOneshot, 1, Location::caller());
    let sender = Sender { end: sender_end(&channel), real: sender, channel: Arc::clone(&channel) };
    let receiver =
        Receiver { end: receiver_end(&channel), real: receiver, location: None, wait: Wait::new(), channel };
    (sender, receiver)
}

/// A sender that records what it sends.
pub struct Sender<T> {
    end: SenderEnd,
    real: real::sync::oneshot::Sender<Message<T>>,
    channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    /// Sends the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    pub fn send(self, value: T) -> Result<(), T> {
        let location = Location::caller();
        // Dropped from right to left: the share last.
        let Sender { channel, real, end: _end } = self;
        asks(channel.head(), location);
        if real.is_closed() {
            chan::closed(channel.head(), location);
            return Err(value);
        }
        let message = message(&channel, value, location);
        real.send(message).map_err(|message| {
            chan::closed(channel.head(), location);
            message.into_unsent()
        })
    }
}

rt::forwards! {
    [T] Sender<T> {
        pub fn closed(&mut self) -> impl Future<Output = ()> + '_;
        pub fn is_closed(&self) -> bool;
        pub fn poll_closed(&mut self, context: &mut Context<'_>) -> Poll<()>;
    }
    [T: fmt::Debug] Sender<T>: Debug;
}

/// A receiver that records what it receives and when it has to wait.
pub struct Receiver<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: ReceiverEnd,
    real: real::sync::oneshot::Receiver<Message<T>>,
    /// Where a blocking receive was called; else polls tell their own places.
    location: Option<Loc>,
    wait: Wait,
    channel: Arc<Channel>,
}

rt::identified!([T] Receiver<T>, it => it.channel.head().value());

impl<T> Receiver<T> {
    /// Takes the message if it is there.
    ///
    /// # Errors
    ///
    /// When it is not, or will never be.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        let real = &mut self.real;
        let is_known = |it: &Result<_, TryRecvError>| !matches!(it, Err(TryRecvError::Empty));
        let received = trying(self.channel.head(), location, || real.try_recv(), is_known);
        self.channel.taken(received, |error| *error == TryRecvError::Closed, location)
    }

    /// Lets nobody send any more.
    #[track_caller]
    pub fn close(&mut self) {
        let location = Location::caller();
        asks(self.channel.head(), location);
        chan::closes(self.channel.head(), location);
        self.real.close();
    }

    /// Waits for the message and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// When it will never be there.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_16)]
    #[track_caller]
    pub fn blocking_recv(mut self) -> Result<T, RecvError> {
        let location = Location::caller();
        self.location = Some(location);
        drive(What::Recv, location, self)
    }
}

impl<T> Unpin for Receiver<T> {}

impl<T> Future for Receiver<T> {
    type Output = Result<T, RecvError>;

    #[track_caller]
    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        let this = &mut *self;
        let location = match this.location {
            Some(location) => location,
            None => this.channel.place(Location::caller()),
        };
        if this.wait.is_delayed(this.channel.head(), location, context) {
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.real).poll(context);
        this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, location);
        polled.map(|received| this.channel.taken(received, |_| true, location))
    }
}

rt::forwards! {
    [T] Receiver<T> {
        #[cfg(rv_tokio_1_44)] pub fn is_terminated(&self) -> bool;
        #[cfg(rv_tokio_1_44)] pub fn is_empty(&self) -> bool;
    }
    [T: fmt::Debug] Receiver<T>: Debug;
}

rt::exchanged! {
    Receiver<()> => real::sync::oneshot::Receiver<()>;
    Sender<()> => real::sync::oneshot::Sender<()>;
}

rt::exchanged_functions! {
    channel::<()> => real::sync::oneshot::channel::<()>;
}
