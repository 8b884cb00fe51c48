//! Replaces `tokio_util` in the program under test: the same interface, whose cancellation tokens and task trackers are
//! recorded, with what its polled senders and semaphores do.
//!
//! Everything is the real crate's unless it is named here; that one is itself compiled against the shim of tokio. A type
//! is wrapped only together with every function that makes or takes it. The features are those of the real crate;
//! `rv_tokio_util_0_7_N` is set for every `N` from 1 up to its patch version.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
// What the groups share is not needed by each of them.
#![cfg_attr(
    any(rv_no_cancellation, rv_no_tracker, not(feature = "rt"), not(rv_tokio_util_0_7_12)),
    allow(dead_code)
)]
#![warn(missing_docs)]

extern crate rvcheck_runtime as rt;
extern crate tokio_util as real;

pub use real::*;

mod names;
mod waiting;

#[cfg(all(rv_tokio_util_0_7_16, not(rv_no_cancellation)))]
pub mod future;
pub mod sync;
#[cfg(all(feature = "rt", rv_tokio_util_0_7_10, not(rv_no_tracker)))]
pub mod task;

/// `tokio_util::time`, which has the trait too.
#[cfg(all(feature = "time", rv_tokio_util_0_7_16, not(rv_no_cancellation)))]
pub mod time {
    pub use real::time::*;

    pub use crate::future::FutureExt;
}

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `tokio_util` means this crate.
    pub const IN_FORCE: () = ();
}
