//! The sender of a watch.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;
#[cfg(not(rv_tokio_1_18))]
use std::sync::PoisonError;

use rt::channel::SenderEnd;
use rt::{chan, Loc};

use super::error::SendError;
use super::{Receiver, Ref, Watch};
use crate::sync::channel::sender_end;

/// A sender that records the changes it makes.
pub struct Sender<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: SenderEnd,
    real: real::sync::watch::Sender<T>,
    watch: Arc<Watch>,
}

rt::identified!([T] Sender<T>, it => it.watch.channel.head().value());

impl<T> Sender<T> {
    pub(super) fn around(real: real::sync::watch::Sender<T>, watch: Arc<Watch>) -> Sender<T> {
        Sender { end: sender_end(&watch.channel), real, watch }
    }

    /// The sender of a channel that has no receiver yet.
    #[cfg(rv_tokio_1_33)]
    #[track_caller]
    pub fn new(init: T) -> Sender<T> {
        Sender::around(real::sync::watch::Sender::new(init), Watch::new(Location::caller()))
    }

    /// Changes the value while the lock is held; `change` tells whether receivers shall see it.
    #[cfg(rv_tokio_1_19)]
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

    /// As above. Receivers see every change.
    #[cfg(all(rv_tokio_1_18, not(rv_tokio_1_19)))]
    fn modify(&self, location: Loc, change: impl FnOnce(&mut T) -> bool) {
        let mut announced = self.watch.change(location);
        self.real.send_modify(|value| {
            let writing = announced.begin();
            change(value);
            writing.changed();
        });
    }

    /// Changes the value with another lock held around the real one.
    #[cfg(not(rv_tokio_1_18))]
    fn send_by<R>(&self, location: Loc, send: impl FnOnce(&real::sync::watch::Sender<T>) -> R) -> R {
        let mut announced = self.watch.change(location);
        let _outer = self.watch.outer.write().unwrap_or_else(PoisonError::into_inner);
        announced.begin().changed();
        send(&self.real)
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        if self.real.is_closed() {
            chan::closed(self.watch.channel.head(), location);
            #[cfg(rv_tokio_1_12)]
            return Err(SendError(value));
            // Nobody else can make the error.
            #[cfg(not(rv_tokio_1_12))]
            return self.real.send(value);
        }
        #[cfg(rv_tokio_1_18)]
        self.replace(value, location);
        #[cfg(not(rv_tokio_1_18))]
        self.send_by(location, |real| real.send(value))?;
        Ok(())
    }

    /// Changes the value, receivers or not.
    #[cfg(rv_tokio_1_18)]
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
    #[cfg(rv_tokio_1_19)]
    #[track_caller]
    pub fn send_if_modified<F>(&self, modify: F) -> bool
    where
        F: FnOnce(&mut T) -> bool,
    {
        self.modify(Location::caller(), modify)
    }

    /// Sets the value, receivers or not, and gives back the one before.
    #[cfg(rv_tokio_1_13)]
    #[track_caller]
    pub fn send_replace(&self, value: T) -> T {
        self.replace(value, Location::caller())
    }

    #[cfg(rv_tokio_1_18)]
    fn replace(&self, mut new: T, location: Loc) -> T {
        self.modify(location, |value| {
            std::mem::swap(value, &mut new);
            true
        });
        new
    }

    #[cfg(all(rv_tokio_1_13, not(rv_tokio_1_18)))]
    fn replace(&self, new: T, location: Loc) -> T {
        self.send_by(location, |real| real.send_replace(new))
    }

    /// Reads the value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        self.watch.read(Location::caller(), || self.real.borrow())
    }

    /// A receiver that has seen the present value.
    #[cfg(rv_tokio_1_11)]
    #[track_caller]
    pub fn subscribe(&self) -> Receiver<T> {
        if rt::on() {
            // What was sent before is no news for the receiver, as if it had been read.
            drop(self.watch.read(Location::caller(), || self.real.borrow()));
        }
        Receiver::around(self.real.subscribe(), Arc::clone(&self.watch))
    }
}

rt::forwards! {
    [T] Sender<T> {
        pub fn is_closed(&self) -> bool;
        pub fn closed(&self) -> impl Future<Output = ()> + '_;
        #[cfg(rv_tokio_1_7)] pub fn receiver_count(&self) -> usize;
        #[cfg(rv_tokio_1_41)] pub fn sender_count(&self) -> usize;
        #[cfg(rv_tokio_1_39)] pub fn same_channel(&self, other: &Self) -> bool;
    }
    #[cfg(rv_tokio_1_37)] [T] Sender<T>: Clone = around(real, watch);
    #[cfg(rv_tokio_1_39)] [T: Default] Sender<T>: Default = Sender::new(T::default());
    [T: fmt::Debug] Sender<T>: Debug;
}

rt::exchanged! {
    Sender<()> => real::sync::watch::Sender<()>;
}
