//! `LocalRuntime`.

use std::io;
use std::ops::Deref;
use std::time::Duration;

use super::{runtime_methods, Handle};

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

    runtime_methods!(spawn_local, spawn_blocking, block_on);
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
