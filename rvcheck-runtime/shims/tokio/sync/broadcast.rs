//! Channels whose every receiver gets every message.

use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use rt::channel::{Channel, ReceiverEnd, SenderEnd};
use rt::control::{asks, trying};
use rt::observing::{passed, Side};
use rt::{chan, EventKind, Loc, ObjectKind, What};

use self::error::{RecvError, SendError, TryRecvError};
use super::channel::{identity, receiver_end, sender_end, sent};
use crate::blocking::drive;
use crate::waiting::waiting;

pub use real::sync::broadcast::*;

pub mod error {
    //! Errors of the channel.

    pub use real::sync::broadcast::error::*;
}

/// A message with its number. Copies of it are received, so that none is ever recorded as undelivered.
#[derive(Clone)]
struct Numbered<T> {
    number: u32,
    value: T,
}

/// A channel that keeps that many messages for receivers that are late.
///
/// # Panics
///
/// When the number is 0 or too large.
#[track_caller]
pub fn channel<T: Clone>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::sync::broadcast::channel(capacity);
    let channel = identity(ObjectKind::TokioBroadcast, capacity, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

/// A sender that records what it sends.
pub struct Sender<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: SenderEnd,
    real: real::sync::broadcast::Sender<Numbered<T>>,
    channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    fn around(real: real::sync::broadcast::Sender<Numbered<T>>, channel: Arc<Channel>) -> Sender<T> {
        Sender { end: sender_end(&channel), real, channel }
    }

    /// The sender of a channel that has no receiver yet.
    ///
    /// # Panics
    ///
    /// When the capacity is 0 or too large.
    #[cfg(rv_tokio_1_30)]
    #[track_caller]
    pub fn new(capacity: usize) -> Sender<T> {
        let real = real::sync::broadcast::Sender::new(capacity);
        Sender::around(real, identity(ObjectKind::TokioBroadcast, capacity, Location::caller()))
    }

    /// Sends the value to all receivers. How many there are.
    ///
    /// # Errors
    ///
    /// The value, when there are none.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<usize, SendError<T>> {
        let location = Location::caller();
        asks(self.channel.head(), location);
        if self.real.receiver_count() == 0 {
            chan::closed(self.channel.head(), location);
            return Err(SendError(value));
        }
        let number = sent(&self.channel, location);
        passed(self.channel.head(), &value, Side::Send, location);
        self.real.send(Numbered { number, value }).map_err(|SendError(message)| {
            chan::closed(self.channel.head(), location);
            SendError(message.value)
        })
    }

    /// A receiver of what is sent from now on.
    pub fn subscribe(&self) -> Receiver<T> {
        Receiver::around(self.real.subscribe(), Arc::clone(&self.channel))
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_tokio_1_44)]
    #[must_use = "Downgrade creates a WeakSender without destroying the original non-weak sender."]
    pub fn downgrade(&self) -> WeakSender<T> {
        WeakSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

rt::forwards! {
    [T] Sender<T> {
        #[cfg(rv_tokio_1_25)] pub fn len(&self) -> usize;
        #[cfg(rv_tokio_1_25)] pub fn is_empty(&self) -> bool;
        pub fn receiver_count(&self) -> usize;
        #[cfg(rv_tokio_1_28)] pub fn same_channel(&self, other: &Self) -> bool;
        #[cfg(rv_tokio_1_44)] pub fn closed(&self) -> impl Future<Output = ()> + '_;
        #[cfg(rv_tokio_1_44)] pub fn strong_count(&self) -> usize;
        #[cfg(rv_tokio_1_44)] pub fn weak_count(&self) -> usize;
    }
    [T] Sender<T>: Clone = around(real, channel);
    [T] Sender<T>: Debug;
}

/// A sender that does not keep the channel open.
#[cfg(rv_tokio_1_44)]
pub struct WeakSender<T> {
    real: real::sync::broadcast::WeakSender<Numbered<T>>,
    channel: Arc<Channel>,
}

#[cfg(rv_tokio_1_44)]
impl<T> WeakSender<T> {
    /// A sender, if there is still another one.
    #[must_use]
    pub fn upgrade(&self) -> Option<Sender<T>> {
        Some(Sender::around(self.real.upgrade()?, Arc::clone(&self.channel)))
    }
}

rt::forwards! {
    #[cfg(rv_tokio_1_44)]
    [T] WeakSender<T> {
        pub fn strong_count(&self) -> usize;
        pub fn weak_count(&self) -> usize;
    }
    #[cfg(rv_tokio_1_44)] [T] WeakSender<T>: Clone { real, channel };
    #[cfg(rv_tokio_1_44)] [T] WeakSender<T>: Debug;
}

/// A receiver that records what it receives and when it has to wait.
pub struct Receiver<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: ReceiverEnd,
    real: real::sync::broadcast::Receiver<Numbered<T>>,
    channel: Arc<Channel>,
}

