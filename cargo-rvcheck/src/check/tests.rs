//! From a trace and a piece of source to the report.

mod cancellations;
mod ended;
mod levels;
mod live;
mod meant;
mod models;
mod pictures;
mod started;
mod unread;
mod what_ifs;

use super::*;
use crate::finding::Level;
use crate::recorded::{End, LeftOut, Origin, Process, SourceFile, TestResult, Unmonitored};
use crate::report::{Format, Gate, Style, Verdict};
use camino::Utf8PathBuf;
use rvcheck_event::id::{SiteId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Outcome, TaskKind, TestOutcome as Ended};
use rvcheck_event::trace::format::{PAGE, definition, header, lost};
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_source::macros::OwnMacros;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The source of the program under test. Lines 3 and 4 are its own, line 10 is in a test.
const SOURCE: &str = "\
impl Journal {
    pub fn append(&self) {
        tokio::spawn(async move {
            flush().await
        });
    }
}
#[tokio::test]
async fn records() {
    tokio::spawn(async { Err(()) });
}
";

/// A small property of its own, so that the library can change without changing these tests.
const PROPERTY: &str = r#"
schema = 1
[[property]]
id = "lost"
title = "An error is lost"
logic = "automaton"
params = ["u: task"]
initial = "fresh"
bad = ["lost"]
end_bad = ["alone"]
transitions = [
  "fresh -- spawn(_, u) --> held",
  "held -- detach(_, u) --> alone",
  "alone -- finish(u, outcome = ::err) --> lost",
  "alone -- finish(u, outcome = ::ok) --> over",
]
messages = { lost = "{u} failed and nobody knows", alone = "{u} is still there" }
levels = { alone = "warning" }
primary = ["detach", "spawn"]
labels = { spawn = "spawned here", detach = "dropped here" }
next = "await its handle"
"#;

/// A workspace in a folder of its own, with one traced process.
struct Scene {
    folder: tempfile::TempDir,
    recorded: Recorded,
}

impl Scene {
    /// The process of target `it`, in which these tests ran.
    fn new(trace: &[u8], tests: &[(&str, TestOutcome)]) -> Scene {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8PathBuf::try_from(folder.path().to_owned()).expect("its name is UTF-8");
        let (path, file) = (root.join("p0.rvt"), root.join("src/lib.rs"));
        fs::create_dir(root.join("src")).expect("it can be created");
        fs::write(&file, SOURCE).expect("it can be written");
        fs::write(&path, trace).expect("it can be written");
        let result = |(name, outcome): &(&str, TestOutcome)| TestResult {
            name: (*name).into(),
            outcome: *outcome,
            should_panic: false,
        };
        let process = Process {
            package: "shop".into(),
            target: "it".into(),
            select: "--test it".into(),
            libtest: true,
            origin: Origin::Tool,
            only: None,
            command: vec!["it".into()],
            end: End::Exited(0),
            tests: tests.iter().map(result).collect(),
            trace: Some(path),
            seconds: 0.5,
        };
        let source = SourceFile {
            path: file,
            compiled_as: "src/lib.rs".into(),
            package: "shop".into(),
            edition: "2021".into(),
            is_test: false,
            rewritten: true,
            undone: BTreeSet::new(),
            member: None,
        };
        let recorded = Recorded {
            unobserved: Vec::new(),
            folder: root.clone(),
            workspace_root: root,
            build: "0123abcd".into(),
            sources: vec![source],
            again: crate::again::Again::default(),
            macros: OwnMacros::default(),
            observed: crate::inject::observed::ObservedFunctions::default(),
            processes: vec![process],
            unmonitored: Vec::new(),
            left_out: Vec::new(),
            unknown_executors: Vec::new(),
            analysed: crate::analysis::Analysed::default(),
        };
        Scene { folder, recorded }
    }

    fn process(&mut self) -> &mut Process {
        &mut self.recorded.processes[0]
    }

    fn report(&self) -> Report {
        self.report_by(PROPERTY)
    }

    fn report_by(&self, properties: &str) -> Report {
        self.report_of("lost.toml", properties, false)
    }

