//! `Handle`.

use std::ops::Deref;

#[cfg(rv_tokio_1_14)]
use real::runtime::TryCurrentError;

use super::runtime_methods;

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

    runtime_methods!(spawn, spawn_blocking);
    #[cfg(rv_tokio_1_4)]
    runtime_methods!(block_on);
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
