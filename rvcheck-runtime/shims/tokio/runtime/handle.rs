//! `Handle`.

use std::future::Future;
use std::ops::Deref;
use std::panic::Location;

#[cfg(rv_tokio_1_14)]
use real::runtime::TryCurrentError;
use rt::TaskKind;

use super::driven;
use crate::task::{self, JoinHandle};

/// A runtime from afar. What is not here is the real handle's.
#[derive(Clone)]
#[repr(transparent)]
pub struct Handle {
    real: real::runtime::Handle,
}

impl Handle {
    pub(crate) fn of(real: &real::runtime::Handle) -> &Handle {
        // SAFETY: the types have the same representation, as `transparent` says.
        unsafe { &*std::ptr::from_ref(real).cast::<Handle>() }
    }

    /// The runtime that this thread is in.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[track_caller]
    pub fn current() -> Handle {
        Handle { real: real::runtime::Handle::current() }
    }

    /// The runtime that this thread is in.
    ///
    /// # Errors
    ///
    /// Outside a runtime.
    #[cfg(rv_tokio_1_14)]
    pub fn try_current() -> Result<Handle, TryCurrentError> {
        Ok(Handle { real: real::runtime::Handle::try_current()? })
    }

    /// As above, with an error that cannot be named.
    ///
    /// # Errors
    ///
    /// Outside a runtime.
    #[cfg(not(rv_tokio_1_14))]
    pub fn try_current() -> Result<Handle, impl std::error::Error> {
        real::runtime::Handle::try_current().map(|real| Handle { real })
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
    #[cfg(rv_tokio_1_4)]
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        driven(Location::caller(), future, |future| self.real.block_on(future))
    }
}

rt::forwards! {
    [] Handle {
        pub fn enter(&self) -> super::EnterGuard<'_>;
        #[cfg(rv_tokio_1_22)] pub fn runtime_flavor(&self) -> super::RuntimeFlavor;
        #[cfg(any(rv_tokio_1_49, all(tokio_unstable, rv_tokio_1_30)))] pub fn id(&self) -> super::Id;
        #[cfg(rv_tokio_1_51)] pub fn name(&self) -> Option<&str>;
        #[cfg(rv_tokio_1_38)] pub fn metrics(&self) -> super::RuntimeMetrics;
    }
    [] Handle: Deref<real::runtime::Handle>;
    [] Handle: Debug;
}

rt::exchanged! {
    Handle => real::runtime::Handle;
}
