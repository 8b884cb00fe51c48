//! Run the tests of an async Rust crate under watch

pub mod cli;
pub mod command;
pub mod console;
pub mod error;
pub mod exit_code;
pub mod finding;
pub mod harness;
pub mod inject;
pub mod judge;
pub mod layout;
pub mod project;
pub mod recorded;
pub mod report;
pub mod specs;
pub mod wrapper;