    /// The report by the properties in this file; `own` if they are the workspace's and not the library's.
    fn report_of(&self, file: &str, properties: &str, own: bool) -> Report {
        let specs = crate::specs::read(&[(file.to_owned(), properties.to_owned())]);
        assert_eq!(specs.problems, []);
        let definitions = if own { specs.definitions() } else { BTreeMap::new() };
        let properties = specs.properties.into_iter().map(|it| it.compiled).collect();
        let mut report =
            check_run(&self.recorded, &Options { properties, definitions, ..Options::default() });
        report.tool = "rvcheck 0.0.0".into();
        // The folder has another name each time.
        let folder = self.folder.path().display().to_string();
        for note in &mut report.run.notes {
            *note = note.replace(&folder, "[folder]");
        }
        report
    }

    fn verdicts(&self) -> Vec<(String, Verdict)> {
        let report = self.report();
        report.properties[0].units.iter().map(|unit| (unit.test.clone(), unit.verdict)).collect()
    }
}

const GATE: Gate = Gate { fail_on: Level::Warning, allow_empty: false, strict: false };

/// In this test's thread a task is spawned at that place, let go, and ends like that.
fn let_go(trace: &mut TraceBuilder, thread: ThreadId, (line, column): (u32, u32), outcome: Outcome) {
    let site = trace.site("src/lib.rs", line, column);
    let task = trace.spawn(thread, TaskKind::Async, site, "Result<(), ()>");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.pass(100);
    trace.poll(thread, task);
    trace.pass(100);
    trace.finish(thread, task, outcome);
}

/// A trace of one test, `records`, in which a task that is spawned at that place ends like that.
fn one_test(place: (u32, u32), outcome: Outcome) -> Vec<u8> {
    one_test_to(Ended::Ok, place, outcome)
}

fn one_test_to(end: Ended, place: (u32, u32), outcome: Outcome) -> Vec<u8> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let_go(&mut trace, thread, place, outcome);
    trace.end_test(thread, UnitId(1), end);
    trace.build()
}

#[test]
fn a_violation_becomes_a_finding_with_names_and_places() {
    let report = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Passed)]).report();
    let mut out = Vec::new();
    Format::Human.render(&report, &mut out, Style::PLAIN).expect("a vector takes everything");
    insta::assert_snapshot!(String::from_utf8(out).expect("renderers write UTF-8"));
    assert_eq!(report.exit_code(GATE), 10);
}

/// The same as a formula, with a fluent of its own.
const FORMULA: &str = r#"
schema = 1

[fluent.let_go]
params = ["u: task"]
from = "event detach(_, u)"
to = "event finish(u)"

[[property]]
id = "kept"
logic = "ltl"
formula = """
forall u: task .
  G (finish(u, outcome = ::err) -> !Y let_go(u))"""
message = "nobody reads the error of {u}"
primary = ["spawn"]
"#;

#[test]
fn a_formula_that_is_false_becomes_a_finding_and_the_report_says_if_only_the_end_decided_it() {
    let scene = |outcome| Scene::new(&one_test((3, 9), outcome), &[("records", TestOutcome::Passed)]);
    let report = scene(Outcome::Err).report_by(FORMULA);
    assert_eq!(report.properties[0].verdict, Verdict::Violated);
    let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
    assert_eq!((finding.property.as_str(), finding.primary.line, finding.primary.column), ("kept", 3, 9));
    assert!(
        finding.message.starts_with("nobody reads the error of the task spawned in `"),
        "{}",
        finding.message
    );
    assert_eq!(finding.witness.events.last().map(|it| it.event.as_str()), Some("finish"));
    assert_eq!(report.run.notes, [""; 0]);
    assert_eq!(scene(Outcome::Ok).report_by(FORMULA).properties[0].verdict, Verdict::Held);
    let report = scene(Outcome::Err).report_by(&FORMULA.replace("Y let_go", "O[0s,1s] let_go"));
    let note = "`kept` was decided at the end of each test: it has an operator with an interval";
    assert_eq!(report.run.notes, [note]);
}

