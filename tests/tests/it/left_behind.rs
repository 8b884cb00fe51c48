//! Who is left behind by a test that passes: pairs of programs, each with an expectation in its header.

use std::collections::BTreeSet;
use std::path::Path;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// A file of the tree, with what its header and its marks say.
struct Pair {
    /// The path of its file in the tree.
    file: String,
    /// The properties that may explain it.
    properties: Vec<String>,
    /// An ordinary run shows it.
    by_run: bool,
    /// Where somebody is stuck.
    stuck: BTreeSet<u64>,
    /// The first line of the corrected twin, and the first behind it.
    fixed: std::ops::Range<u64>,
}

/// What the corrected twins do beside: they let a task panic that nobody joins.
const BESIDE: &str = "lost-error";

fn pairs(tree: &Path) -> Vec<Pair> {
    let files = std::fs::read_dir(tree.join("src")).expect("the tree has sources");
    let mut paths: Vec<_> = files.map(|it| it.expect("it can be read").path()).collect();
    paths.sort();
    paths.iter().filter_map(|it| pair(it)).collect()
}

fn pair(path: &Path) -> Option<Pair> {
    let text = std::fs::read_to_string(path).expect("it is text");
    let (properties, shown) =
        text.lines().find_map(|it| it.strip_prefix("//! expect: "))?.split_once("; shown by: ")?;
    let numbered = || (1..).zip(text.lines());
    let line = |begin: &str| numbered().find(|it| it.1.starts_with(begin)).map(|it| it.0);
    Some(Pair {
        file: format!("src/{}", path.file_name()?.to_str()?),
        properties: properties
            .split(',')
            .map(|it| it.trim().trim_start_matches("also ").to_owned())
            .collect(),
        by_run: shown.trim() == "run",
        stuck: numbered().filter(|it| it.1.trim_end().ends_with("// stuck here")).map(|it| it.0).collect(),
        fixed: line("pub mod fixed")?..line("mod tests").unwrap_or(u64::MAX),
    })
}

impl Pair {
    fn name(&self) -> &str {
        self.file.trim_start_matches("src/").trim_end_matches(".rs")
    }

    /// Whether a finding that counts names a place where somebody is stuck.
    fn is_found(&self, finding: &Value) -> bool {
        let places =
            std::iter::once(&finding["primary"]).chain(finding["related"].as_array().into_iter().flatten());
        let is_here = |it: &Value| {
            it["file"] == *self.file && it["line"].as_u64().is_some_and(|line| self.stuck.contains(&line))
        };
        finding["level"] != "note"
            && self.properties.iter().any(|it| finding["property"] == *it)
            && places.into_iter().any(is_here)
    }

    /// Whether a finding that counts is about the corrected twin.
    fn is_false(&self, finding: &Value) -> bool {
        let primary = &finding["primary"];
        let of_twin = finding["proof"] != "static"
            && finding["test"].as_str().is_some_and(|it| it.contains("::fixed_"));
        finding["level"] != "note"
            && finding["property"] != BESIDE
            && primary["file"] == *self.file
            && (of_twin || primary["line"].as_u64().is_some_and(|line| self.fixed.contains(&line)))
    }
}

fn findings(run: &Run) -> &[Value] {
    run.report()["findings"].as_array().expect("findings are a list")
}

/// Of these pairs: whose bug was not found, and what was said of corrected twins.
fn missed_and_wrong<'r>(pairs: &[Pair], run: &'r Run) -> (Vec<String>, Vec<&'r Value>) {
    let is_found = |it: &&Pair| findings(run).iter().any(|found| it.is_found(found));
    let missed = pairs.iter().filter(|it| !is_found(it)).map(|it| it.name().to_owned()).collect();
    let wrong = findings(run).iter().filter(|found| pairs.iter().any(|it| it.is_false(found))).collect();
    (missed, wrong)
}

/// Pairs that another schedule shows: somebody misses a signal, or finds nobody where sender and receiver meet.
const BY_SCHEDULE: &[&str] = &["milk_round", "stage_door"];

