//! Replaces `once_cell` in the program under test: the same interface, whose cells for threads are recorded.
//!
//! Everything is the real crate's unless it is named here. `unsync` cells belong to one thread and `race` cells make nobody
//! wait, so both stay the real ones.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate once_cell as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(all(any(feature = "std", feature = "critical-section"), not(rv_no_sync)))]
mod names;
#[cfg(all(any(feature = "std", feature = "critical-section"), not(rv_no_sync)))]
pub mod sync;

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `once_cell` means this crate.
    pub const IN_FORCE: () = ();
}
