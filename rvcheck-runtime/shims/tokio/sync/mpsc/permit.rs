//! Room in a channel that was taken before the message is there.

use std::fmt;
use std::iter::FusedIterator;
use std::panic::Location;
use std::sync::Arc;

use super::Sender;
use crate::sync::channel::{Message, SenderEnd, Shared};

/// Room for one message.
pub struct Permit<'a, T> {
    pub(super) real: real::sync::mpsc::Permit<'a, Message<T>>,
    pub(super) shared: &'a Shared,
}

impl<T> Permit<'_, T> {
    /// Sends the value.
    #[track_caller]
    pub fn send(self, value: T) {
        self.real.send(self.shared.message(value, Location::caller()));
    }
}

impl<T> fmt::Debug for Permit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

/// Room for several messages.
#[cfg(rv_tokio_1_36)]
pub struct PermitIterator<'a, T> {
    pub(super) real: real::sync::mpsc::PermitIterator<'a, Message<T>>,
    pub(super) shared: &'a Shared,
}

#[cfg(rv_tokio_1_36)]
impl<'a, T> Iterator for PermitIterator<'a, T> {
    type Item = Permit<'a, T>;

    fn next(&mut self) -> Option<Permit<'a, T>> {
        Some(Permit { real: self.real.next()?, shared: self.shared })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.real.size_hint()
    }
}

#[cfg(rv_tokio_1_36)]
impl<T> ExactSizeIterator for PermitIterator<'_, T> {}
#[cfg(rv_tokio_1_36)]
impl<T> FusedIterator for PermitIterator<'_, T> {}

#[cfg(rv_tokio_1_36)]
impl<T> fmt::Debug for PermitIterator<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

/// Room for one message, with the sender for it.
#[cfg(rv_tokio_1_6)]
pub struct OwnedPermit<T> {
    pub(super) end: SenderEnd,
    pub(super) real: real::sync::mpsc::OwnedPermit<Message<T>>,
    pub(super) shared: Arc<Shared>,
}

#[cfg(rv_tokio_1_6)]
impl<T> OwnedPermit<T> {
    /// Sends the value and gives the sender back.
    #[track_caller]
    pub fn send(self, value: T) -> Sender<T> {
        let OwnedPermit { end, real, shared } = self;
        let real = real.send(shared.message(value, Location::caller()));
        Sender { end, real, shared }
    }

    /// Gives the room and the sender back.
    pub fn release(self) -> Sender<T> {
        Sender { end: self.end, real: self.real.release(), shared: self.shared }
    }

    /// Whether both are room in one channel.
    #[cfg(rv_tokio_1_46)]
    pub fn same_channel(&self, other: &Self) -> bool {
        self.real.same_channel(&other.real)
    }

    /// Whether the sender sends into this channel.
    #[cfg(rv_tokio_1_46)]
    pub fn same_channel_as_sender(&self, sender: &Sender<T>) -> bool {
        self.real.same_channel_as_sender(&sender.real)
    }
}

#[cfg(rv_tokio_1_6)]
impl<T> fmt::Debug for OwnedPermit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
