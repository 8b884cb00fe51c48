//! `cargo rvcheck replay`: traces in, verdicts out. Each case is a trace, a property file and what is expected, in `replay/`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_rvcheck::recorded::{End, Origin, Process, Recorded};
use cargo_rvcheck::specs::read;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TestOutcome};
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::{csv, jsonl};
use rvcheck_oracles::formulas::satisfies;
use rvcheck_spec::evaluation::tables::record::{Position, Recording};
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::{Property, Scope};
use serde_json::Value;

/// What one run of the tool gave.
struct Run {
    code: i32,
    stderr: String,
    report: Option<Value>,
}

fn replay(folder: &Path, args: &[&str]) -> Run {
    tool("replay", folder, args)
}

fn tool(command: &str, folder: &Path, args: &[&str]) -> Run {
    let report = tempfile::NamedTempFile::new().expect("there is room");
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-rvcheck"))
        .current_dir(folder)
        .args(["rvcheck", command])
        .args(args)
        .arg("--output")
        .arg(format!("json={}", report.path().display()))
        .output()
        .expect("the tool runs");
    let written = fs::read_to_string(report.path()).expect("it can be read");
    Run {
        code: output.status.code().unwrap_or(-1),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        report: serde_json::from_str(&written).ok(),
    }
}

/// The verdicts of a report: a line for each property, the worst first, and below it one for each unit.
fn verdicts(report: &Value) -> String {
    let text = |it: &Value| it.as_str().expect("a string").to_owned();
    let mut lines = String::new();
    let mut properties: Vec<&Value> = report["properties"].as_array().expect("a list").iter().collect();
    let rank = |it: &Value| {
        ["violated", "inconclusive", "held"].iter().position(|name| it["verdict"] == *name).unwrap_or(3)
    };
    properties.sort_by_key(|it| rank(it));
    for property in properties {
        let _ = writeln!(lines, "{} {}", text(&property["id"]), text(&property["verdict"]));
        for unit in property["units"].as_array().expect("a list") {
            let (test, verdict) = (text(&unit["test"]), text(&unit["verdict"]));
            let _ = writeln!(lines, "  {test} {verdict} {} {}", unit["bindings"], unit["exercised"]);
        }
    }
    lines
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay");
    let entries = fs::read_dir(folder).expect("the cases are there");
    let mut traces: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    traces.retain(|it| it.extension().is_some_and(|it| it == "jsonl" || it == "csv"));
    traces.sort();
    traces
}

