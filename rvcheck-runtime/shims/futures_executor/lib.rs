//! Replaces `futures_executor` in the program under test: the same interface, whose tasks are recorded.
//!
//! Everything is the real crate's unless it is named here. A type is wrapped only together with every function that makes
//! or takes it. The features are those of the real crate.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate futures_executor as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(all(feature = "std", not(rv_no_local)))]
mod local;
#[cfg(all(feature = "thread-pool", not(rv_no_pool)))]
mod pool;

#[cfg(all(feature = "std", not(rv_no_local)))]
pub use local::{block_on, block_on_stream, BlockingStream, LocalPool};
#[cfg(all(feature = "thread-pool", not(rv_no_pool)))]
pub use pool::{ThreadPool, ThreadPoolBuilder};

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `futures_executor` means this crate.
    pub const IN_FORCE: () = ();
}
