//! `cargo rvcheck merge`.

use super::show::{check, show};
use crate::check::merge::merge as merged;
use crate::cli::MergeArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::project;
use crate::report::stored;

/// Shows several reports as one.
pub(super) fn merge(args: &MergeArgs, console: Console) -> Result<ExitCode> {
    let reports = args.reports.iter().map(|it| stored::read_given(it)).collect::<Result<Vec<_>>>()?;
    let workspace = project::workspace(&args.manifest)?;
    let none = || Expected::Configuration("there is no report to merge".to_owned());
    let report = merged(&reports).ok_or_else(none)?;
    check(&args.show, workspace.as_ref(), report.properties.iter().map(|it| it.id.as_str()))?;
    show(&report, &args.show, workspace.as_ref(), console)
}
