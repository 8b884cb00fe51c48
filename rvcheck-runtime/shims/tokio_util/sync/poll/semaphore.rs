//! `PollSemaphore`.

use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use rt::{Behalf, Loc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A semaphore that is polled. What it does is recorded where the program polls it, or else where it was made.
pub struct PollSemaphore {
    born: Loc,
    real: real::sync::PollSemaphore,
}

impl PollSemaphore {
    /// The semaphore, to be polled.
    #[track_caller]
    pub fn new(semaphore: Arc<Semaphore>) -> PollSemaphore {
        PollSemaphore { born: Location::caller(), real: real::sync::PollSemaphore::new(semaphore) }
    }

    fn behalf(&self, location: Loc) -> Behalf {
        rt::behalf(rt::own_or(location, self.born))
    }

    /// Polls for a permit.
    #[track_caller]
    pub fn poll_acquire(&mut self, context: &mut Context<'_>) -> Poll<Option<OwnedSemaphorePermit>> {
        let _behalf = self.behalf(Location::caller());
        self.real.poll_acquire(context)
    }

    /// Polls for so many permits.
    #[cfg(rv_tokio_util_0_7_5)]
    #[track_caller]
    pub fn poll_acquire_many(
        &mut self,
        context: &mut Context<'_>,
        permits: u32,
    ) -> Poll<Option<OwnedSemaphorePermit>> {
        let _behalf = self.behalf(Location::caller());
        self.real.poll_acquire_many(context, permits)
    }

    /// Adds new permits.
    #[track_caller]
    pub fn add_permits(&self, n: usize) {
        let _behalf = self.behalf(Location::caller());
        self.real.add_permits(n);
    }
}

impl Stream for PollSemaphore {
    type Item = OwnedSemaphorePermit;

    #[track_caller]
    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<OwnedSemaphorePermit>> {
        self.get_mut().poll_acquire(context)
    }
}

impl Clone for PollSemaphore {
    #[track_caller]
    fn clone(&self) -> PollSemaphore {
        PollSemaphore::new(self.clone_inner())
    }
}

rt::forwards! {
    [] PollSemaphore {
        pub fn close(&self);
        pub fn clone_inner(&self) -> Arc<Semaphore>;
        pub fn into_inner(self) -> Arc<Semaphore>;
        pub fn available_permits(&self) -> usize;
    }
    [] PollSemaphore: AsRef<Semaphore> {
        fn as_ref(&self) -> &Semaphore;
    }
    [] PollSemaphore: Debug;
}
