//! Tests that are divided between machines, and packages that say what is to be done with them.

use rvcheck_tests::{Fixture, Run};
use std::collections::BTreeSet;

const LIBRARY: &str = "
/// Fails.
///
/// ```
/// assert_eq!(1 + 1, 2);
/// ```
pub async fn fail() -> Result<(), u32> {
    tokio::task::yield_now().await;
    Err(1)
}

/// Has it fail where nobody looks.
pub fn start() {
    drop(tokio::spawn(fail()));
}
";

const TESTS: &str = "
#[tokio::test]
async fn one() {
    assert!(sample::fail().await.is_err());
}
#[tokio::test]
async fn two() {
    sample::start();
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
}
#[tokio::test]
async fn three() {
    assert!(sample::fail().await.is_err());
}
#[test]
#[ignore = \"it is slow\"]
fn four() {}
";

/// An executable with a `main` of its own, which cannot be divided.
const WHOLE: &str = "
fn main() {
    let (sender, receiver) = std::sync::mpsc::channel();
    sender.send(1).unwrap();
    assert_eq!(receiver.recv(), Ok(1));
}
";

fn fixture() -> Fixture {
    let fixture =
        Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS), ("tests/whole.rs", WHOLE)]);
    let manifest = fixture.path().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).expect("it is there");
    std::fs::write(manifest, format!("{text}\n[[test]]\nname = \"whole\"\nharness = false\n"))
        .expect("there is room");
    fixture
}

/// The tests that ran, by the properties that were asked of them.
fn tests(run: &Run) -> BTreeSet<String> {
    let properties = run.report()["properties"].as_array().expect("a list").clone();
    let units = properties.iter().flat_map(|it| it["units"].as_array().expect("a list"));
    units.map(|it| it["test"].as_str().expect("a string").to_owned()).collect()
}

#[test]
fn each_test_runs_in_one_part_and_the_parts_make_one_report() {
    let fixture = fixture();
    let whole = tests(&fixture.test(&[]));
    let parts: Vec<Run> =
        ["count:1/2", "count:2/2"].iter().map(|it| fixture.test(&["--partition", it])).collect();
    let (first, second) = (tests(&parts[0]), tests(&parts[1]));
    assert!(whole.contains("whole::main"), "{whole:?}");
    assert!(first.is_disjoint(&second), "{first:?} {second:?}");
    assert_eq!(first.union(&second).cloned().collect::<BTreeSet<_>>(), whole);
    assert!(!second.is_empty());
    for (number, part) in parts.iter().enumerate() {
        let text = part.report().to_string();
        std::fs::write(fixture.path().join(format!("{number}.json")), text).expect("there is room");
    }
    let merged =
        fixture.command(&["merge", "0.json", "1.json", "--output", "json"]).output().expect("it runs");
    let merged: serde_json::Value = serde_json::from_slice(&merged.stdout).expect("it is JSON");
    assert_eq!(merged["run"]["partial"], false);
    let notes = merged["run"]["notes"].as_array().expect("a list");
    let is_warned =
        |it: &serde_json::Value| it.as_str().is_some_and(|it| it.contains("this run did not make them"));
    assert!(notes.iter().any(is_warned), "{notes:?}");
    let tests = |run: &serde_json::Value| {
        ["passed", "failed", "ignored"].map(|it| run["tests"][it].as_u64().expect("a number"))
    };
    let all = fixture.test(&[]);
    assert_eq!(tests(&merged["run"]), tests(&all.report()["run"]));
}

#[test]
fn a_filter_selects_before_the_tests_are_divided() {
    let fixture = fixture();
    let run = |part: &str| tests(&fixture.test(&["--test", "it", "--partition", part, "o"]));
    // `one`, `two`, and `four`, which is ignored.
    let (first, second) = (run("count:1/2"), run("count:2/2"));
    assert_eq!(first.union(&second).map(String::as_str).collect::<Vec<_>>(), ["it::one", "it::two"]);
    assert_eq!(run("count:9/9"), BTreeSet::new());
}

#[test]
fn a_package_can_ask_to_be_skipped_and_say_what_counts() {
    let fixture = fixture();
    fixture.test(&["--test", "it"]).expect(10);
    let table = |text: &str| {
        let manifest = fixture.path().join("Cargo.toml");
        let before = std::fs::read_to_string(&manifest).expect("it is there");
        let plain = before.split("\n[package.metadata.rvcheck]").next().expect("there is a first part");
        std::fs::write(manifest, format!("{plain}\n[package.metadata.rvcheck]\n{text}\n"))
            .expect("there is room");
    };
    table("levels = { lost-error = \"warn\" }");
    fixture.test(&["--test", "it"]).expect(0);
    table("levels = { lost-eror = \"warn\" }");
    assert!(fixture.test(&[]).expect(2).stderr.contains("did you mean `lost-error`?"));
    table("skipp = true");
    assert!(fixture.test(&[]).expect(2).stderr.contains("did you mean `skip`?"));
    table("skip = true");
    assert!(fixture.test(&[]).expect(2).stderr.contains("skips all that would be tested: sample"));
    fixture.test(&["-p", "sample", "--test", "it"]).expect(0);
}
