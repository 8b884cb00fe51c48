//! Traces as comma-separated values: one event a row, its name and then its arguments in the order of its parameters.
//!
//! ```csv
//! # who holds what
//! acquire,task:3,lock:17
//! grant,task:3,5
//! ```
//!
//! Quotes are those of RFC 4180. A line that begins with `#` is a comment. There are no times, tests or attributes: all rows are one
//! unit.

mod read;
mod write;

pub use read::read;
pub use write::row;
