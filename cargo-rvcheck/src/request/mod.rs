//! What the user asks for: which packages and targets, how they are built, what runs the tests, and how they are instrumented.
//!
//! The [command line](crate::cli) fills these values, and whoever builds, runs or describes a run takes them from here.

mod build;
mod options;
mod part;
mod share;
mod test_tool;
mod watch;

pub use build::{BuildArgs, TargetArgs};
pub use options::{CARGO, Dialect, build_options, target_options};
pub use part::Part;
pub use share::Share;
pub use test_tool::TestTool;
pub use watch::{KEPT_RUNS, LEAST_TRACE, Scope, Size, Span, WatchArgs};
