//! `cargo rvcheck baseline`.

use crate::cli::BaselineArgs;

use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::inject::compiler::Compiler;
use crate::layout::{Layout, create_folder, write_whole};
use crate::policy::baseline::{self, Change};
use crate::project::Project;
use crate::report::{BuildOutcome, counted, stored};
use crate::request::Scope;

/// Writes what the last run has found to the baseline.
pub(super) fn baseline(args: &BaselineArgs, console: Console) -> Result<ExitCode> {
    let project = Project::load(&args.build, Scope::Graph, &Compiler::find(&args.build)?.host)?;
    let last = Layout::below(&project.target_directory).runs(&project.root).last()?;
    console.status("Reading", last.with_age());
    let report = stored::read(&last.folder)?;
    if report.run.build != BuildOutcome::Ok {
        let message = "the last run did not build, so it found nothing\nrun `cargo rvcheck test` first";
        return Err(Expected::Configuration(message.to_owned()));
    }
    let old = baseline::read(&project.root)?;
    let whole = !report.run.is_part() && !report.run.inconclusive && !report.run.truncated;
    let add = args.accept_new || old.is_none();
    let (new, Change { added, removed }) =
        baseline::renewed(&old.clone().unwrap_or_default(), &report.findings, add, whole);
    let path = project.root.join(baseline::PATH);
    if old.as_ref().is_none_or(|old| baseline::written(old) != baseline::written(&new)) {
        create_folder(path.parent().unwrap_or(&project.root))?;
        write_whole(&path, baseline::written(&new).as_bytes())?;
    }
    let known: u64 = new.entries.iter().map(|it| it.count).sum();
    let taken = if add { added } else { 0 };
    console.status("Baseline", format_args!("{path}: {}, +{taken} -{removed}", counted(known, "finding")));
    if !whole {
        console.warn(format_args!(
            "nothing was removed, because the last run was not a whole one: {last}\n`cargo rvcheck test` makes a whole one"
        ));
    }
    if add || added == 0 {
        return Ok(ExitCode::Clean);
    }
    let findings = counted(added, "finding");
    console.error(format_args!(
        "{findings} of the last run are not in the baseline\n`cargo rvcheck report` shows them; --accept-new adds them"
    ));
    Ok(ExitCode::Findings)
}
