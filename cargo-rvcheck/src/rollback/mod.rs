//! Undoing what does not compile under watch: as little as possible, and never in silence.
//!
//! The [compiler's errors](blame) say which marks of which [file](marks) are to blame; what was undone is
//! [kept](undone) with what the compiler said, until the file changes. Everything here but the keeping is a function of
//! texts.

pub mod blame;
pub mod marks;
pub mod undone;
