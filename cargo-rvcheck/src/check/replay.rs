//! A trace that is all there is: of what program it is, and how that was run, nobody knows.

use super::events::{check_log, check_recording};
use super::process::{Checked, units_without_events};
use super::sources::Sources;
use super::test_ends::TestEnds;
use super::units::{PROCESS, Units};
use super::{Options, assembled};
use crate::recorded::{End, Origin, Process, Recorded, TestOutcome, TestResult};
use crate::report::{Report, TestCount};
use rvcheck_event::id::UnitId;
use rvcheck_event::kind;
use rvcheck_event::log::Log;
use rvcheck_event::names::Names;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::Trace;
use rvcheck_spec::Property;
use rvcheck_spec::language::lifestate::Kind;
use std::collections::BTreeSet;

/// What a trace was written as.
pub enum Written<'a> {
    /// Text, with what was read of it.
    Text(&'a str, Log),
    /// The form of the recorder.
    Recorded(Trace<'a>),
}

/// The report of a trace of this name. `command` is what checks it again.
pub fn check_trace(name: &str, command: &str, written: Written<'_>, options: &Options) -> Report {
    let (sources, tests) = match &written {
        Written::Text(text, _) => (Sources::only_trace(name, Some(text)), Vec::new()),
        Written::Recorded(trace) => {
            let ends = ends(merge::events(trace));
            (Sources::only_trace(name, None), tests(trace.names(), &ends, TestOutcome::Unfinished))
        }
    };
    let mut process = Process {
        package: String::new(),
        target: name.to_owned(),
        select: String::new(),
        libtest: true,
        origin: Origin::Trace,
        only: None,
        command: vec![command.to_owned()],
        end: End::Exited(0),
        tests,
        trace: None,
        seconds: 0.0,
    };
    let mut checked = Checked::of(&options.properties);
    let packages = BTreeSet::new();
    let properties = &options.properties;
    let whole = match written {
        Written::Text(_, log) => {
            checked.notes.extend(note_of_unknown(&log, &options.properties));
            checked.bytes = sources.text(name).map_or(0, |text| text.len() as u64);
            let log = log.with_unit_for_the_rest(PROCESS);
            let ends = ends(log.replay());
            process.tests = self::tests(log.names(), &ends, TestOutcome::Passed);
            check_log(&log, &Units::new(&process, &packages), options, &sources, &mut checked);
            true
        }
        Written::Recorded(trace) => {
            check_recording(trace, &Units::new(&process, &packages), options, &sources, &mut checked)
        }
    };
    let units = Units::new(&process, &packages);
    units_without_events(&units, whole, properties, &mut checked);
    checked.undecided.extend(units.undecided_tests());
    let recorded = Recorded { processes: vec![process], ..Recorded::default() };
    let mut report = assembled(&recorded, options, &sources, vec![checked]);
    // Nothing was run.
    report.run.processes = 0;
    report.run.tests = TestCount::default();
    report
}

/// How the tests of a trace ended, as far as it tells.
fn ends(mut events: impl EventStream) -> TestEnds {
    let mut ends = TestEnds::default();
    events.feed(&mut ends);
    ends
}

/// The units of a trace; `silent` are those of which it tells no end.
fn tests(names: &Names, ends: &TestEnds, silent: TestOutcome) -> Vec<TestResult> {
    let of = |unit: UnitId| match ends.of(unit) {
        None => silent,
        // A test that returns an error has run to its end.
        Some(kind::TestOutcome::Ok | kind::TestOutcome::Failed | kind::TestOutcome::Unknown) => {
            TestOutcome::Passed
        }
        Some(kind::TestOutcome::Panicked) => TestOutcome::Failed,
        Some(kind::TestOutcome::Timeout) => TestOutcome::Unfinished,
    };
    names
        .units()
        .map(|(unit, name)| TestResult { name: name.to_owned(), outcome: of(unit), should_panic: false })
        .collect()
}

/// The note on events that no property can speak of.
fn note_of_unknown(log: &Log, properties: &[Property]) -> Option<String> {
    // Where somebody takes messages, those of which no rule speaks are messages, too.
    let takes_messages = properties.iter().any(|it| it.lifestate().is_some());
    let is_message =
        |it: &str| takes_messages && (Kind::of_event(it).is_some() || Kind::of_refusal(it).is_some());
    let unknown = || log.unknown.iter().filter(|(it, _)| !is_message(it));
    let count: u64 = unknown().map(|it| it.1).sum();
    let names: Vec<String> = unknown().map(|(it, _)| format!("`{it}`")).collect();
    let (events, are) = if count == 1 { ("event", "is") } else { ("events", "are") };
    (count > 0).then(|| {
        format!(
            "{count} {events} {are} neither built in nor declared, and only a position: {}",
            names.join(", ")
        )
    })
}
