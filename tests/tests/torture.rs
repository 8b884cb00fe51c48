//! A workspace with everything that makes instrumentation hard builds, passes, and shows its true places.

use std::sync::{Mutex, PoisonError};

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The tests here use the same target folder, and are about what is in it.
static TURN: Mutex<()> = Mutex::new(());

/// A copy in a folder with a space and letters beyond ASCII, since some folders are called so.
fn torture() -> Fixture {
    Fixture::tree_in("torture", "Größe und Raum")
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

#[test]
fn a_difficult_workspace_passes_under_watch_without_findings() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = torture();
    let run = tree.test(&["--workspace"]).expect(0);
    let report = run.report();
    assert_eq!(run.findings(), [""; 0]);
    assert_eq!(
        (&report["run"]["tests"]["passed"], &report["run"]["tests"]["failed"]),
        (&26.into(), &0.into())
    );
    assert_eq!(report["run"]["inconclusive"], false, "{}", report["run"]["notes"]);
    assert_eq!(files(&report["unmonitored"]), [""; 0]);
    assert!(report["run"]["sites"]["total"].as_u64() > Some(120), "{}", report["run"]["sites"]);
    // Nobody runs the tests of a dependency, though it is watched.
    let of_workspace = |it: &Value| it["test"].as_str().is_some_and(|name| !name.starts_with("outside"));
    for property in report["properties"].as_array().expect("properties are a list") {
        assert!(
            property["units"].as_array().expect("units are a list").iter().all(of_workspace),
            "{property:#}"
        );
    }
}

#[test]
fn only_what_changed_is_built_again() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = torture();
    tree.test(&["--workspace"]).expect(0);
    let again = tree.test(&["--workspace"]).expect(0);
    assert_eq!(compiled(&again), [""; 0], "{}", again.stderr);
    // Nobody depends on `new`, and `new` depends on `middle`.
    tree.edit("new/src/lib.rs", "number == 13", "13 == number");
    assert_eq!(compiled(&tree.test(&["--workspace"]).expect(0)), ["new"]);
    tree.edit("middle/src/lib.rs", "from_millis(10)", "from_millis(11)");
    assert_eq!(compiled(&tree.test(&["--workspace"]).expect(0)), ["middle", "new"]);
    tree.edit("middle/tests/it.rs", "Some(5)", "Some(2 + 3)");
    assert_eq!(compiled(&tree.test(&["--workspace"]).expect(0)), ["middle"]);
}

#[test]
fn a_finding_in_a_member_has_its_true_place_and_package() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = torture();
    let at = "    let (a, b) = tokio::join!(a, async { outside::doubled(b).await });\n";
    tree.edit("middle/src/lib.rs", at, &format!("    tokio::spawn(async {{ \"ü\".parse::<u32>() }});\n{at}    for _ in 0..3 {{ tokio::task::yield_now().await; }}\n"));
    let run = tree.test(&["-p", "middle"]).expect(10);
    assert_eq!(run.findings(), ["error lost-error middle/src/lib.rs:52"]);
    let finding = &run.report()["findings"][0];
    assert_eq!(finding["primary"]["column"], 5);
    assert!(run.stderr.contains("  --> middle/src/lib.rs:52:5"), "{}", run.stderr);
}
