//! Running a crate's tests under the tool.

use crate::settings::Settings;
use crate::subjects::Subject;
use crate::tally::Tried;
use serde_json::Value;
use std::collections::BTreeSet;

/// The tests whose prediction `test` confirms without exploring.
pub(crate) fn predicted(subject: &Subject) -> BTreeSet<String> {
    let report = report(subject, &["test".to_owned(), "--no-snapshot".to_owned()]);
    let findings = report["findings"].as_array().into_iter().flatten();
    let confirmed = findings.filter(|it| it["proof"] == "confirmed");
    confirmed.filter_map(|it| it["test"].as_str()).map(str::to_owned).collect()
}

/// What comes of each controlled test when all are explored with this seed.
pub(crate) fn explore(
    subject: &Subject,
    way: &[&str],
    seed: u64,
    settings: &Settings,
) -> Vec<(String, Tried)> {
    let (schedules, seed) = (settings.schedules.to_string(), seed.to_string());
    let fixed =
        ["explore", "--count-only", "--schedules", &schedules, "--seed", &seed, "--confirm-budget", "0"];
    let words: Vec<String> = fixed.iter().chain(way).map(|it| (*it).to_owned()).collect();
    let report = report(subject, &words);
    let tests = report["exploration"]["tests"].as_array().into_iter().flatten();
    let tried = |it: &Value| {
        let name = it["test"].as_str().expect("a test has a name").to_owned();
        // That by the default order comes before those that count.
        let runs = it["runs"].as_u64().unwrap_or(0).saturating_sub(1);
        let failing = it["failing"].as_u64().unwrap_or(0);
        (name, Tried { runs, failing, first: it["first_failing"].as_u64() })
    };
    tests.filter(|it| it["control"] == "controlled").map(tried).collect()
}

/// What the tool reports of a run with these arguments.
fn report(subject: &Subject, words: &[String]) -> Value {
    let path = subject.fixture.path().join("rvcheck-report.json");
    let output = format!("json={}", path.display());
    let mut all: Vec<&str> = words.iter().map(String::as_str).collect();
    all.extend(["--output", &output]);
    if !subject.tests.is_empty() {
        all.push("--");
        all.extend(&subject.tests);
    }
    let run = subject.fixture.run(&all);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no report\n{}", run.stderr));
    let _ = std::fs::remove_file(path);
    serde_json::from_str(&text).expect("the report is JSON")
}
