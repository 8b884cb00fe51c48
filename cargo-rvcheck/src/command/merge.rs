//! `cargo rvcheck merge`.

use super::show::{check, show};
use crate::check::merge::merge as merged;
use crate::cli::MergeArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::project;
use crate::report::stored;

/// Commands are run by people who trust the tool that shows them.
const FOREIGN: &str = "the commands below are text from the merged reports, and this run did not make them: read one before you run it";

/// Shows several reports as one.
pub(super) fn merge(args: &MergeArgs, console: Console) -> Result<ExitCode> {
    let reports = args.reports.iter().map(|it| stored::read_given(it)).collect::<Result<Vec<_>>>()?;
    let workspace = project::workspace(&args.manifest)?;
    let none = || Expected::Configuration("there is no report to merge".to_owned());
    let mut report = merged(&reports).ok_or_else(none)?;
    if report.findings.iter().any(|it| !it.next.command.is_empty()) {
        report.run.notes.push(FOREIGN.to_owned());
    }
    check(&args.show, workspace.as_ref(), report.properties.iter().map(|it| it.id.as_str()))?;
    show(&report, &args.show, workspace.as_ref(), console)
}
