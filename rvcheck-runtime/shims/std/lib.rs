//! Replaces `std` in instrumented crates: everything is the real `std`, except the items named here, which
//! report what they do to the recorder and then leave the work to the real ones.
//!
//! A module that overrides something re-exports the real module by one glob and names its own items one by one. A second
//! glob would be ambiguous, and the real item would win in silence.
//!
//! A type is wrapped only where everything that makes it and everything that takes it is wrapped as well. Each group that
//! belongs together can be left out by `--cfg`: `rv_no_mutex` (with the condition variable), `rv_no_rwlock`,
//! `rv_no_barrier`, `rv_no_once` (with `OnceLock` and `LazyLock`), `rv_no_mpsc`, `rv_no_thread`, `rv_no_panic`, `rv_no_fs`.
//!
//! `rv_std_1_N` is set for every `N` from 1 up to the compiler's minor version. What is newer than 1.85 asks for it.

#![warn(missing_docs)]

extern crate rvcheck_insert;
extern crate rvcheck_runtime as recorder;
extern crate std as real;

pub use ::real::*;

pub mod any;
#[cfg(not(rv_no_fs))]
pub mod fs;
#[cfg(not(rv_no_panic))]
pub mod panic;
pub mod prelude;
pub mod sync;
#[cfg(not(rv_no_thread))]
pub mod thread;

mod names;

/// What a crate names to make sure that it was compiled against this crate and not against the real `std`.
#[doc(hidden)]
pub mod __rv_shim {
    pub use crate::recorder::observing;
    pub use rvcheck_insert::insert;

    /// Exists.
    pub const IN_FORCE: () = ();
}
