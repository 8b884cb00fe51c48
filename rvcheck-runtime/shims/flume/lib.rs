//! Replaces `flume` in the program under test: the same interface, whose channels are recorded.
//!
//! Everything is the real crate's unless it is named here. The types belong together, since each takes or makes another.
//! The features are those of the real crate; `rv_flume_0_11` is set from this version on, and likewise for others, but
//! `rv_flume_0_11_1` for 0.11 alone.

#![allow(unexpected_cfgs)]
// The glob is there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate flume as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(all(feature = "async", not(rv_no_channel)))]
pub mod r#async;
#[cfg(not(rv_no_channel))]
mod channel;
#[cfg(not(rv_no_channel))]
mod names;
#[cfg(all(feature = "select", not(rv_no_channel)))]
pub mod select;

#[cfg(all(rv_flume_0_11, not(rv_no_channel)))]
pub use channel::WeakSender;
#[cfg(not(rv_no_channel))]
pub use channel::{bounded, unbounded, Drain, IntoIter, Iter, Receiver, Sender, TryIter};
#[cfg(all(feature = "select", not(rv_no_channel)))]
pub use select::Selector;

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `flume` means this crate.
    pub const IN_FORCE: () = ();
}
