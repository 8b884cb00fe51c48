//! Rust source to sites and edits, without any input or output
