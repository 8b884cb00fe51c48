//! What the user asks for: which packages and targets, how they are built, what runs the tests, and how they are instrumented.
//!
//! The [command line](crate::cli) fills these values, and whoever builds, runs or describes a run takes them from here.

mod build;
mod exploring;
mod moment;
mod monitor;
mod options;
mod part;
mod remedy;
mod selection;
mod share;
mod test_tool;
mod thresholds;

pub use build::{BuildArgs, TargetArgs};
pub use exploring::Exploring;
pub use moment::Moment;
pub use monitor::{BuildMonitorArgs, KEPT_RUNS, LEAST_TRACE, MonitorArgs, Scope, Size, Span};
pub use options::{CARGO, Dialect, build_options, target_options};
pub use part::{Deal, Part};
pub use remedy::{UnknownRemedy, Wish, known_remedies, remedy_of_name};
pub use selection::{RunIgnored, SelectionArgs};
pub use share::Share;
pub use test_tool::TestTool;
pub use thresholds::{Limit, Percentage, ThresholdArgs};
