//! `LocalSet`.

use std::future::{poll_fn, Future};
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::pin::{pin, Pin};
use std::task::{Context, Poll};

use rt::settling::Settling;

use crate::runtime::{driven, runtime_methods, settled, Runtime};

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

    runtime_methods!(spawn_local);

    /// Drives a future, and the set with it, on a runtime.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[track_caller]
    pub fn block_on<F: Future>(&self, runtime: &Runtime, future: F) -> F::Output {
        rt::control::polls_locals();
        driven(Location::caller(), future, |future| {
            let settling = async {
                let output = future.await;
                if let Some(settling) = Settling::begin() {
                    settled(settling).await;
                }
                output
            };
            self.real.block_on(runtime, settling)
        })
    }

    /// Drives the set until the future is ready.
    pub fn run_until<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<'_, F> {
        // The set's own waker is for its tasks, which are recorded.
        async move {
            let mut driven = pin!(self.real.run_until(rt::waker::disguise_for(future)));
            poll_fn(|context| driven.as_mut().poll(&mut rt::waker::real(context))).await
        }
    }
}

impl Future for LocalSet {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.real).poll(context)
    }
}

rt::forwards! {
    [] LocalSet {
        #[cfg(rv_tokio_1_21)] pub fn enter(&self) -> super::LocalEnterGuard;
        #[cfg(rv_tokio_1_49)] pub fn id(&self) -> real::runtime::Id;
    }
    [] LocalSet: Deref<real::task::LocalSet>;
    [] LocalSet: DerefMut;
    [] LocalSet: Debug;
}

rt::exchanged! {
    LocalSet => real::task::LocalSet;
}