#[test]
fn what_only_the_end_decides_names_the_tasks_that_have_ended_long_before() {
    let formula = r#"
schema = 1
[[property]]
id = "again"
logic = "ltl"
formula = "forall t: task . G (panic(t, caught = true) -> F panic(t, caught = false))"
message = "a panic in {t} was caught"
primary = ["panic"]
related = ["spawn"]
"#;
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let (spawned, panicked) = (trace.site("src/lib.rs", 3, 9), trace.site("src/lib.rs", 4, 13));
    let task = trace.spawn(thread, TaskKind::Async, spawned, "()");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.poll(thread, task);
    trace.panic(thread, task, true, panicked);
    trace.finish(thread, task, Outcome::Ok);
    for _ in 0..300 {
        let_go(&mut trace, thread, (3, 9), Outcome::Ok);
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let report = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]).report_by(formula);
    let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
    assert!(finding.message.starts_with("a panic in the task spawned in `"), "{}", finding.message);
    assert_eq!((finding.primary.line, finding.related[0].line), (4, 3));
}

#[test]
fn the_json_of_a_run_is_as_documented() {
    let report = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Passed)]).report();
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).expect("a report is JSON"));
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    let scene = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Passed)]);
    let bytes = || serde_json::to_vec(&scene.report()).expect("a report is JSON");
    assert_eq!(bytes(), bytes());
}

/// A test that loses an error in the code of a dependency.
fn lost_elsewhere() -> Scene {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = SiteId(9);
    trace.define(definition::SITE, &[9, 3, 9, 0], "/cargo/hyper/src/lib.rs");
    let task = trace.spawn(thread, TaskKind::Async, site, "()");
    trace.about(thread, EventKind::Detach, task, site);
    trace.poll(thread, task);
    trace.finish(thread, task, Outcome::Err);
    Scene::new(&trace.build(), &[("records", TestOutcome::Passed)])
}

#[test]
fn what_breaks_a_property_of_the_workspace_in_code_of_others_is_shown_at_the_property() {
    let report = lost_elsewhere().report_of("specs/own.toml", PROPERTY, true);
    let places: Vec<_> = report.findings.iter().map(|it| it.primary.file.as_str()).collect();
    assert_eq!(places, ["specs/own.toml"]);
    assert_eq!(report.properties[0].elsewhere, 0);
    assert_eq!(report.exit_code(GATE), 10);
}

#[test]
fn a_place_outside_the_workspace_is_no_finding_but_counted() {
    let report = lost_elsewhere().report();
    assert_eq!(report.findings, []);
    assert_eq!(report.properties[0].elsewhere, 1);
    assert_eq!(report.properties[0].verdict, Verdict::Violated);
}

#[test]
fn a_run_in_which_all_went_well_is_clean() {
    let scene = Scene::new(&one_test((3, 9), Outcome::Ok), &[("records", TestOutcome::Passed)]);
    assert_eq!(scene.verdicts(), [("it::records".to_owned(), Verdict::Held)]);
    assert_eq!(scene.report().exit_code(GATE), 0);
}

#[test]
fn a_test_without_events_is_not_exercised() {
    let scene = Scene::new(&TraceBuilder::new().build(), &[("adds", TestOutcome::Passed)]);
    assert_eq!(scene.verdicts(), [("it::adds".to_owned(), Verdict::NotExercised)]);
}

#[test]
fn an_ignored_test_is_no_unit() {
    let scene = Scene::new(&TraceBuilder::new().build(), &[("adds", TestOutcome::Ignored)]);
    assert_eq!(scene.verdicts(), []);
    assert_eq!(scene.report().exit_code(GATE), 3, "no test ran");
}

