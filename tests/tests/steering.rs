//! Predicted deadlocks are made to happen, and can be made to happen again.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The predictions and deadlocks of locks, by test.
fn found(run: &Run) -> Vec<&Value> {
    let findings = run.report()["findings"].as_array().expect("a list");
    let mut found: Vec<_> =
        findings.iter().filter(|it| it["property"] == "lock-order" && it["proof"] != "static").collect();
    found.sort_by_key(|it| it["test"].as_str());
    found
}

/// Their tests, and how well they are founded.
fn proofs(run: &Run) -> Vec<(&str, &str)> {
    found(run)
        .into_iter()
        .map(|it| (it["test"].as_str().expect("a text"), it["proof"].as_str().expect("a text")))
        .collect()
}

const TASKS: &str = "it::tasks_pass_one_after_the_other";
const THREADS: &str = "it::threads_pass_one_after_the_other";

#[test]
fn a_predicted_deadlock_is_confirmed_and_happens_again_by_its_schedule() {
    let fixture = Fixture::tree("steered");
    let run = fixture.test(&["--confirm-budget", "0"]).expect(10);
    assert_eq!(proofs(&run), [(TASKS, "witnessed"), (THREADS, "witnessed")]);
    assert!(found(&run).iter().all(|it| it["tried"].is_null()));

    let run = fixture.test(&[]).expect(10);
    assert_eq!(proofs(&run), [(TASKS, "confirmed"), (THREADS, "confirmed")]);
    // The tests themselves have passed.
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["stalled"]), (&2.into(), &0.into(), &0.into()));
    let row =
        run.report()["properties"].as_array().expect("a list").iter().find(|it| it["id"] == "lock-order");
    assert_eq!(row.map(|it| &it["verdict"]), Some(&"violated".into()));
    assert!(run.human().contains("= note: confirmed: it happened when"), "{}", run.human());
    for finding in found(&run) {
        assert!(finding["tried"]["times"].as_u64().is_some_and(|it| (1..=3).contains(&it)), "{finding}");
        let command = finding["next"]["command"].as_str().expect("a text");
        let words: Vec<&str> = command.split(' ').collect();
        let ["cargo", "rvcheck", "test", arguments @ ..] = &words[..] else { panic!("{command}") };
        let again = fixture.test(arguments).expect(10);
        assert_eq!(proofs(&again), [(finding["test"].as_str().expect("a text"), "observed")]);
    }
}

#[test]
fn what_does_not_happen_stays_as_it_was_and_says_how_often_it_was_tried() {
    let fixture = Fixture::tree("steered");
    // Whoever comes second comes long after the first has lost patience.
    fixture.edit("tests/it.rs", "from_millis(20)", "from_millis(1500)");
    let run = fixture.test(&[]).expect(10);
    assert_eq!(proofs(&run), [(TASKS, "witnessed"), (THREADS, "witnessed")]);
    for finding in found(&run) {
        assert_eq!((&finding["tried"]["times"], &finding["tried"]["happened"]), (&3.into(), &Value::Null));
        assert_eq!(finding["level"], "error");
    }
    assert!(run.human().contains("run again 3 times with the tasks held back"), "{}", run.human());
}

#[test]
fn a_schedule_that_is_none_is_refused_before_anything_runs() {
    let fixture = Fixture::tree("steered");
    let run = fixture.run(&["test", "--schedule", "Cargo.toml"]).expect(2);
    assert!(run.stderr.contains("is no schedule: it does not begin with"), "{}", run.stderr);
    fixture.run(&["test", "--schedule", "nowhere.txt"]).expect(2);
}
