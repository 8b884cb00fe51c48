//! `LocalRuntime`.

use std::future::Future;
use std::io;
use std::ops::Deref;
use std::panic::Location;
use std::time::Duration;

use rt::TaskKind;

use super::{driven, Handle};
use crate::task::{self, JoinHandle};

/// A runtime on one thread, for tasks that stay there. What is not here is the real runtime's.
pub struct LocalRuntime {
    real: real::runtime::LocalRuntime,
}

impl LocalRuntime {
    pub(super) fn of(real: real::runtime::LocalRuntime) -> LocalRuntime {
        LocalRuntime { real }
    }

    /// A runtime with everything enabled.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    pub fn new() -> io::Result<LocalRuntime> {
        Ok(LocalRuntime { real: real::runtime::LocalRuntime::new()? })
    }

    /// The runtime from afar.
    pub fn handle(&self) -> &Handle {
        Handle::of(self.real.handle())
    }

    /// Spawns a task.
    #[track_caller]
    pub fn spawn_local<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        let location = Location::caller();
        let (id, future) = task::future(TaskKind::Local, location, future);
        JoinHandle::new(id, self.real.spawn_local(future))
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
    [] LocalRuntime {
        pub fn enter(&self) -> super::EnterGuard<'_>;
        pub fn metrics(&self) -> super::RuntimeMetrics;
        pub fn shutdown_timeout(self, duration: Duration);
        pub fn shutdown_background(self);
    }
    [] LocalRuntime: Deref<real::runtime::LocalRuntime>;
    [] LocalRuntime: Debug;
}

rt::exchanged! {
    LocalRuntime => real::runtime::LocalRuntime;
}
