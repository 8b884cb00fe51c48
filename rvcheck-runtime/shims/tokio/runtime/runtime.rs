//! `Runtime`.

use std::io;
use std::ops::Deref;
use std::panic::Location;
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

    /// Ends the runtime, and waits for that long at most for what blocks its threads.
    #[track_caller]
    pub fn shutdown_timeout(self, duration: Duration) {
        if !rt::control::on() {
            return self.real.shutdown_timeout(duration);
        }
        // The real one would wait for real time.
        self.shutdown_background();
        rt::control::wait_for_blocking(duration, Location::caller());
    }

    /// Ends the runtime, and waits for nothing.
    pub fn shutdown_background(self) {
        let Runtime { _leaves, real, _returns } = self;
        drop(_leaves);
        real.shutdown_background();
        drop(_returns);
    }

    runtime_methods!(spawn, spawn_blocking, block_on);
}

rt::forwards! {
    [] Runtime {
        pub fn enter(&self) -> super::EnterGuard<'_>;
        #[cfg(rv_tokio_1_38)] pub fn metrics(&self) -> super::RuntimeMetrics;
    }
    [] Runtime: Deref<real::runtime::Runtime>;
    [] Runtime: Debug;
}

rt::exchanged! {
    Runtime => real::runtime::Runtime;
}
