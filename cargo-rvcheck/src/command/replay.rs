//! `cargo rvcheck replay`.

use super::show::{check, show};
use crate::check::opened::{reader_of, run_in, run_of, sound, unreadable};
use crate::check::timeline::Stored;
use crate::check::{HeldLimits, LifestateUse, ONLY_TRACE, Options, Written, check_run, check_trace, same};
use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::recorded::Recorded;
use crate::report::Report;
use crate::request::ThresholdArgs;
use crate::specs::{Specs, checked, files_with, texts as given};
use crate::timeline::Timeline;
use crate::unobserved::Unobserved;
use camino::Utf8Path;
use rvcheck_event::trace::read;
use std::fs;

/// Checks a trace that was recorded before.
pub(super) fn replay(args: &ReplayArgs, console: Console) -> Result<ExitCode> {
    args.thresholds.check()?;
    let mut texts = if args.library { files_with(&args.thresholds) } else { Vec::new() };
    texts.extend(given(&args.spec)?);
    let specs = checked(&texts)?;
    check(&args.show, None, specs.properties.iter().map(|it| it.compiled.id()))?;
    let lifestates = LifestateUse::Monitor;
    let given = Given {
        trace: &args.trace,
        tail: args.tail,
        command: command(args),
        lifestates,
        thresholds: args.thresholds,
    };
    let report = report(&given, &specs)?;
    // A trace with events has been checked, though no site of any program is known.
    let mut show_args = args.show.clone();
    show_args.print.allow_empty |= report.run.events > 0 && !specs.properties.is_empty();
    show(&report, &show_args, None, console)
}

/// A trace, and how it is to be checked.
pub(super) struct Given<'a> {
    pub(super) trace: &'a Utf8Path,
    /// How many events before a violation are reported.
    pub(super) tail: usize,
    /// The command that checks it again.
    pub(super) command: String,
    /// What is wanted of lifestates.
    pub(super) lifestates: LifestateUse,
    /// From when on something is reported.
    pub(super) thresholds: ThresholdArgs,
}

/// The report of a trace, by these properties.
pub(super) fn report(given: &Given<'_>, specs: &Specs) -> Result<Report> {
    let mut report = check_given(given, specs)?;
    same::conclude(&mut report, ONLY_TRACE);
    report.timeline = Timeline::of(Stored(given.trace.to_owned()));
    Ok(report)
}

fn check_given(given: &Given<'_>, specs: &Specs) -> Result<Report> {
    let Given { trace, tail, command, lifestates, thresholds } = given;
    let properties = specs.properties.iter().map(|it| it.compiled.clone()).collect();
    let (definitions, vocabulary) = (specs.definitions(), specs.vocabulary());
    // A trace that is checked again is checked against everything.
    let options = Options {
        properties,
        definitions,
        vocabulary,
        tail: *tail,
        audit: true,
        dependencies: Vec::new(),
        lifestates: *lifestates,
        whole_picture: false,
        held: HeldLimits::of(thresholds),
    };
    if trace.is_dir() {
        return Ok(check_again(run_in(trace)?, specs, &options));
    }
    let bytes = fs::read(trace).map_err(|source| Expected::Given { path: (*trace).to_owned(), source })?;
    let Some(read_text) = reader_of(trace) else { return recorded(trace, &bytes, command, specs, &options) };
    let log = read_text(&bytes, &specs.declared()?);
    let log = sound(trace, log)?;
    if let (Some(line), Some(property)) =
        (log.untimed, options.properties.iter().find(|it| it.speaks_of_time()))
    {
        let id = property.id();
        let message = format!("{trace}:{line}: `{id}` refers to time, and this line has none");
        return Err(Expected::Trace(message));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(check_trace(trace.as_str(), command, Written::Text(&text, log), &options))
}

/// The report of a trace in the recorder's form. Where it lies with its run, that tells more of it.
fn recorded(
    trace: &Utf8Path,
    bytes: &[u8],
    command: &str,
    specs: &Specs,
    options: &Options,
) -> Result<Report> {
    let read = read::read(bytes).map_err(|error| unreadable(trace, error))?;
    if let Some(run) = run_of(trace) {
        return Ok(check_again(run, specs, options));
    }
    Ok(check_trace(trace.as_str(), command, Written::Recorded(read), options))
}

/// The report of a run by properties that may speak of functions which were not observed when it was recorded.
fn check_again(mut run: Recorded, specs: &Specs, options: &Options) -> Report {
    run.unobserved.extend(Unobserved::since(&run.observed.observations, &specs.observations()));
    check_run(&run, options)
}

/// The command that checks the trace again.
fn command(args: &ReplayArgs) -> String {
    let tail = args.tail.to_string();
    let mut words = vec!["cargo rvcheck replay", args.trace.as_str()];
    words.extend(args.spec.iter().flat_map(|it| ["--spec", it.as_str()]));
    if args.library {
        words.push("--library");
    }
    if args.tail > 0 {
        words.extend(["--tail", &tail]);
    }
    words.join(" ")
}
