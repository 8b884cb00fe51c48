//! Replaces `async_channel` in the program under test: the same interface, whose messages are recorded.
//!
//! Everything is the real crate's unless it is named here.

#![allow(unexpected_cfgs)]
// The glob is there for what newer versions of the real crate add.
#![allow(unused_imports)]
#![warn(missing_docs)]

extern crate async_channel as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(not(rv_no_channel))]
mod channel;
#[cfg(not(rv_no_channel))]
mod names;

#[cfg(all(rv_async_channel_2_5, not(rv_no_channel)))]
pub use channel::Closed;
#[cfg(not(rv_no_channel))]
pub use channel::{bounded, unbounded, Receiver, Recv, Send, Sender, WeakReceiver, WeakSender};

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `async_channel` means this crate.
    pub const IN_FORCE: () = ();
}
