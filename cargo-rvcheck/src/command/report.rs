//! `cargo rvcheck report`.

use super::show::{check, show};
use crate::cli::{ReportArgs, Scope};
use crate::console::Console;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::inject::compiler::Compiler;
use crate::layout::Layout;
use crate::project::Project;
use crate::report::stored;

/// Shows the report of the last run again, without running anything.
pub(super) fn report(args: &ReportArgs, console: Console) -> Result<ExitCode> {
    let project = Project::load(&args.build, Scope::Graph, &Compiler::find()?.host)?;
    let run = Layout::below(&project.target_directory).last_run()?;
    let report = stored::read(&run)?;
    check(&args.show, Some(&project.workspace), report.properties.iter().map(|it| it.id.as_str()))?;
    show(&report, &args.show, Some(&project.workspace), console)
}
