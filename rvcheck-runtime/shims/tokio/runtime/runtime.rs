//! `Runtime`.

use std::future::Future;
use std::io;
use std::ops::Deref;
use std::panic::Location;
use std::time::Duration;

use rt::TaskKind;

use super::{driven, Handle};
use crate::task::{self, JoinHandle};

/// A runtime. What is not here is the real runtime's.
pub struct Runtime {
    real: real::runtime::Runtime,
}

impl Runtime {
    pub(super) fn of(real: real::runtime::Runtime) -> Runtime {
        Runtime { real }
    }

    /// A runtime with everything enabled.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    #[cfg(feature = "rt-multi-thread")]
    pub fn new() -> io::Result<Runtime> {
        Ok(Runtime { real: real::runtime::Runtime::new()? })
    }

    /// The runtime from afar.
    pub fn handle(&self) -> &Handle {
        Handle::of(self.real.handle())
    }

    /// Spawns a task.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let location = Location::caller();
        let (id, future) = task::future(TaskKind::Async, location, future);
        JoinHandle::new(id, self.real.spawn(future))
    }

    /// Runs a closure on the blocking pool.
    #[track_caller]
    pub fn spawn_blocking<F, R>(&self, f: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        let location = Location::caller();
        let (id, f) = task::blocking(location, f);
        JoinHandle::new(id, self.real.spawn_blocking(f))
    }

    /// Drives a future on this thread.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        driven(Location::caller(), future, |future| self.real.block_on(future))
    }
}

rt::forwards! {
    [] Runtime {
        pub fn enter(&self) -> super::EnterGuard<'_>;
        #[cfg(rv_tokio_1_38)] pub fn metrics(&self) -> super::RuntimeMetrics;
        pub fn shutdown_timeout(self, duration: Duration);
        pub fn shutdown_background(self);
    }
    [] Runtime: Deref<real::runtime::Runtime>;
    [] Runtime: Debug;
}

rt::exchanged! {
    Runtime => real::runtime::Runtime;
}
