//! `cargo rvcheck validate`.

use super::replay::{Given, report};
use super::show::{check, show};
use crate::check::LifestateUse;
use crate::check::merge::merge;
use crate::cli::ValidateArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::request::ThresholdArgs;
use crate::specs::{Specs, checked, texts};
use camino::Utf8Path;

/// Checks whether the lifestates of a file fit traces that were recorded before.
pub(super) fn validate(args: &ValidateArgs, console: Console) -> Result<ExitCode> {
    let specs = models(&args.model)?;
    check(&args.show, None, specs.properties.iter().map(|it| it.compiled.id()))?;
    let mut reports = Vec::new();
    for trace in &args.traces {
        let command = format!("cargo rvcheck validate {} {trace}", args.model);
        reports.push(report(
            &Given {
                trace,
                tail: 0,
                thresholds: ThresholdArgs::DEFAULT,
                command,
                lifestates: LifestateUse::Validate,
            },
            &specs,
        )?);
    }
    let report = merge(&reports).ok_or_else(|| Expected::Trace("there is no trace".to_owned()))?;
    // A trace with events has been checked, though no site of any program is known.
    let mut show_args = args.show.clone();
    show_args.print.allow_empty |= report.run.events > 0;
    show(&report, &show_args, None, console)
}

/// What stands in a file with lifestates, without its other properties. It has to have one.
pub(super) fn models(path: &Utf8Path) -> Result<Specs> {
    let mut specs = checked(&texts(&[path.to_owned()])?)?;
    specs.properties.retain(|it| it.compiled.lifestate().is_some());
    if specs.properties.is_empty() {
        let message = format!(
            "{path} has no property of `logic = \"lifestate\"`\nname a file that says what a library permits and prohibits"
        );
        return Err(Expected::Specification(message));
    }
    Ok(specs)
}
