//! Undoing what does not compile when instrumented: as little as possible, and never in silence.
//!
//! The [compiler's errors](blame) say which marks of which [file](marks) are to blame, and which [groups] of types of
//! which shim. What was undone is [kept](undone) with what the compiler reported until the file changes; what the
//! [decisions] leave out of the whole graph, until the lock file does. Everything here but the keeping is a function
//! of texts.

pub mod blame;
pub mod decisions;
pub mod groups;
pub mod marks;
pub mod undone;
