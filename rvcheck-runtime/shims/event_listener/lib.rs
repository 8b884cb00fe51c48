//! Replaces `event_listener` in the program under test: the same interface, whose events are recorded.
//!
//! Everything is the real crate's unless it is named here. The types belong together, since each takes or makes another. They can
//! be left out by a cfg, where they do not fit into a program.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate event_listener as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(not(rv_no_event))]
mod event;

#[cfg(not(rv_no_event))]
pub use event::{Event, EventListener, Listener};

/// What the macro of this crate expands to.
#[cfg(not(rv_no_event))]
#[doc(hidden)]
pub mod __private {
    pub use core::pin::Pin;

    pub use crate::event::{StackListener, StackSlot};
}

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `event_listener` means this crate.
    pub const IN_FORCE: () = ();
}
