//! `Runtime`.

use std::io;
use std::ops::Deref;
use std::time::Duration;

use super::{runtime_methods, Handle};

/// A runtime. What is not here is the real runtime's.
pub struct Runtime {
    // Fields are dropped in this order: others go on while the real one waits for its threads.
    _leaves: rt::control::Leaves,
    real: real::runtime::Runtime,
    _returns: rt::control::Returns,
}

impl Runtime {
    pub(super) fn of(real: real::runtime::Runtime) -> Runtime {
        Runtime { _leaves: rt::control::Leaves, real, _returns: rt::control::Returns }
    }

    /// A runtime with everything enabled.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    #[cfg(feature = "rt-multi-thread")]
    pub fn new() -> io::Result<Runtime> {
        super::Builder::new_multi_thread().enable_all().build()
    }

    /// The runtime from afar.
    pub fn handle(&self) -> &Handle {
        Handle::of(self.real.handle())
    }

    runtime_methods!(spawn, spawn_blocking, block_on);
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
