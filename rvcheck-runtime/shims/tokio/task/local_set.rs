//! `LocalSet`.

use std::fmt;
use std::future::{poll_fn, Future};
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::pin::{pin, Pin};
use std::task::{Context, Poll};

use rt::TaskKind;

use super::JoinHandle;
use crate::runtime::{driven, Runtime};

/// Tasks that stay on one thread.
#[derive(Default)]
pub struct LocalSet {
    real: real::task::LocalSet,
}

impl LocalSet {
    /// An empty set.
    pub fn new() -> LocalSet {
        LocalSet { real: real::task::LocalSet::new() }
    }

    /// Spawns a task onto the set.
    #[track_caller]
    pub fn spawn_local<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        let location = Location::caller();
        let (id, future) = super::future(TaskKind::Local, location, future);
        JoinHandle::new(id, self.real.spawn_local(future))
    }

    /// Drives a future, and the set with it, on a runtime.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[track_caller]
    pub fn block_on<F: Future>(&self, runtime: &Runtime, future: F) -> F::Output {
        driven(Location::caller(), future, |future| self.real.block_on(runtime, future))
    }

    /// Drives the set until the future is ready.
    pub fn run_until<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<'_, F> {
        // The set's own waker is for its tasks, which are recorded.
        async move {
            let mut driven = pin!(self.real.run_until(rt::waker::disguise_for(future)));
            poll_fn(|context| driven.as_mut().poll(&mut rt::waker::real(context))).await
        }
    }

    /// Makes the set the current one of this thread.
    #[cfg(rv_tokio_1_21)]
    pub fn enter(&self) -> super::LocalEnterGuard {
        self.real.enter()
    }

    /// The set's number, as that of a runtime.
    #[cfg(rv_tokio_1_49)]
    pub fn id(&self) -> real::runtime::Id {
        self.real.id()
    }
}

impl Deref for LocalSet {
    type Target = real::task::LocalSet;

    fn deref(&self) -> &Self::Target {
        &self.real
    }
}

impl DerefMut for LocalSet {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.real
    }
}

impl Future for LocalSet {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.real).poll(context)
    }
}

impl fmt::Debug for LocalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

rt::exchanged! {
    LocalSet => real::task::LocalSet;
}
