//! What excludes a lock-order inversion is not always recorded. Then nothing is an error that cannot be made to happen; and what can is
//! one, whatever stands around it.

use rvcheck_tests::{Fixture, Run};

/// The lock-order inversions that were found: the test, the level, how well it is founded, and how often it was tried.
fn found(run: &Run) -> Vec<(&str, &str, &str, u64)> {
    let findings = run.report()["findings"].as_array().expect("a list");
    let inversions = findings.iter().filter(|it| it["property"] == "lock-order");
    inversions
        .map(|it| {
            let text = |key: &str| it[key].as_str().expect("a text");
            let test = text("test").split_once("::").expect("a target and a test").1;
            (test, text("level"), text("proof"), it["tried"]["times"].as_u64().unwrap_or(0))
        })
        .collect()
}

/// The tests in which what excludes the inversion is recorded whichever thread comes first.
const RECORDED: [&str; 8] = [
    "a_lazy_value_is_made_before_it_is_used",
    "a_cell_is_set_before_it_is_read",
    "what_is_done_once_is_over_for_all",
    "a_cell_of_tokio_is_filled_before_it_is_used",
    "a_cell_of_async_lock_is_filled_before_it_is_used",
    "a_cell_of_once_cell_is_filled_before_it_is_used",
    "a_thread_is_finished",
    "a_task_is_finished",
];

/// One test, since two at once would build the tree, with all that it depends on, in two target folders.
#[test]
fn inversions_that_something_excludes_are_no_errors_and_the_others_are_made_to_happen() {
    let fixture = Fixture::tree("unrecorded");
    excluded_ones_are_no_errors_and_recorded_ones_are_not_even_predicted(&fixture);
    the_others_are_made_to_happen(&fixture);
}

fn excluded_ones_are_no_errors_and_recorded_ones_are_not_even_predicted(fixture: &Fixture) {
    let run = fixture.test(&["--test", "ordered", "--confirm-budget", "3m"]).expect(0);
    assert_eq!(run.report()["run"]["tests"]["passed"], 17, "{}", run.stderr);
    for (test, level, proof, times) in found(&run) {
        assert_eq!((level, times), ("note", 3), "{test}\n{}", run.stderr);
        assert!(proof == "witnessed" || proof == "potential", "{test}: {proof}");
        assert!(!RECORDED.contains(&test), "{test}\n{}", run.stderr);
    }
    assert!(run.human().contains("and it did not happen"), "{}", run.human());
}

fn the_others_are_made_to_happen(fixture: &Fixture) {
    let run = fixture.test(&["--test", "open", "--confirm-budget", "3m"]).expect(10);
    let found = found(&run);
    assert_eq!(run.report()["run"]["tests"]["passed"], 11, "{}", run.stderr);
    // In one test there is nothing to find. What its pool does for another test is found in that.
    assert_eq!(found.len(), 10, "{}", run.stderr);
    assert!(found.iter().all(|it| it.0 != "the_pool_of_all_is_begun"), "{}", run.stderr);
    for (test, level, proof, _) in found {
        assert_eq!((level, proof), ("error", "confirmed"), "{test}\n{}", run.stderr);
    }
}
