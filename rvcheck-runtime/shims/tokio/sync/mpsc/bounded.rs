//! The sender of a bounded channel.

use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use real::sync::mpsc::error::{SendError, TrySendError};
use rt::channel::{Channel, Message, SenderEnd};
#[cfg(rv_tokio_1_1)]
use rt::control::trying;
use rt::{chan, EventKind, Loc, ObjectKind, What};

#[cfg(rv_tokio_1_6)]
use super::OwnedPermit;
#[cfg(rv_tokio_1_36)]
use super::PermitIterator;
#[cfg(rv_tokio_1_21)]
use super::WeakSender;
use super::{Permit, Receiver};
use crate::blocking::drive;
use crate::sync::channel::{identity, message, sender_end};
use crate::waiting::waiting;

/// A channel for that many messages at once.
///
/// # Panics
///
/// When the number is 0 or too large.
#[track_caller]
pub fn channel<T>(buffer: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::sync::mpsc::channel(buffer);
    let channel = identity(ObjectKind::TokioMpsc, buffer, Location::caller());
    (Sender::around(sender, Arc::clone(&channel)), Receiver::around(receiver, channel))
}

/// A sender that records what it sends and when it has to wait.
pub struct Sender<T> {
    pub(super) end: SenderEnd,
    pub(super) real: real::sync::mpsc::Sender<Message<T>>,
    pub(super) channel: Arc<Channel>,
}

rt::identified!([T] Sender<T>, it => it.channel.head().value());

impl<T> Sender<T> {
    pub(super) fn around(real: real::sync::mpsc::Sender<Message<T>>, channel: Arc<Channel>) -> Sender<T> {
        Sender { end: sender_end(&channel), real, channel }
    }

    /// What is known of the channel from this error.
    fn note<E>(&self, error: &TrySendError<E>, location: Loc) {
        if let TrySendError::Closed(_) = error {
            chan::closed(self.channel.head(), location);
        }
    }

