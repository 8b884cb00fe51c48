//! A toolkit and a program on it, in one crate. `specs/own.toml` says which is which.

pub mod reader;
pub mod toolkit;
