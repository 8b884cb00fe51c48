//! Replaces `crossbeam_channel` in the program under test: the same interface, whose channels are recorded.
//!
//! Everything is the real crate's unless it is named here. The types belong together, since each takes or makes another.
//! The features are those of the real crate; `rv_crossbeam_channel_0_5_N` is set for every `N` from 1 up to its patch
//! version.

#![allow(unexpected_cfgs)]
// Without the feature `std` there is nothing in the real crate.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate crossbeam_channel as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(all(feature = "std", not(rv_no_channel)))]
mod channel;
#[cfg(all(feature = "std", not(rv_no_channel)))]
mod names;
#[cfg(all(feature = "std", not(rv_no_channel)))]
mod select;

#[cfg(all(feature = "std", not(rv_no_channel)))]
pub use channel::{after, at, bounded, never, tick, unbounded, IntoIter, Iter, Receiver, Sender, TryIter};
#[cfg(all(feature = "std", not(rv_no_channel)))]
pub use select::{Select, SelectedOperation};

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `crossbeam_channel` means this crate.
    pub const IN_FORCE: () = ();
}
