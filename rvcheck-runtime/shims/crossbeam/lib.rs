//! Replaces `crossbeam` in the program under test, so that its channels are those of the shim for
//! `crossbeam_channel`.

#![allow(unexpected_cfgs)]
#![warn(missing_docs)]

extern crate crossbeam as real;

pub use real::*;

#[cfg(all(feature = "std", not(rv_no_channel)))]
pub use crossbeam_channel::{self as channel, select};

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `crossbeam` means this crate.
    pub const IN_FORCE: () = ();
}
