//! `cargo rvcheck predict`.

use super::replay::{Given, report};
use super::show::{check, show};
use super::validate::models;
use crate::check::{LifestateUse, PREDICTED};
use crate::cli::PredictArgs;
use crate::console::Console;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::request::ThresholdArgs;
use crate::specs::{checked, files};
use camino::Utf8Path;

/// Predicts the deadlocks of a trace that was recorded before, or violations of a model.
pub(super) fn predict(args: &PredictArgs, console: Console) -> Result<ExitCode> {
    if let Some(model) = &args.model {
        return by_model(args, model, console);
    }
    let is_predicted =
        |file: &(String, String)| PREDICTED.iter().any(|id| file.0.strip_suffix(".toml") == Some(*id));
    let texts: Vec<(String, String)> = files().into_iter().filter(is_predicted).collect();
    let specs = checked(&texts)?;
    check(&args.show, None, specs.properties.iter().map(|it| it.compiled.id()))?;
    let command = format!("cargo rvcheck predict {}", args.trace);
    let lifestates = LifestateUse::Monitor;
    let report = report(
        &Given { trace: &args.trace, tail: 0, thresholds: ThresholdArgs::DEFAULT, command, lifestates },
        &specs,
    )?;
    // A trace with events has been looked through, though no site of any program is known.
    let mut show_args = args.show.clone();
    show_args.print.allow_empty |= report.run.events > 0;
    show(&report, &show_args, None, console)
}

/// Predicts violations of the lifestates in a file.
fn by_model(args: &PredictArgs, model: &Utf8Path, console: Console) -> Result<ExitCode> {
    let specs = models(model)?;
    check(&args.show, None, specs.properties.iter().map(|it| it.compiled.id()))?;
    let command = format!("cargo rvcheck predict --model {model} {}", args.trace);
    let lifestates = LifestateUse::Predict(args.states);
    let report = report(
        &Given { trace: &args.trace, tail: 0, thresholds: ThresholdArgs::DEFAULT, command, lifestates },
        &specs,
    )?;
    let mut show_args = args.show.clone();
    show_args.print.allow_empty |= report.run.events > 0;
    show(&report, &show_args, None, console)
}
