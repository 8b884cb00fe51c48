//! `cargo rvcheck replay`.

use super::show::{check, show};
use crate::check::{HeldLimits, LifestateUse, ONLY_TRACE, Options, Written, check_run, check_trace, same};
use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::layout::read_value;
use crate::recorded::Recorded;
use crate::report::Report;
use crate::request::ThresholdArgs;
use crate::specs::{Specs, checked, files_with, texts as given};
use camino::Utf8Path;
use rvcheck_event::log::Log;
use rvcheck_event::trace::read;
use rvcheck_event::{csv, jsonl, rapid};
use std::fs;

/// What a run says of itself, in its folder.
const RECORDED: &str = "recorded.json";

/// How many of the lines that are wrong are named.
const NAMED: usize = 10;

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
    Ok(report)
}

fn check_given(given: &Given<'_>, specs: &Specs) -> Result<Report> {
    let Given { trace, tail, command, lifestates, thresholds } = given;
    let properties = specs.properties.iter().map(|it| it.compiled.clone()).collect();
    let (homes, vocabulary) = (specs.homes(), specs.vocabulary());
    // A trace that is checked again is checked against everything.
    let options = Options {
        properties,
        homes,
        vocabulary,
        tail: *tail,
        audit: true,
        dependencies: Vec::new(),
        lifestates: *lifestates,
        whole_picture: false,
        held: HeldLimits::of(thresholds),
    };
    if trace.is_dir() {
        let recorded = trace.join(RECORDED);
        if !recorded.is_file() {
            let message = format!("{trace} is a folder without a run\na run is in target/rvcheck/runs");
            return Err(Expected::Trace(message));
        }
        return Ok(check_run(&read_value::<Recorded>(&recorded)?, &options));
    }
    let bytes = fs::read(trace).map_err(|source| Expected::Given { path: (*trace).to_owned(), source })?;
    let read_text = match trace.extension() {
        Some("jsonl") => jsonl::read,
        Some("csv") => csv::read,
        Some("std") => rapid::read,
        _ => return recorded(trace, &bytes, command, &options),
    };
    let log = read_text(&bytes, &specs.declared()?);
    let log = sound(trace, log)?;
    if let (Some(line), Some(property)) =
        (log.untimed, options.properties.iter().find(|it| it.speaks_of_time()))
    {
        let id = property.id();
        let message = format!("{trace}:{line}: `{id}` speaks of time, and this line tells none");
        return Err(Expected::Trace(message));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(check_trace(trace.as_str(), command, Written::Text(&text, log), &options))
}

/// The report of a trace in the recorder's form. Where it lies with its run, that tells more of it.
fn recorded(trace: &Utf8Path, bytes: &[u8], command: &str, options: &Options) -> Result<Report> {
    let read = read::read(bytes).map_err(|error| {
        let help = "JSON lines are read from files that end in .jsonl, comma-separated values from .csv, RAPID's from .std";
        Expected::Trace(format!("{trace}: {error}\n{help}"))
    })?;
    if let Some(run) = run_of(trace) {
        return Ok(check_run(&run, options));
    }
    Ok(check_trace(trace.as_str(), command, Written::Recorded(read), options))
}

/// What is known of the run that a trace belongs to, with that one process.
fn run_of(trace: &Utf8Path) -> Option<Recorded> {
    let trace = trace.canonicalize_utf8().ok()?;
    let mut recorded = trace.ancestors().skip(1).take(2).find_map(|folder| {
        let path = folder.join(RECORDED);
        path.is_file().then(|| read_value::<Recorded>(&path).ok())?
    })?;
    let is_it = |path: &Utf8Path| path.canonicalize_utf8().is_ok_and(|it| it == trace);
    recorded.processes.retain(|it| it.trace.as_deref().is_some_and(is_it));
    (!recorded.processes.is_empty()).then_some(recorded)
}

/// The log, if nothing is wrong with it.
fn sound(trace: &Utf8Path, log: Log) -> Result<Log> {
    if log.problems.is_empty() {
        return Ok(log);
    }
    let mut lines: Vec<String> =
        log.problems.iter().take(NAMED).map(|problem| format!("{trace}:{problem}")).collect();
    if log.problems.len() > NAMED {
        lines.push(format!("and {} more", log.problems.len() - NAMED));
    }
    Err(Expected::Trace(lines.join("\n")))
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
