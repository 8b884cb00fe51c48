//! Replaces `tokio` in the program under test: the same interface, whose tasks, locks and channels are recorded.
//!
//! Everything is the real crate's unless it is named here. A type is wrapped only together with every function that makes
//! or takes it. The features are those of the real crate; `rv_tokio_1_N` is set for every `N` from 1 up to its minor
//! version.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
// Nor is all that wrappers keep needed for what older versions have.
#![cfg_attr(not(rv_tokio_1_38), allow(dead_code))]
// What the groups share is not needed by each of them.
#![cfg_attr(
    any(
        rv_no_barrier,
        rv_no_broadcast,
        rv_no_mpsc,
        rv_no_mutex,
        rv_no_notify,
        rv_no_once,
        rv_no_oneshot,
        rv_no_rwlock,
        rv_no_select,
        rv_no_semaphore,
        rv_no_task,
        rv_no_time,
        rv_no_watch
    ),
    allow(dead_code, unused_macros)
)]
#![warn(missing_docs)]

extern crate rvcheck_runtime as rt;
extern crate tokio as real;

pub use real::*;

#[cfg(feature = "sync")]
mod blocking;
#[cfg(feature = "sync")]
mod waiting;

#[cfg(all(feature = "rt", not(rv_no_task)))]
pub mod runtime;
#[cfg(all(feature = "macros", not(rv_no_select)))]
mod select;
#[cfg(feature = "sync")]
pub mod sync;
#[cfg(all(feature = "rt", not(rv_no_task)))]
pub mod task;

#[cfg(all(feature = "time", not(rv_no_time)))]
pub mod time;

#[cfg(all(feature = "rt", not(rv_no_task)))]
pub use task::spawn;

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `tokio` means this crate.
    pub const IN_FORCE: () = ();

    #[cfg(all(feature = "macros", not(rv_no_select)))]
    pub use crate::select::first_branch;
    pub extern crate tokio as real;
}
