//! Room in a channel that was taken before the message is there.

use std::iter::FusedIterator;
use std::panic::Location;
use std::sync::Arc;

use rt::channel::{Channel, Message, SenderEnd};

use super::Sender;
use crate::sync::channel::message;

/// Room for one message.
pub struct Permit<'a, T> {
    pub(super) real: real::sync::mpsc::Permit<'a, Message<T>>,
    pub(super) channel: &'a Channel,
}

impl<T> Permit<'_, T> {
    /// Sends the value.
    #[track_caller]
    pub fn send(self, value: T) {
        let location = Location::caller();
        rt::control::asks(self.channel.head(), location);
        self.real.send(message(self.channel, value, location));
    }
}

rt::forwards! {
    [T] Permit<'_, T>: Debug;
}

/// Room for several messages.
#[cfg(rv_tokio_1_36)]
pub struct PermitIterator<'a, T> {
    pub(super) real: real::sync::mpsc::PermitIterator<'a, Message<T>>,
    pub(super) channel: &'a Channel,
}

#[cfg(rv_tokio_1_36)]
impl<'a, T> Iterator for PermitIterator<'a, T> {
    type Item = Permit<'a, T>;

    fn next(&mut self) -> Option<Permit<'a, T>> {
        Some(Permit { real: self.real.next()?, channel: self.channel })
    }

    rt::forwards! {
        fn size_hint(&self) -> (usize, Option<usize>);
    }
}

#[cfg(rv_tokio_1_36)]
impl<T> ExactSizeIterator for PermitIterator<'_, T> {}
#[cfg(rv_tokio_1_36)]
impl<T> FusedIterator for PermitIterator<'_, T> {}

rt::forwards! {
    #[cfg(rv_tokio_1_36)] [T] PermitIterator<'_, T>: Debug;
}

/// Room for one message, with the sender for it.
#[cfg(rv_tokio_1_6)]
pub struct OwnedPermit<T> {
    pub(super) end: SenderEnd,
    pub(super) real: real::sync::mpsc::OwnedPermit<Message<T>>,
    pub(super) channel: Arc<Channel>,
}

#[cfg(rv_tokio_1_6)]
impl<T> OwnedPermit<T> {
    /// Sends the value and gives the sender back.
    #[track_caller]
    pub fn send(self, value: T) -> Sender<T> {
        let OwnedPermit { end, real, channel } = self;
        let location = Location::caller();
        rt::control::asks(channel.head(), location);
        let real = real.send(message(&channel, value, location));
        Sender { end, real, channel }
    }

    /// Gives the room and the sender back.
    pub fn release(self) -> Sender<T> {
        Sender { end: self.end, real: self.real.release(), channel: self.channel }
    }

    /// Whether the sender sends into this channel.
    #[cfg(rv_tokio_1_46)]
    pub fn same_channel_as_sender(&self, sender: &Sender<T>) -> bool {
        self.real.same_channel_as_sender(&sender.real)
    }
}

rt::forwards! {
    #[cfg(rv_tokio_1_6)]
    [T] OwnedPermit<T> {
        #[cfg(rv_tokio_1_46)] pub fn same_channel(&self, other: &Self) -> bool;
    }
    #[cfg(rv_tokio_1_6)] [T] OwnedPermit<T>: Debug;
}

rt::exchanged! {
    #[cfg(rv_tokio_1_6)] OwnedPermit<()> => real::sync::mpsc::OwnedPermit<()>;
    Permit<'static, ()> => real::sync::mpsc::Permit<'static, ()>;
    #[cfg(rv_tokio_1_36)] PermitIterator<'static, ()> => real::sync::mpsc::PermitIterator<'static, ()>;
}
