//! Traces: the format that the recorder writes, and how it is read back.

pub mod format;
