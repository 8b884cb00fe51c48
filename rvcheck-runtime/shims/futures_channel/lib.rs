//! Replaces `futures_channel` in the program under test: the same interface, whose messages are recorded.
//!
//! Everything is the real crate's unless it is named here. A type is wrapped only together with every function that makes
//! or takes it. The features are those of the real crate; `rv_futures_channel_0_3_N` is set for every `N` from 1 up to its
//! patch version.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
// What the groups share is not needed by each of them.
#![cfg_attr(any(rv_no_mpsc, rv_no_oneshot, not(feature = "alloc")), allow(unused_macros))]
#![warn(missing_docs)]

extern crate futures_channel as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

mod debug;
#[cfg(all(feature = "std", not(rv_no_mpsc)))]
pub mod mpsc;
mod names;
#[cfg(all(feature = "alloc", not(rv_no_oneshot)))]
pub mod oneshot;

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `futures_channel` means this crate.
    pub const IN_FORCE: () = ();
}