    /// Waits for room and sends the value.
    #[track_caller]
    #[inline]
    pub fn send(&self, value: T) -> impl Future<Output = Result<(), SendError<T>>> + '_ {
        let location = Location::caller();
        self.room(1, self.real.reserve(), location, move |room| match room {
            Ok(permit) => {
                permit.send(message(&self.channel, value, location));
                Ok(())
            }
            Err(_) => Err(SendError(value)),
        })
    }

    /// Waits for room, which the future reserves. `finish` is handed what it gives.
    #[inline]
    fn room<'a, P, R>(
        &'a self,
        count: u32,
        reserve: impl Future<Output = Result<P, SendError<()>>> + 'a,
        location: Loc,
        finish: impl FnOnce(Result<P, SendError<()>>) -> R + 'a,
    ) -> impl Future<Output = R> + 'a {
        waiting(reserve, EventKind::SendWait, self.channel.head(), count, location, move |room| {
            if room.is_err() {
                chan::closed(self.channel.head(), location);
            }
            finish(room)
        })
    }

    /// Sends the value if there is room.
    ///
    /// # Errors
    ///
    /// The value, when there is no room or no receiver.
    #[track_caller]
    #[inline]
    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        rt::control::tries(self.channel.head(), location);
        #[cfg(rv_tokio_1_1)]
        let sent = match self.real.try_reserve() {
            Ok(permit) => {
                permit.send(message(&self.channel, value, location));
                Ok(())
            }
            // Older ones say of a closed channel that it is full.
            Err(TrySendError::Full(())) if cfg!(not(rv_tokio_1_12)) && self.real.is_closed() => {
                Err(TrySendError::Closed(value))
            }
            Err(TrySendError::Full(())) => Err(TrySendError::Full(value)),
            Err(TrySendError::Closed(())) => Err(TrySendError::Closed(value)),
        };
        // Without knowing whether there is room, nothing can be said before the message is there.
        #[cfg(not(rv_tokio_1_1))]
        // SAFETY: the message lives in the real channel.
        let message = unsafe { self.channel.unrecorded(value) };
        #[cfg(not(rv_tokio_1_1))]
        let sent = self.real.try_send(message).map_err(|error| match error {
            TrySendError::Full(message) => TrySendError::Full(message.into_value()),
            TrySendError::Closed(message) => TrySendError::Closed(message.into_value()),
        });
        rt::control::tried(self.channel.head(), !matches!(sent, Err(TrySendError::Full(_))));
        if let Err(error) = &sent {
            self.note(error, location);
        }
        sent
    }

    /// Waits for room, for a while, and sends the value.
    #[cfg(feature = "time")]
    #[track_caller]
    pub fn send_timeout(
        &self,
        value: T,
        timeout: std::time::Duration,
    ) -> impl Future<Output = Result<(), super::error::SendTimeoutError<T>>> + '_ {
        use super::error::SendTimeoutError;

        let location = Location::caller();
        async move {
            let room = self.room(1, self.real.reserve(), location, |room| room);
            match crate::time::timeout(timeout, room).await {
                Ok(Ok(permit)) => {
                    permit.send(message(&self.channel, value, location));
                    Ok(())
                }
                Ok(Err(_)) => Err(SendTimeoutError::Closed(value)),
                Err(_) => Err(SendTimeoutError::Timeout(value)),
            }
        }
    }

    /// Waits for room and sends the value, and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[track_caller]
    pub fn blocking_send(&self, value: T) -> Result<(), SendError<T>> {
        drive(What::Recv, Location::caller(), self.send(value))
    }

    /// Waits for room for one message.
    #[track_caller]
    #[inline]
    pub fn reserve(&self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> + '_ {
        let location = Location::caller();
        self.room(1, self.real.reserve(), location, |room| Ok(Permit { real: room?, channel: &self.channel }))
    }

    /// Waits for room for `n` messages.
    #[cfg(rv_tokio_1_36)]
    #[track_caller]
    pub fn reserve_many(
        &self,
        n: usize,
    ) -> impl Future<Output = Result<PermitIterator<'_, T>, SendError<()>>> + '_ {
        let location = Location::caller();
        let count = u32::try_from(n).unwrap_or(u32::MAX);
        self.room(count, self.real.reserve_many(n), location, |room| {
            Ok(PermitIterator { real: room?, channel: &self.channel })
        })
    }

    /// Waits for room for one message, and keeps the sender for it.
    #[cfg(rv_tokio_1_6)]
    #[track_caller]
    pub fn reserve_owned(self) -> impl Future<Output = Result<OwnedPermit<T>, SendError<()>>> {
        let location = Location::caller();
        let Sender { end, real, channel } = self;
        let parts = Parts { end, room: real.reserve_owned(), channel };
        async move {
            // Dropped from right to left.
            let Parts { channel, end, room } = parts;
            match waiting(room, EventKind::SendWait, channel.head(), 1, location, |room| room).await {
                Ok(real) => Ok(OwnedPermit { end, real, channel }),
                Err(error) => {
                    chan::closed(channel.head(), location);
                    Err(error)
                }
            }
        }
    }

    /// Takes room for one message if there is some.
    ///
    /// # Errors
    ///
    /// When there is no room or no receiver.
    #[cfg(rv_tokio_1_1)]
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Permit<'_, T>, TrySendError<()>> {
        let location = Location::caller();
        match trying(self.channel.head(), location, || self.real.try_reserve(), is_known) {
            Ok(real) => Ok(Permit { real, channel: &self.channel }),
            Err(error) => {
                self.note(&error, location);
                Err(error)
            }
        }
    }

    /// Takes room for `n` messages if there is as much.
    ///
    /// # Errors
    ///
    /// When there is no room or no receiver.
    #[cfg(rv_tokio_1_36)]
    #[track_caller]
    pub fn try_reserve_many(&self, n: usize) -> Result<PermitIterator<'_, T>, TrySendError<()>> {
        let location = Location::caller();
        match trying(self.channel.head(), location, || self.real.try_reserve_many(n), is_known) {
            Ok(real) => Ok(PermitIterator { real, channel: &self.channel }),
            Err(error) => {
                self.note(&error, location);
                Err(error)
            }
        }
    }

    /// Takes room for one message if there is some, and keeps the sender for it.
    ///
    /// # Errors
    ///
    /// The sender, when there is no room or no receiver.
    #[cfg(rv_tokio_1_6)]
    #[track_caller]
    pub fn try_reserve_owned(self) -> Result<OwnedPermit<T>, TrySendError<Self>> {
        let location = Location::caller();
        let Sender { end, real, channel } = self;
        match trying(channel.head(), location, || real.try_reserve_owned(), is_known) {
            Ok(real) => Ok(OwnedPermit { end, real, channel }),
            Err(TrySendError::Full(real)) => Err(TrySendError::Full(Sender { end, real, channel })),
            Err(TrySendError::Closed(real)) => {
                chan::closed(channel.head(), location);
                Err(TrySendError::Closed(Sender { end, real, channel }))
            }
        }
    }

    /// A sender that does not keep the channel open.
    #[cfg(rv_tokio_1_21)]
    #[must_use = "Downgrade creates a WeakSender without destroying the original non-weak sender."]
    pub fn downgrade(&self) -> WeakSender<T> {
        WeakSender { real: self.real.downgrade(), channel: Arc::clone(&self.channel) }
    }
}

/// Whether something else came of trying than that there is no room.
#[cfg(rv_tokio_1_1)]
fn is_known<P, E>(tried: &Result<P, TrySendError<E>>) -> bool {
    !matches!(tried, Err(TrySendError::Full(_)))
}

/// A sender that waits for room on its own behalf. The share is dropped last.
#[cfg(rv_tokio_1_6)]
struct Parts<F> {
    end: SenderEnd,
    room: F,
    channel: Arc<Channel>,
}

rt::forwards! {
    [T] Sender<T> {
        pub fn closed(&self) -> impl Future<Output = ()> + '_;
        pub fn is_closed(&self) -> bool;
        #[cfg(rv_tokio_1_3)] pub fn same_channel(&self, other: &Self) -> bool;
        #[cfg(rv_tokio_1_5)] pub fn capacity(&self) -> usize;
        #[cfg(rv_tokio_1_21)] pub fn max_capacity(&self) -> usize;
        #[cfg(rv_tokio_1_37)] pub fn strong_count(&self) -> usize;
        #[cfg(rv_tokio_1_37)] pub fn weak_count(&self) -> usize;
    }
    [T] Sender<T>: Clone = around(real, channel);
    [T] Sender<T>: Debug;
}

rt::exchanged! {
    Sender<()> => real::sync::mpsc::Sender<()>;
}

rt::exchanged_functions! {
    channel::<()> => real::sync::mpsc::channel::<()>;
}
