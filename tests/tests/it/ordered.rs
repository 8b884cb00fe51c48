//! Locks in opposite orders that something unusual keeps apart: nothing is worse than a note, and no note says more than is known. Where
//! nothing keeps them apart, they are found.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;
use std::collections::BTreeSet;

/// What is said of deadlocks in what is right: the test, if there is one, the level, and the message.
fn said(run: &Run) -> Vec<(&str, &str, &str)> {
    let findings = run.report()["findings"].as_array().expect("a list");
    // What no test of that target runs is still seen in the source.
    let is_wrong = |it: &Value| it["primary"]["file"] == "src/unordered.rs";
    let deadlocks = findings.iter().filter(|it| it["property"] == "lock-order" && !is_wrong(it));
    deadlocks
        .map(|it| {
            let text = |of: &str| it[of].as_str().expect("a text");
            (text("test"), text("level"), text("message"))
        })
        .collect()
}

/// One test, since two at once would build the tree, with all that it depends on, in two target folders.
#[test]
fn what_something_keeps_apart_is_a_note_that_says_what_may_and_what_nothing_does_is_found() {
    let fixture = Fixture::tree("ordered");
    what_something_keeps_apart(&fixture);
    what_nothing_keeps_apart(&fixture);
}

fn what_something_keeps_apart(fixture: &Fixture) {
    let run = fixture.test(&["--test", "right", "--confirm-budget", "10s"]).expect(0);
    assert_eq!(run.report()["run"]["tests"]["passed"], 73, "{}", run.stderr);
    for (test, level, message) in said(&run) {
        let is_open = message.starts_with("possible deadlock, unless ")
            || message.starts_with("nothing that was recorded keeps these tasks from a deadlock: ")
            || message.starts_with("locks may be acquired in conflicting orders")
            || message.starts_with("locks of one object may be acquired in conflicting orders")
            || message.starts_with("locks ") && message.ends_with(" the program keeps them apart");
        assert!(level == "note" && is_open, "{test}: {level}: {message}");
    }
}

fn what_nothing_keeps_apart(fixture: &Fixture) {
    let run =
        fixture.test(&["--test", "wrong", "--stall-timeout", "3s", "--confirm-budget", "60s"]).expect(10);
    let findings = run.report()["findings"].as_array().expect("a list");
    let grave = findings.iter().filter(|it| it["property"] == "lock-order" && it["level"] != "note");
    let items: BTreeSet<&str> = grave.filter_map(|it| it["anchor"]["item"].as_str()).collect();
    let wrong = [
        "added_too_early",
        "another_flag",
        "counted_too_early",
        "dropped_too_early",
        "given_up",
        "seen_and_ignored",
        "slept",
        "still_there",
        "stored_too_early",
        "told_too_early",
    ];
    assert!(wrong.iter().all(|it| items.contains(it)), "{items:?}\n{}", run.stderr);
}