#[test]
fn who_is_stuck_is_found_although_the_test_passes_and_nobody_in_the_corrected_twin() {
    let fixture = Fixture::tree("stuck");
    let all = pairs(&rvcheck_tests::repository().join("tests/trees/stuck"));
    let (by_run, by_schedule): (Vec<Pair>, Vec<Pair>) = all.into_iter().partition(|it| it.by_run);
    // All tests run at once, and a panic among them may take a while to print its backtrace.
    let run = fixture.test(&["--confirm-budget", "0", "--leak-grace", "3s"]).expect(10);
    let (missed, mut wrong) = missed_and_wrong(&by_run, &run);
    wrong.extend(missed_and_wrong(&by_schedule, &run).1);
    assert!(missed.is_empty(), "missed: {missed:?}");
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");

    let select: Vec<String> = BY_SCHEDULE.iter().map(|it| format!("test(/_{it}$/)")).collect();
    // Whether it is an error or, where a timer is part of the schedule, a warning depends on the schedule that comes first.
    let run = fixture.reporting("explore", &["--schedules", "128", "-E", &select.join(" + ")]);
    assert!([0, 10].contains(&run.code), "{}: {}", run.code, run.stderr);
    let explored: Vec<Pair> = by_schedule.into_iter().filter(|it| BY_SCHEDULE.contains(&it.name())).collect();
    let (missed, wrong) = missed_and_wrong(&explored, &run);
    assert!(missed.is_empty(), "missed when explored: {missed:?}");
    assert!(wrong.is_empty(), "wrong when explored: {wrong:#?}");
}

/// A thread takes a lock twice. Another one waits for work that the main thread still gives it. Both the program and the test do something
/// now and then, so that neither stands still.
const SERVICE: &str = r#"use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

struct Job(u32);

fn audit(ledger: &Arc<Mutex<u32>>) {
    let ledger = Arc::clone(ledger);
    thread::spawn(move || {
        let total = ledger.lock().unwrap();
        *ledger.lock().unwrap() += *total;
    });
}

fn worker() -> Sender<Job> {
    let (jobs, work) = channel();
    thread::spawn(move || {
        for Job(number) in work {
            println!("job {number}");
        }
    });
    jobs
}

fn main() {
    audit(&Arc::default());
    let jobs = worker();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(12) {
        thread::sleep(Duration::from_millis(100));
    }
    jobs.send(Job(1)).unwrap();
    thread::sleep(Duration::from_millis(100));
}

#[test]
fn audits() {
    audit(&Arc::default());
    for _ in 0..50 {
        thread::sleep(Duration::from_millis(100));
    }
}
"#;

#[test]
fn waits_that_never_end_are_reported_while_a_program_runs_and_while_tests_do() {
    let manifest = "[package]\nname = \"sample\"\nedition = \"2024\"\n[workspace]\n";
    let fixture = Fixture::files(&[("Cargo.toml", manifest), ("src/main.rs", SERVICE)]);
    let stuck = [("double-lock", 12)];
    for (command, arguments) in [("run", &[][..]), ("test", &["--online"][..])] {
        let run = fixture.reporting(command, arguments).expect(10);
        let reported: Vec<&str> = run.stderr.lines().filter(|it| it.starts_with("rvcheck: ")).collect();
        for (property, line) in &stuck {
            let of_it =
                reported.iter().filter(|it| it.contains(&format!("[{property}] at src/main.rs:{line}")));
            assert_eq!(of_it.count(), 1, "{command}, {property}: {reported:?}");
            let is_it = |it: &&Value| it["property"] == *property && it["primary"]["line"] == *line;
            assert_eq!(findings(&run).iter().filter(is_it).count(), 1, "{command}: {:?}", run.findings());
        }
        assert_eq!(reported.len(), stuck.len(), "{command}: {reported:?}");
    }
}

/// A porter answers bells as long as somebody may ring one: those on a board in a static, and those on a board that the porter has.
const BELLS: &str = r#"use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

static BOARD: Mutex<Vec<Sender<Ring>>> = Mutex::new(Vec::new());

pub struct Ring(u8);

pub struct Knock(u8);

pub fn open_for_all(floors: u8) {
    let (bell, rings) = channel();
    BOARD.lock().unwrap().extend((0..floors).map(|_| bell.clone()));
    thread::spawn(move || {
        for Ring(floor) in rings {
            println!("{floor}");
        }
    });
}

pub fn open_for_oneself(floors: u8) {
    let (bell, knocks) = channel();
    let board: Vec<Sender<Knock>> = (0..floors).map(|_| bell.clone()).collect();
    thread::spawn(move || {
        for Knock(floor) in knocks {
            println!("{floor} of {}", board.len());
        }
    });
}

#[test]
fn anybody_may_ring() {
    open_for_all(3);
}

#[test]
fn only_the_porter_may_ring() {
    open_for_oneself(3);
}
"#;

#[test]
fn whoever_waits_for_what_a_static_may_send_is_not_left_behind() {
    let manifest = "[package]\nname = \"bells\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let run = Fixture::files(&[("Cargo.toml", manifest), ("src/lib.rs", BELLS)]).test(&[]).expect(0);
    let observed = findings(&run).iter().filter(|it| it["proof"] == "observed");
    let found: Vec<_> = observed.map(|it| (&it["property"], &it["test"])).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.as_str().is_some_and(|it| it.contains("only_the_porter_may_ring")), "{found:?}");
}