#[test]
fn a_test_that_failed_is_inconclusive_unless_it_violated_something() {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("fine");
    let_go(&mut trace, thread, (3, 9), Outcome::Ok);
    let thread = trace.test("bad");
    let_go(&mut trace, thread, (3, 9), Outcome::Err);
    let tests = [("fine", TestOutcome::FailedPlainly), ("bad", TestOutcome::FailedPlainly)];
    let scene = Scene::new(&trace.build(), &tests);
    let expected =
        [("it::bad".to_owned(), Verdict::Violated), ("it::fine".to_owned(), Verdict::Inconclusive)];
    assert_eq!(scene.verdicts(), expected);
    let report = scene.report();
    assert_eq!(report.exit_code(GATE), 4);
    assert_eq!(
        report.run.notes,
        ["bad", "fine"].map(|test| format!("`it::{test}` fails without rvcheck too"))
    );
}

#[test]
fn what_is_bad_only_at_the_end_needs_an_end() {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    let task = trace.spawn(thread, TaskKind::Async, site, "()");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    let trace = trace.build();
    let found = |outcome| Scene::new(&trace, &[("records", outcome)]).report().findings;
    let messages: Vec<String> = found(TestOutcome::Passed).into_iter().map(|it| it.message).collect();
    assert_eq!(messages, ["the task spawned in `Journal::append` is still there"]);
    assert_eq!(found(TestOutcome::Failed), []);
}

#[test]
fn the_same_defect_in_two_tests_and_processes_is_one_finding() {
    let mut trace = TraceBuilder::new();
    for test in ["a", "b"] {
        let thread = trace.test(test);
        let_go(&mut trace, thread, (3, 9), Outcome::Err);
        let_go(&mut trace, thread, (3, 9), Outcome::Err);
    }
    let mut scene = Scene::new(&trace.build(), &[("a", TestOutcome::Passed), ("b", TestOutcome::Passed)]);
    let again = scene.process().clone();
    scene.recorded.processes.push(Process { target: "other".into(), ..again });
    let report = scene.report();
    let seen: Vec<_> = report.findings.iter().map(|it| (it.test.as_str(), it.occurrences)).collect();
    assert_eq!(seen, [("it::a", 8)]);
    assert_eq!(report.properties[0].units.len(), 4);
}

#[test]
fn what_is_violated_very_often_at_one_place_is_counted() {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("a");
    for _ in 0..1000 {
        let_go(&mut trace, thread, (3, 9), Outcome::Err);
    }
    let_go(&mut trace, thread, (5, 9), Outcome::Err);
    let scene = Scene::new(&trace.build(), &[("a", TestOutcome::Passed)]);
    let seen: Vec<_> = scene.report().findings.iter().map(|it| (it.primary.line, it.occurrences)).collect();
    assert_eq!(seen, [(3, 1000), (5, 1)]);
}

#[test]
fn a_program_that_is_no_harness_is_one_unit() {
    let mut trace = TraceBuilder::new();
    let thread = trace.thread("main");
    let_go(&mut trace, thread, (3, 9), Outcome::Err);
    let mut scene = Scene::new(&trace.build(), &[]);
    *scene.process() = Process { libtest: false, select: "--bin shop".into(), ..scene.process().clone() };
    assert_eq!(scene.verdicts(), [("process".to_owned(), Verdict::Violated)]);
    let report = scene.report();
    assert_eq!(report.findings[0].next.command, "cargo rvcheck run --bin shop");
    assert_eq!(report.run.units, 1);
}

