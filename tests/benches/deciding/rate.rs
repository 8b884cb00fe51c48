//! How many runs a second one core makes.

use rvcheck_tests::Fixture;
use serde_json::Value;
use std::process::Stdio;
use std::time::Instant;

/// A test in which two threads come to ten points together.
pub(crate) const TEST: &str = "the_last_one_is_sold_once_in_one_step";
/// How many runs a second there should be.
const GOAL: f64 = 200.0;
const RUNS: u32 = 1_000;
const PLAIN: u32 = 300;

/// Prints runs a second by one worker, beside how often the test alone runs, plainly.
pub(crate) fn print() {
    let fixture = Fixture::tree("explored");
    let explored = explore(&fixture, &["--schedules", &RUNS.to_string(), "--by", "random"]);
    let seconds = explored["exploration"]["seconds"].as_f64().expect("it took its time");
    let controlled = f64::from(RUNS) / seconds;
    let plain = plainly(&fixture);
    println!("runs a second by one worker: {controlled:.0}; the goal is {GOAL}");
    println!("plain runs a second: {plain:.0} ({:.2} x)\n", plain / controlled);
}

/// Explores the test with one worker; the report.
pub(crate) fn explore(fixture: &Fixture, more: &[&str]) -> Value {
    let path = fixture.path().join("explored.json");
    let output = format!("json={}", path.display());
    let fixed =
        ["explore", "--count-only", "--confirm-budget", "0", "--jobs", "1", "--output", &output, TEST];
    let run = fixture.run(&[&fixed[..], more].concat()).expect(0);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no report\n{}", run.stderr));
    serde_json::from_str(&text).expect("the report is JSON")
}

/// How many plain runs a second there are, one after another.
fn plainly(fixture: &Fixture) -> f64 {
    let words =
        ["test", "--no-run", "--quiet", "--test", "it", "--message-format", "json-render-diagnostics"];
    let built = fixture.cargo(&words).output().expect("cargo runs");
    let text = String::from_utf8_lossy(&built.stdout);
    let mut messages = text.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let executable =
        messages.find_map(|it| it["executable"].as_str().map(str::to_owned)).expect("it is built");
    let begun = Instant::now();
    for _ in 0..PLAIN {
        let mut command = std::process::Command::new(&executable);
        let status = command.args([TEST, "--exact"]).stdout(Stdio::null()).status().expect("it starts");
        assert!(status.success());
    }
    f64::from(PLAIN) / begun.elapsed().as_secs_f64()
}
