//! The sender of a watch.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use rt::{chan, Loc};

use super::error::SendError;
use super::{Receiver, Ref, Watch};
use crate::sync::channel::SenderEnd;

/// A sender that records the changes it makes.
pub struct Sender<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: SenderEnd,
    real: real::sync::watch::Sender<T>,
    watch: Arc<Watch>,
}

impl<T> Sender<T> {
    pub(super) fn around(real: real::sync::watch::Sender<T>, watch: Arc<Watch>) -> Sender<T> {
        Sender { end: SenderEnd::new(&watch.shared), real, watch }
    }

    /// The sender of a channel that has no receiver yet.
    #[track_caller]
    pub fn new(init: T) -> Sender<T> {
        Sender::around(real::sync::watch::Sender::new(init), Watch::new(Location::caller()))
    }

    /// Changes the value while the lock is held; `change` tells whether receivers shall see it.
    fn modify(&self, location: Loc, change: impl FnOnce(&mut T) -> bool) -> bool {
        let mut announced = self.watch.change(location);
        self.real.send_if_modified(|value| {
            let writing = announced.begin();
            let changed = change(value);
            if changed {
                writing.changed();
            }
            changed
        })
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        if self.real.receiver_count() == 0 {
            chan::closed(&self.watch.shared.head, location);
            return Err(SendError(value));
        }
        self.replace(value, location);
        Ok(())
    }

    /// Changes the value, receivers or not.
    #[track_caller]
    pub fn send_modify<F>(&self, modify: F)
    where
        F: FnOnce(&mut T),
    {
        self.modify(Location::caller(), |value| {
            modify(value);
            true
        });
    }

    /// Changes the value, receivers or not, and lets them know if `modify` says so.
    #[track_caller]
    pub fn send_if_modified<F>(&self, modify: F) -> bool
    where
        F: FnOnce(&mut T) -> bool,
    {
        self.modify(Location::caller(), modify)
    }

    /// Sets the value, receivers or not, and gives back the one before.
    #[track_caller]
    pub fn send_replace(&self, value: T) -> T {
        self.replace(value, Location::caller())
    }

    fn replace(&self, mut new: T, location: Loc) -> T {
        self.modify(location, |value| {
            std::mem::swap(value, &mut new);
            true
        });
        new
    }

    /// Reads the value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        self.watch.read(Location::caller(), || self.real.borrow())
    }

    /// Whether there is no receiver.
    pub fn is_closed(&self) -> bool {
        self.real.is_closed()
    }

    /// Waits until all receivers are gone.
    pub fn closed(&self) -> impl Future<Output = ()> + '_ {
        self.real.closed()
    }

    /// A receiver that has seen the present value.
    pub fn subscribe(&self) -> Receiver<T> {
        Receiver::around(self.real.subscribe(), Arc::clone(&self.watch))
    }

    /// How many receivers there are.
    pub fn receiver_count(&self) -> usize {
        self.real.receiver_count()
    }

    /// How many senders there are.
    #[cfg(rv_tokio_1_41)]
    pub fn sender_count(&self) -> usize {
        self.real.sender_count()
    }

    /// Whether both send into one channel.
    #[cfg(rv_tokio_1_39)]
    pub fn same_channel(&self, other: &Self) -> bool {
        self.real.same_channel(&other.real)
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender::around(self.real.clone(), Arc::clone(&self.watch))
    }
}

#[cfg(rv_tokio_1_39)]
impl<T: Default> Default for Sender<T> {
    #[track_caller]
    fn default() -> Sender<T> {
        Sender::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