#[test]
fn each_trace_has_the_verdicts_that_are_written_beside_it() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() > 7, "{cases:?}");
    for trace in cases {
        let spec = trace.with_extension("toml");
        let args = [&trace, &spec].map(|it| it.to_str().expect("UTF-8"));
        let run = replay(Path::new("."), &[args[0], "--spec", args[1]]);
        let Some(report) = run.report else { panic!("{}: {}", args[0], run.stderr) };
        assert_eq!(report["schema"], "rvcheck.report/1");
        let found = format!("exit {}\n{}", run.code, verdicts(&report));
        let expected =
            fs::read_to_string(trace.with_extension("expected")).expect("it says what is expected");
        if found != expected {
            wrong.push(format!("{}\n{found}", args[0]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_formula_is_violated_exactly_where_the_page_says_that_it_is_false() {
    let mut compared = 0;
    for trace in cases() {
        let spec = trace.with_extension("toml");
        let specs = read(&[("spec".to_owned(), fs::read_to_string(&spec).expect("it is there"))]);
        let bytes = fs::read(&trace).expect("it is there");
        let declared = specs.declared().expect("there is one file");
        let is_csv = trace.extension().is_some_and(|it| it == "csv");
        let log = if is_csv { csv::read(&bytes, &declared) } else { jsonl::read(&bytes, &declared) };
        let log = log.with_unit_for_the_rest("process");
        let run = replay(
            Path::new("."),
            &[trace.to_str().expect("UTF-8"), "--spec", spec.to_str().expect("UTF-8")],
        );
        let report = run.report.expect("there is a report");
        for property in &specs.properties {
            let Property::Ltl(ltl) = &property.compiled else { continue };
            let mut recording = Recording::new([ltl], usize::MAX);
            let mut replay = log.replay();
            while let Some(event) = replay.next() {
                recording.push(&event, replay.world());
            }
            let mut units: BTreeMap<String, Vec<&Position>> = BTreeMap::new();
            if ltl.scope == Scope::Process {
                units.insert("process".to_owned(), recording.positions().iter().collect());
            } else {
                for (unit, name) in log.names().units() {
                    let of = |it: &&Position| it.event.unit == unit;
                    units.insert(name.to_owned(), recording.positions().iter().filter(of).collect());
                }
            }
            let rows = report["properties"].as_array().expect("a list");
            let row = rows.iter().find(|it| it["id"] == property.compiled.id()).expect("it is reported");
            for (name, positions) in units {
                let ends = positions.iter().rev().find(|it| it.event.kind == EventKind::TestEnd);
                let cut = |it: &&&Position| {
                    matches!(
                        TestOutcome::of_bits(it.event.flags),
                        Some(TestOutcome::Panicked | TestOutcome::Timeout)
                    )
                };
                if ends.as_ref().is_some_and(cut) {
                    continue;
                }
                let truth = satisfies(ltl, &View::new(ltl, positions, replay.world()));
                let found =
                    row["units"].as_array().expect("a list").iter().find(|it| it["test"] == name.as_str());
                let verdict = &found.unwrap_or_else(|| panic!("{name} in {row}"))["verdict"];
                assert_eq!(truth, verdict != "violated", "{} in {name} of {}", ltl.id, trace.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

const SPEC: &str = r#"schema = 1

[events]
grant = ["who: task", "n: int"]

[[property]]
id = "small"
title = "Grants are small"
logic = "ltl"
message = "{t} was granted {n}"
formula = "forall t: task, n: int . G (grant(t, n) -> [n < 10])"
"#;

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("there is room");
    }
    folder
}

#[test]
fn a_violation_points_at_the_line_of_the_trace() {
    let trace = "{\"e\":\"grant\",\"a\":{\"who\":\"main\",\"n\":1},\"time\":3}\n{\"e\":\"hello\",\"time\":4}\n{\"e\":\"grant\",\"a\":{\"who\":\"main\",\"n\":12},\"time\":5}\n";
    let folder = folder(&[("spec.toml", SPEC.as_bytes()), ("my.jsonl", trace.as_bytes())]);
    let run = replay(folder.path(), &["my.jsonl", "--spec", "spec.toml"]);
    assert_eq!(run.code, 10);
    snapbox::assert_data_eq!(
        run.stderr,
        snapbox::str![[r#"
error[small]: the task `main` was granted 12
 --> my.jsonl:3:1
  |
3 | {"e":"grant","a":{"who":"main","n":12},"time":5}
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: observed in process
  = help: to see it again: cargo rvcheck replay my.jsonl --spec spec.toml

properties
  violated       small  tests: 1 violated; 2 exercised instances

note: 1 event is neither built in nor declared, and only a position: `hello`
cost: 3 events, 120 B of trace, 0.00 s
1 error

"#]]
    );
    // The last events before it are told if they are asked for.
    let run = replay(folder.path(), &["my.jsonl", "--spec", "spec.toml", "--tail", "2"]);
    let finding = &run.report.expect("a report")["findings"][0];
    let tail = finding["witness"]["tail"].as_array().expect("events");
    assert_eq!(tail.iter().map(|it| it["time"].as_u64()).collect::<Vec<_>>(), [Some(4), Some(5)]);
    assert!(finding["next"]["command"].as_str().is_some_and(|it| it.ends_with("--tail 2")), "{finding}");
    // So they are where only the end of the trace decides, because of an interval.
    let late = SPEC.replace("[n < 10])", "O[0s,1s] [n < 10])");
    fs::write(folder.path().join("late.toml"), late).expect("there is room");
    let more = format!("{trace}{{\"e\":\"hello\",\"time\":6}}\n{{\"e\":\"hello\",\"time\":7}}\n");
    fs::write(folder.path().join("more.jsonl"), more).expect("there is room");
    let run = replay(folder.path(), &["more.jsonl", "--spec", "late.toml", "--tail", "4"]);
    let finding = &run.report.expect("a report")["findings"][0];
    let tail = finding["witness"]["tail"].as_array().expect("events");
    assert_eq!(tail.iter().map(|it| it["time"].as_u64()).collect::<Vec<_>>(), [Some(4), Some(5)]);
    // Where an event says where it was, that is the place.
    let trace = "{\"e\":\"grant\",\"a\":{\"who\":\"main\",\"n\":12},\"site\":\"src/lib.rs:3:5\"}\n";
    fs::write(folder.path().join("placed.jsonl"), trace).expect("there is room");
    let run = replay(folder.path(), &["placed.jsonl", "--spec", "spec.toml"]);
    let place = &run.report.expect("a report")["findings"][0]["primary"];
    assert_eq!((place["file"].as_str(), place["line"].as_i64()), (Some("src/lib.rs"), Some(3)));
}

#[test]
fn a_violated_grammar_tells_how_its_messages_were_derived_and_what_it_allows() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay");
    let trace = cases.join("replication.jsonl");
    let lines = fs::read_to_string(&trace).expect("it is there");
    let of_test = |test: &str| -> String {
        let name = format!("\"fig::{test}\"");
        let of_it = lines.split_inclusive('\n').filter(|it| it.contains(&name));
        of_it.collect::<Vec<_>>().concat()
    };
    let spec = fs::read_to_string(cases.join("replication.toml")).expect("it is there");
    let reported = |test: &str| {
        let folder = folder(&[("spec.toml", spec.as_bytes()), ("my.jsonl", of_test(test).as_bytes())]);
        let run = replay(folder.path(), &["my.jsonl", "--spec", "spec.toml"]);
        let report = run.report.unwrap_or_else(|| panic!("{}", run.stderr));
        let lines = report["findings"][0]["witness"]["derivation"].as_array().cloned().unwrap_or_default();
        let lines: Vec<String> = lines.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
        assert!(lines.iter().all(|it| run.stderr.contains(it.as_str())), "{}", run.stderr);
        lines
    };
    assert_eq!(
        reported("another_id"),
        [
            "so far S → st T → id U, now in `U` with w = `task:7`, i = 4",
            "then comes `pr`: send ClientJob::register_items(w = `task:7`, id = 5)",
            "this is false of it: U.w == pr.w && U.i == pr.id",
        ]
    );
    assert_eq!(
        reported("is_without_ar"),
        [
            "so far S → st T → id U → pr V, now in `V`",
            "then comes `is`: receive Worker::accept_items(items.len = 3)",
            "`V` allows `ar W { W.b = ar.reg }`, or the end",
        ]
    );
    assert_eq!(reported("after_the_end").last().map(String::as_str), Some("nothing may come any more"));
}

#[test]
fn what_is_wrong_with_a_trace_or_a_property_file_ends_with_2_and_its_place() {
    let timed = SPEC.replace("[n < 10]", "F[0s,1s] grant(t, n)");
    let other = SPEC.replace("small", "other").replace("\"n: int\"", "\"n\"");
    let files: [(&str, &[u8]); 21] = [
        ("spec.toml", SPEC.as_bytes()),
        ("timed.toml", timed.as_bytes()),
        ("other.toml", other.as_bytes()),
        ("grammar.toml", b"schema = 1\n[[property]]\nid = \"g\"\nlogic = \"grammar\"\n"),
        ("stop.toml", b"schema = 1\n[[property]]\nid = \"g\"\nlogic = \"ltl\"\nformula = \"G tick()\"\non_violations = \"stop\"\n"),
        ("toml.toml", b"schema = \n"),
        ("latin.toml", b"schema = 1 # \xe4\n"),
        ("key.toml", b"schema = 1\n[evnts]\n"),
        ("good.csv", b"grant,a,1\n"),
        ("good.jsonl", b"{\"e\":\"grant\",\"a\":{\"who\":\"a\",\"n\":1}}\n"),
        ("broken.jsonl", b"{\"e\":\"grant\"}\n{\"e\":\"grant\",\n"),
        ("more.jsonl", b"{\"e\":\"grant\",\"a\":{\"who\":\"a\",\"n\":1,\"m\":2}}\n"),
        ("sort.jsonl", b"{\"e\":\"grant\",\"a\":{\"who\":\"lock:1\"}}\n"),
        ("latin.jsonl", b"{\"e\":\"grant\"}\n\n{\"e\":\"\xe4\"}\n"),
        ("more.csv", b"grant,a,1,2\n"),
        ("word.csv", b"# n is a number\ngrant,a,b\n"),
        ("latin.csv", b"grant,a\ngrant,\xe4\n"),
        ("open.csv", b"grant,\"a\n"),
        ("empty.trace", b""),
        ("text.trace", b"{\"e\":\"grant\"}\n"),
        ("many.csv", &b"grant,a,b\n".repeat(12)),
    ];
    let folder = folder(&files);
    fs::create_dir(folder.path().join("folder")).expect("there is room");
    let mut newer = TraceBuilder::new().build();
    newer[8] = newer[8].wrapping_add(1);
    fs::write(folder.path().join("newer.trace"), newer).expect("there is room");
    let cases: &[(&str, &[&str], &str)] = &[
        ("missing.jsonl", &["spec.toml"], "cannot read missing.jsonl: "),
        ("missing.csv", &["spec.toml"], "cannot read missing.csv: "),
        ("good.csv", &["missing.toml"], "cannot read missing.toml: "),
        ("good.csv", &["folder"], "cannot read folder: "),
        ("folder", &["spec.toml"], "folder is a folder without a run"),
        ("broken.jsonl", &["spec.toml"], "broken.jsonl:2:14: no JSON: expected `\"`"),
        ("more.jsonl", &["spec.toml"], "more.jsonl:1:35: `grant` has no argument `m`"),
        ("sort.jsonl", &["spec.toml"], "sort.jsonl:1:19: `who` is a task, not `lock:1`"),
        ("latin.jsonl", &["spec.toml"], "latin.jsonl:3:7: this byte is not UTF-8"),
        ("more.csv", &["spec.toml"], "more.csv:1:11: `grant` has only 2 arguments"),
        ("word.csv", &["spec.toml"], "word.csv:2:9: `n` is a whole number, not `\"b\"`"),
        ("latin.csv", &["spec.toml"], "latin.csv:2:7: this byte is not UTF-8"),
        ("open.csv", &["spec.toml"], "open.csv:1:7: this `\"` is not closed"),
        ("many.csv", &["spec.toml"], "and 2 more"),
        ("empty.trace", &["spec.toml"], "empty.trace: "),
        ("text.trace", &["spec.toml"], "text.trace: "),
        ("newer.trace", &["spec.toml"], "newer.trace: "),
        ("good.csv", &["timed.toml"], "good.csv:1: `small` refers to time, and this line has none"),
        ("good.jsonl", &["timed.toml"], "good.jsonl:1: `small` refers to time, and this line has none"),
        (
            "good.csv",
            &["spec.toml", "other.toml"],
            "other.toml declares other parameters of `grant` than spec.toml",
        ),
        ("good.csv", &["spec.toml", "spec.toml"], "the property `small` is declared twice"),
        ("good.csv", &["grammar.toml"], "the table `view` is missing"),
        ("good.csv", &["stop.toml"], "unknown key `on_violations`"),
        ("good.csv", &["toml.toml"], "toml.toml:1:"),
        ("good.csv", &["latin.toml"], "latin.toml:1:14: this byte is not UTF-8"),
        ("good.csv", &["key.toml"], "key.toml:2:2"),
        ("good.csv", &[], "--spec <FILE>"),
    ];
    let mut wrong = Vec::new();
    for (trace, specs, message) in cases {
        let specs: Vec<&str> = specs.iter().flat_map(|it| ["--spec", *it]).collect();
        let run = replay(folder.path(), &[&[*trace], &specs[..]].concat());
        if !run.stderr.contains(message) || run.code != 2 || run.report.is_some() {
            wrong.push(format!("{trace} {specs:?}: {message:?} and 2, not {}:\n{}", run.code, run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A trace of the recorder: a test takes a lock and does not give it back, and its end is recorded or not.
fn recorded(ended: bool) -> Vec<u8> {
    let mut builder = TraceBuilder::new();
    let thread = builder.test("it::works");
    let lock = builder.object(thread, ObjectKind::StdMutex, SiteId::NONE, 0);
    builder.lock(thread, EventKind::Acquire, lock, Mode::Write, SiteId::NONE);
    if ended {
        builder.end_test(thread, UnitId(1), TestOutcome::Ok);
    }
    builder.build()
}

const RELEASED: &str = r#"schema = 1
[[property]]
id = "released"
logic = "ltl"
formula = "forall l: lock . G (acquire(_, l) -> F release(_, l))"
"#;

#[test]
fn a_trace_of_the_recorder_is_checked_alone_or_with_its_run() {
    let folder = folder(&[
        ("spec.toml", RELEASED.as_bytes()),
        ("ended.trace", &recorded(true)),
        ("cut.trace", &recorded(false)),
    ]);
    let run = replay(folder.path(), &["ended.trace", "--spec", "spec.toml"]);
    let report = run.report.unwrap_or_else(|| panic!("{}", run.stderr));
    assert_eq!((run.code, &*verdicts(&report)), (10, "released violated\n  it::works violated 1 1\n"));
    assert_eq!(report["findings"][0]["primary"]["file"], "ended.trace");
    let run = replay(folder.path(), &["cut.trace", "--spec", "spec.toml"]);
    let report = run.report.unwrap_or_else(|| panic!("{}", run.stderr));
    assert_eq!((run.code, &*verdicts(&report)), (6, "released inconclusive\n  it::works inconclusive 1 1\n"));
    let run = replay(folder.path(), &["ended.trace", "--library"]);
    let report = run.report.unwrap_or_else(|| panic!("{}", run.stderr));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(report["properties"].as_array().expect("a list").iter().any(|it| it["id"] == "lost-error"));

    // What is stored beside it says which program it is of.
    let trace = folder.path().join("ended.trace").try_into().expect("UTF-8");
    let process = Process {
        package: "shop".to_owned(),
        target: "it".to_owned(),
        select: "--bin shop".to_owned(),
        libtest: false,
        origin: Origin::Tool,
        only: None,
        command: Vec::new(),
        end: End::Exited(0),
        tests: Vec::new(),
        trace: Some(trace),
        seconds: 1.0,
    };
    let of_run = Recorded { processes: vec![process], ..Recorded::default() };
    let stored = serde_json::to_string(&of_run).expect("it can be written");
    fs::write(folder.path().join("recorded.json"), stored).expect("there is room");
    for given in [".", "ended.trace"] {
        let run = replay(folder.path(), &[given, "--spec", "spec.toml"]);
        let report = run.report.unwrap_or_else(|| panic!("{given}: {}", run.stderr));
        assert_eq!(report["properties"][0]["units"][0]["test"], "process", "{given}");
        assert_eq!(report["run"]["processes"], 1, "{given}");
    }
}

const COMMANDS: &str = include_str!("../../docs/commands.md");

/// The blocks of the page of this language, in their order.
fn blocks(language: &str) -> Vec<&'static str> {
    let marked = COMMANDS.split("\n```").skip(1).step_by(2);
    marked.filter_map(|it| it.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[test]
fn the_page_of_commands_shows_what_the_tool_says() {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, language) in
        [("shop.toml", "toml"), ("day.csv", "csv"), ("day.jsonl", "jsonl"), ("two.std", "std")]
    {
        let [text] = blocks(language)[..] else { panic!("one example of {language}") };
        fs::write(folder.path().join(name), format!("{text}\n")).expect("it can be written");
    }
    let [.., shown, predicted] = blocks("text")[..] else { panic!("the page shows two reports") };
    let csv = replay(folder.path(), &["day.csv", "--spec", "shop.toml"]);
    assert_eq!(csv.code, 10);
    let first = csv.stderr.find("error[").expect("there is a finding");
    assert!(csv.stderr[first..].starts_with(shown), "{}\n{shown}", csv.stderr);
    let prediction = tool("predict", folder.path(), &["two.std"]);
    assert_eq!(prediction.code, 0);
    assert!(prediction.stderr.starts_with(predicted), "{}\n{predicted}", prediction.stderr);
    let lines = replay(folder.path(), &["day.jsonl", "--spec", "shop.toml"]);
    assert_eq!(lines.code, 0, "{}", lines.stderr);
    assert_eq!(
        verdicts(&lines.report.expect("there is a report")),
        "sales-with-lock held\n  monday held 1 1\nsomebody-sells held\n  monday held 1 1\n"
    );
}