#[test]
fn whatever_happened_to_a_trace_makes_the_run_inconclusive_and_is_said() {
    let whole = one_test((3, 9), Outcome::Ok);
    let with = |offset: usize, value: u32| {
        let mut bytes = whole.clone();
        bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let mut truncated = with(header::LOST, lost::CAP);
    truncated[header::DROPPED] = 7;
    let cases = [
        (Vec::new(), "cannot be read"),
        (b"#!/bin/sh\n".to_vec(), "too short"),
        (vec![b'x'; PAGE], "not a trace"),
        (with(header::VERSION, 99), "version 99"),
        (truncated, "truncated, 7 records are missing"),
        (with(PAGE * 2 + 8, 0), "damaged header"),
    ];
    for (bytes, note) in cases {
        let scene = Scene::new(&bytes, &[("records", TestOutcome::Passed)]);
        let report = scene.report();
        assert!(report.run.notes.iter().any(|it| it.contains(note)), "{note}: {:?}", report.run.notes);
        assert_eq!(report.exit_code(GATE), 6, "{note}");
        assert_eq!(scene.verdicts(), [("it::records".to_owned(), Verdict::Inconclusive)], "{note}");
    }
}

#[test]
fn a_trace_that_is_not_there_is_said() {
    let mut scene = Scene::new(&[], &[("records", TestOutcome::Passed)]);
    scene.process().trace = None;
    assert_eq!(scene.report().run.notes, ["`it` left no trace"]);
    assert_eq!(scene.report().exit_code(GATE), 6);
    scene.process().trace = Some("/nowhere/p0.rvt".into());
    assert!(scene.report().run.notes[0].starts_with("the trace of `it` cannot be opened"));
    assert_eq!(scene.report().exit_code(GATE), 6);
}

#[test]
fn sites_that_were_not_monitored_are_counted_and_listed() {
    let mut scene = Scene::new(&one_test((3, 9), Outcome::Ok), &[("records", TestOutcome::Passed)]);
    let all = scene.report().run.sites;
    assert_eq!((all.total, all.unmonitored), (3, 0), "two spawns and an await");
    scene.recorded.unmonitored =
        vec![Unmonitored { file: "src/lib.rs".into(), line: 3, column: None, reason: "rolled back".into() }];
    scene.recorded.sources[0].rewritten = false;
    let report = scene.report();
    assert_eq!(report.run.sites.unmonitored, 2);
    assert_eq!(report.run.sites.residual, 1);
    assert_eq!(report.unmonitored.len(), 2);
    let spawns = report.properties[0].sites;
    assert_eq!((spawns.total, spawns.unmonitored), (2, 1));
}

#[test]
fn what_is_left_out_concerns_the_places_of_its_kinds_in_files_that_name_the_crate() {
    let mut scene = Scene::new(&one_test((3, 9), Outcome::Ok), &[("records", TestOutcome::Passed)]);
    let reason = "there is no shim for tokio 0.2, so what it does is not recorded";
    let left_out = |kind: &str, names: &[&str]| LeftOut {
        reason: reason.into(),
        kinds: vec![kind.into()],
        names: names.iter().map(|it| (*it).to_owned()).collect(),
    };
    // At one of the two spawns something was recorded.
    let cases: [(LeftOut, &[u32]); 4] = [
        (left_out("spawn", &["tk", "tokio"]), &[10]),
        (left_out("spawn", &[]), &[3, 10]),
        (left_out("lock", &["tokio"]), &[]),
        (left_out("spawn", &["okio", "toki"]), &[]),
    ];
    for (left_out, lines) in cases {
        scene.recorded.left_out = vec![left_out];
        let report = scene.report();
        let found: Vec<_> = report.unmonitored.iter().map(|it| (it.line, it.reason.as_str())).collect();
        assert_eq!(found, lines.iter().map(|it| (*it, reason)).collect::<Vec<_>>());
        assert_eq!(report.run.sites.unmonitored, lines.len() as u64);
    }
}

#[test]
fn executors_whose_tasks_are_not_known_are_noted_once() {
    let mut scene = Scene::new(&one_test((3, 9), Outcome::Ok), &[("records", TestOutcome::Passed)]);
    assert_eq!(scene.report().run.notes, Vec::<String>::new());
    scene.recorded.unknown_executors = vec!["async-executor".into(), "smol".into()];
    let note = "the tasks of async-executor and smol are unknown: what they do is attributed to the threads that \
                poll them";
    assert_eq!(scene.report().run.notes, [note]);
}

#[test]
fn a_source_that_cannot_be_read_costs_only_its_names() {
    let scene = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Passed)]);
    fs::remove_file(scene.folder.path().join("src/lib.rs")).expect("it is there");
    let report = scene.report();
    assert!(report.run.notes[0].contains("cannot read"));
    assert_eq!(report.findings[0].message, "the task spawned at src/lib.rs:3:9 failed and nobody knows");
}
