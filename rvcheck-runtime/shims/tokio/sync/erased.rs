//! A guard of the real crate whose lifetime is not part of its type.
//!
//! The real owned guards hold an `Arc` of the real lock. Ours hold one of our lock, and beside it the real guard that
//! borrows from it; no lifetime can say so.

/// Room for any guard of the real crate: with `tracing` they carry a span.
#[cfg(all(tokio_unstable, feature = "tracing"))]
const WORDS: usize = 16;
#[cfg(not(all(tokio_unstable, feature = "tracing")))]
const WORDS: usize = 4;

/// Some guard. Dropping this drops it.
pub(super) type Erased = rt::Erased<WORDS>;
