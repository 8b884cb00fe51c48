//! A workspace with everything that makes instrumentation hard builds, passes, and shows its true places.

use std::collections::BTreeSet;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// One test, since the workspace takes long to compile. It lies in a folder with a space and letters beyond ASCII, since some folders
/// are called so.
#[test]
fn a_difficult_workspace_builds_passes_and_shows_its_true_places() {
    let tree = Fixture::tree_in("torture", "Größe und Raum");
    it_passes_without_findings(&tree);
    only_what_changed_is_built_again(&tree);
    a_finding_in_a_member_has_its_true_place_and_package(&tree);
}

/// The crates that cargo compiled.
fn compiled(run: &Run) -> Vec<&str> {
    let lines = run.stderr.lines().filter_map(|line| line.trim().strip_prefix("Compiling "));
    let mut names: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names
}

/// The files of a list of places.
fn files(places: &Value) -> Vec<&str> {
    places.as_array().expect("a list").iter().filter_map(|it| it["file"].as_str()).collect()
}

fn it_passes_without_findings(tree: &Fixture) {
    let run = tree.test(&["--workspace"]).expect(0);
    let report = run.report();
    assert_eq!(run.findings(), [""; 0]);
    let passed = passed_plainly(tree);
    assert_eq!(
        (&report["run"]["tests"]["passed"], &report["run"]["tests"]["failed"]),
        (&passed.into(), &0.into())
    );
    assert_eq!(report["run"]["inconclusive"], false, "{}", report["run"]["notes"]);
    // Only what build scripts have written cannot be rewritten.
    assert_eq!(files(&report["unmonitored"]), ["built/$OUT_DIR/gen/tally.rs", "old/$OUT_DIR/table.rs"]);
    assert!(report["run"]["sites"]["total"].as_u64() > Some(120), "{}", report["run"]["sites"]);
    let monitored = tests_with_events(report);
    for test in [
        "ancient::it::words_are_counted_in_threads",
        "dynamic::it::threads_share",
        "middle::it::the_first_answer_wins",
        "new::it::whoever_is_asked_often_answers_often",
        "old::it::stores_behind_pointers_work",
        "pin-project-lite::it::turns_are_taken",
    ] {
        assert!(monitored.contains(test), "{test} is not among {monitored:?}");
    }
    // Nobody runs the tests of a dependency, though it is instrumented.
    assert!(!monitored.iter().any(|it| it.starts_with("outside")), "{monitored:?}");
}

/// How many tests pass without the tool.
fn passed_plainly(tree: &Fixture) -> u64 {
    let output = tree.cargo(&["test", "--workspace", "--tests", "--offline"]).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let results =
        text.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split_once(" passed"));
    results.map(|(count, _)| count.parse::<u64>().expect("it is a number")).sum()
}

/// The tests in which some property had something to look at.
fn tests_with_events(report: &Value) -> BTreeSet<&str> {
    let properties = report["properties"].as_array().expect("properties are a list");
    let units = properties.iter().flat_map(|it| it["units"].as_array().expect("units are a list"));
    let exercised = units.filter(|it| it["exercised"].as_u64() > Some(0));
    exercised.filter_map(|it| it["test"].as_str()).collect()
}

fn only_what_changed_is_built_again(tree: &Fixture) {
    let packages = ["-p", "new", "-p", "middle"];
    tree.test(&packages).expect(0);
    let again = tree.test(&packages).expect(0);
    assert_eq!(compiled(&again), [""; 0], "{}", again.stderr);
    // Nobody depends on `new`, and `new` depends on `middle`.
    tree.edit("new/src/lib.rs", "number == 13", "13 == number");
    assert_eq!(compiled(&tree.test(&packages).expect(0)), ["new"]);
    tree.edit("middle/src/lib.rs", "from_millis(10)", "from_millis(11)");
    assert_eq!(compiled(&tree.test(&packages).expect(0)), ["middle", "new"]);
}

fn a_finding_in_a_member_has_its_true_place_and_package(tree: &Fixture) {
    let at = "    let (a, b) = tokio::join!(a, async { outside::doubled(b).await });\n";
    tree.edit("middle/src/lib.rs", at, &format!("    tokio::spawn(async {{ \"ü\".parse::<u32>() }});\n{at}    for _ in 0..3 {{ tokio::task::yield_now().await; }}\n"));
    let run = tree.test(&["-p", "middle"]).expect(10);
    assert_eq!(run.findings(), ["error lost-error middle/src/lib.rs:52"]);
    let finding = &run.report()["findings"][0];
    assert_eq!(finding["primary"]["column"], 5);
    assert!(run.stderr.contains("  --> middle/src/lib.rs:52:5"), "{}", run.stderr);
}
