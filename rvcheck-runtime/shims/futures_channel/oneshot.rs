//! Channels for one message.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::future::FusedFuture;
use rt::channel::{Channel, Message, ReceiverEnd, SenderEnd};
use rt::control::{asks, trying};
use rt::wait::Wait;
use rt::{chan, EventKind, ObjectKind};

pub use real::oneshot::*;

/// A channel for one message.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::oneshot::channel();
    let channel = Channel::new(ObjectKind::FuturesOneshot, 1, Location::caller());
    // SAFETY: each end drops its share of the channel last.
    let (sender_end, receiver_end) = unsafe { (SenderEnd::new(&channel), ReceiverEnd::new(&channel)) };
    let sender = Sender { end: sender_end, real: sender, channel: Arc::clone(&channel) };
    (sender, Receiver { end: receiver_end, real: receiver, wait: Wait::new(), channel })
}

/// A sender that records what it sends.
pub struct Sender<T> {
    end: SenderEnd,
    real: real::oneshot::Sender<Message<T>>,
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
    pub fn send(self, t: T) -> Result<(), T> {
        let location = self.channel.place(Location::caller());
        // Dropped from right to left: the share last.
        let Sender { channel, real, end: _end } = self;
        asks(channel.head(), location);
        // SAFETY: the message lives in the real channel.
        let message = unsafe { channel.message(t, location) };
        let number = message.number();
        match real.send(message) {
            Ok(()) => Ok(chan::sent(channel.head(), number, location)),
            Err(message) => Err(channel.refused(message, location)),
        }
    }

    /// Waits until the receiver is gone or closed.
    pub fn cancellation(&mut self) -> Cancellation<'_, T> {
        Cancellation { real: self.real.cancellation() }
    }

    /// Whether this sends to the receiver.
    pub fn is_connected_to(&self, receiver: &Receiver<T>) -> bool {
        self.real.is_connected_to(&receiver.real)
    }
}

rt::forwards! {
    [T] Sender<T> {
        pub fn poll_canceled(&mut self, context: &mut Context<'_>) -> Poll<()>;
        pub fn is_canceled(&self) -> bool;
    }
}

crate::debug::shows!(Sender);

/// Waits until the receiver is gone or closed. Nothing of it is recorded, since no message is waited for.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Cancellation<'a, T> {
    real: real::oneshot::Cancellation<'a, Message<T>>,
}

impl<T> Future for Cancellation<'_, T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.real).poll(context)
    }
}

rt::forwards! {
    [T: fmt::Debug] Cancellation<'_, T>: Debug;
}

/// A receiver that records what it receives and when it has to wait.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Receiver<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: ReceiverEnd,
    real: real::oneshot::Receiver<Message<T>>,
    wait: Wait,
    channel: Arc<Channel>,
}

rt::identified!([T] Receiver<T>, it => it.channel.head().value());

impl<T> Receiver<T> {
    /// Takes the message if it is there.
    ///
    /// # Errors
    ///
    /// When it will never be.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<Option<T>, Canceled> {
        let location = self.channel.place(Location::caller());
        let real = &mut self.real;
        let is_known = |it: &Result<Option<_>, Canceled>| !matches!(it, Ok(None));
        match trying(self.channel.head(), location, || real.try_recv(), is_known) {
            Ok(message) => Ok(message.map(|message| self.channel.received(message, location))),
            Err(Canceled) => {
                chan::closed(self.channel.head(), location);
                Err(Canceled)
            }
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Result<T, Canceled>;

    #[track_caller]
    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        let this = self.get_mut();
        let location = this.channel.place(Location::caller());
        if this.wait.is_delayed(this.channel.head(), location, context) {
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.real).poll(context);
        this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, location);
        polled.map(|received| this.channel.taken(received, |Canceled| true, location))
    }
}

impl<T> Receiver<T> {
    /// Lets nobody send any more.
    #[track_caller]
    pub fn close(&mut self) {
        let location = Location::caller();
        asks(self.channel.head(), location);
        chan::closes(self.channel.head(), location);
        self.real.close();
    }
}

rt::forwards! {
    [T] Receiver<T>: FusedFuture {
        fn is_terminated(&self) -> bool;
    }
}

crate::debug::shows!(Receiver);

rt::exchanged_functions! {
    channel::<()> => real::oneshot::channel::<()>;
}