rt::identified!([T] Receiver<T>, it => it.channel.head().value());

impl<T> Receiver<T> {
    fn around(real: real::sync::broadcast::Receiver<Numbered<T>>, channel: Arc<Channel>) -> Receiver<T> {
        Receiver { end: receiver_end(&channel), real, channel }
    }
}

/// Records that a copy of the message was received.
fn taken<T>(channel: &Channel, message: Numbered<T>, location: Loc) -> T {
    chan::received(channel.head(), message.number, location);
    passed(channel.head(), &message.value, Side::Receive, location);
    message.value
}

impl<T: Clone> Receiver<T> {
    /// Another receiver, of what is sent from now on.
    #[cfg(rv_tokio_1_19)]
    pub fn resubscribe(&self) -> Receiver<T> {
        Receiver::around(self.real.resubscribe(), Arc::clone(&self.channel))
    }

    /// Waits for the next message.
    #[track_caller]
    pub fn recv(&mut self) -> impl Future<Output = Result<T, RecvError>> + '_ {
        let location = Location::caller();
        let (real, channel) = (&mut self.real, &*self.channel);
        waiting(real.recv(), EventKind::RecvWait, channel.head(), 0, location, move |received| match received
        {
            Ok(message) => Ok(taken(channel, message, location)),
            Err(error) => {
                match error {
                    RecvError::Closed => chan::closed(channel.head(), location),
                    RecvError::Lagged(_) => chan::lagged(channel.head(), location),
                }
                Err(error)
            }
        })
    }

    /// Takes the next message if it is there.
    ///
    /// # Errors
    ///
    /// When it is not, or was missed, or no sender is left.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        let real = &mut self.real;
        let is_known = |it: &Result<_, TryRecvError>| !matches!(it, Err(TryRecvError::Empty));
        match trying(self.channel.head(), location, || real.try_recv(), is_known) {
            Ok(message) => Ok(taken(&self.channel, message, location)),
            Err(error) => {
                match error {
                    TryRecvError::Empty => {}
                    TryRecvError::Closed => chan::closed(self.channel.head(), location),
                    TryRecvError::Lagged(_) => chan::lagged(self.channel.head(), location),
                }
                Err(error)
            }
        }
    }

    /// Waits for the next message and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// When it was missed, or no sender is left.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[cfg(rv_tokio_1_29)]
    #[track_caller]
    pub fn blocking_recv(&mut self) -> Result<T, RecvError> {
        drive(What::Recv, Location::caller(), self.recv())
    }
}

rt::forwards! {
    [T] Receiver<T> {
        #[cfg(rv_tokio_1_18)] pub fn len(&self) -> usize;
        #[cfg(rv_tokio_1_18)] pub fn is_empty(&self) -> bool;
        #[cfg(rv_tokio_1_28)] pub fn same_channel(&self, other: &Self) -> bool;
        #[cfg(rv_tokio_1_44)] pub fn sender_strong_count(&self) -> usize;
        #[cfg(rv_tokio_1_44)] pub fn sender_weak_count(&self) -> usize;
        #[cfg(rv_tokio_1_44)] pub fn is_closed(&self) -> bool;
    }
    [T] Receiver<T>: Debug;
}

rt::exchanged! {
    Receiver<()> => real::sync::broadcast::Receiver<()>;
    Sender<()> => real::sync::broadcast::Sender<()>;
    #[cfg(rv_tokio_1_44)] WeakSender<()> => real::sync::broadcast::WeakSender<()>;
}

rt::exchanged_functions! {
    channel::<()> => real::sync::broadcast::channel::<()>;
}
