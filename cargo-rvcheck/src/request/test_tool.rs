//! What runs the tests.

use clap::ValueEnum;

/// What runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestTool {
    /// Nextest where the workspace is set up for it, else cargo.
    Auto,
    /// `cargo test`: the tests of an executable share a process.
    Cargo,
    /// `cargo nextest run`: each test has a process of its own.
    Nextest,
}
