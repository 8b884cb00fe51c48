//! `cargo rvcheck predict`.

use super::replay::{Given, report};
use super::show::{check, show};
use crate::check::PREDICTED;
use crate::cli::PredictArgs;
use crate::console::Console;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::specs::{checked, files};

/// Predicts the deadlocks of a trace that was recorded before.
pub(super) fn predict(args: &PredictArgs, console: Console) -> Result<ExitCode> {
    let is_predicted =
        |file: &(String, String)| PREDICTED.iter().any(|id| file.0.strip_suffix(".toml") == Some(*id));
    let texts: Vec<(String, String)> = files().into_iter().filter(is_predicted).collect();
    let specs = checked(&texts)?;
    check(&args.show, None, specs.properties.iter().map(|it| it.compiled.id()))?;
    let command = format!("cargo rvcheck predict {}", args.trace);
    let report = report(&Given { trace: &args.trace, tail: 0, command }, &specs)?;
    // A trace with events has been looked through, though no site of any program is known.
    let mut show_args = args.show.clone();
    show_args.print.allow_empty |= report.run.events > 0;
    show(&report, &show_args, None, console)
}
