//! The receiver of a watch.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use rt::channel::ReceiverEnd;
use rt::EventKind;

use super::error::RecvError;
use super::{Ref, Watch};
use crate::sync::channel::receiver_end;
use crate::waiting::waiting;

/// A receiver that records the changes it notices and what it reads.
pub struct Receiver<T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    end: ReceiverEnd,
    real: real::sync::watch::Receiver<T>,
    watch: Arc<Watch>,
}

rt::identified!([T] Receiver<T>, it => it.watch.channel.head().value());

impl<T> Receiver<T> {
    pub(super) fn around(real: real::sync::watch::Receiver<T>, watch: Arc<Watch>) -> Receiver<T> {
        Receiver { end: receiver_end(&watch.channel), real, watch }
    }

    /// Reads the value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        self.watch.read(Location::caller(), || self.real.borrow())
    }

    /// Reads the value and counts it as seen.
    #[cfg(rv_tokio_1_8)]
    #[track_caller]
    pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
        let Receiver { real, watch, .. } = self;
        watch.read(Location::caller(), || real.borrow_and_update())
    }

    /// Waits for a value that was not seen, and counts it as seen.
    #[track_caller]
    pub fn changed(&mut self) -> impl Future<Output = Result<(), RecvError>> + '_ {
        let location = Location::caller();
        let (real, watch) = (&mut self.real, &*self.watch);
        waiting(real.changed(), EventKind::RecvWait, watch.channel.head(), 0, location, move |result| {
            watch.noticed(&result, location);
            result
        })
    }

    /// Waits for a value that fulfils the condition, and reads it.
    #[cfg(rv_tokio_1_28)]
    #[track_caller]
    pub fn wait_for<'a, F>(
        &'a mut self,
        condition: F,
    ) -> impl Future<Output = Result<Ref<'a, T>, RecvError>> + use<'a, T, F>
    where
        F: FnMut(&T) -> bool,
    {
        let location = Location::caller();
        let (real, watch) = (&mut self.real, &*self.watch);
        let waited = real.wait_for(condition);
        waiting(waited, EventKind::RecvWait, watch.channel.head(), 0, location, move |result| {
            watch.noticed(&result.as_ref().map(|_| ()), location);
            let real = result?;
            Ok(watch.read(location, || real))
        })
    }
}

rt::forwards! {
    [T] Receiver<T> {
        #[cfg(rv_tokio_1_16)] pub fn has_changed(&self) -> Result<bool, RecvError>;
        #[cfg(rv_tokio_1_54)] pub fn is_closed(&self) -> bool;
        #[cfg(rv_tokio_1_33)] pub fn mark_changed(&mut self);
        #[cfg(rv_tokio_1_36)] pub fn mark_unchanged(&mut self);
        #[cfg(rv_tokio_1_18)] pub fn same_channel(&self, other: &Self) -> bool;
    }
    [T] Receiver<T>: Clone = around(real, watch);
    [T: fmt::Debug] Receiver<T>: Debug;
}

rt::exchanged! {
    Receiver<()> => real::sync::watch::Receiver<()>;
}
