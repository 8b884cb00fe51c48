//! Replaces `futures_util` in the program under test: the same interface, whose locks and spawned tasks are recorded.
//!
//! Everything is the real crate's unless it is named here. A type is wrapped only together with every function that makes
//! or takes it. The features are those of the real crate; `rv_futures_util_0_3_N` is set for every `N` from 1 up to its
//! patch version.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate futures_util as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(all(feature = "std", not(rv_no_lock)))]
pub mod lock;
#[cfg(all(feature = "std", feature = "async-await-macro", rv_futures_util_0_3_15, not(rv_no_select)))]
mod select;
#[cfg(all(feature = "alloc", not(rv_no_task)))]
pub mod task;

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `futures_util` means this crate.
    pub const IN_FORCE: () = ();

    #[cfg(all(feature = "std", feature = "async-await-macro", rv_futures_util_0_3_15, not(rv_no_select)))]
    pub use crate::select::expanded;
}
