//! Replaces `core` in members with `#![no_std]`: all of it is the real `core`, and the preludes have the methods that the
//! rewriter puts before `.await` and behind calls.
//!
//! It is linked with the recorder and so with `std`, and is therefore only for what is linked with that in the end.

#![warn(missing_docs)]

extern crate core as real;
extern crate rvcheck_runtime as recorder;

pub use ::real::*;

pub mod prelude;

/// What a crate names to make sure that it was compiled against this crate and not against the real `core`.
#[doc(hidden)]
pub mod __rv_shim {
    /// Exists.
    pub const IN_FORCE: () = ();
}
