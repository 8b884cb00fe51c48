//! Run the tests of an async Rust crate under watch

pub mod finding;
pub mod judge;
pub mod recorded;
pub mod report;
pub mod specs;
