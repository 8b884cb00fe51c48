//! `cargo rvcheck explore`.

use super::test::test_exploring;
use crate::cli::ExploreArgs;
use crate::console::Console;
use crate::error::Result;

/// Runs the instrumented tests, then by many other schedules, and reports.
pub(super) fn explore(args: &ExploreArgs, console: Console) -> Result<u8> {
    test_exploring(&args.as_test(), Some(args.exploring()), args.partition, console)
}
