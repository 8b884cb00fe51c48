//! Properties with `on_violation = "enforce"`: remedies are applied at a place from the second time on, and by the next run from the first.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The line of the fixture with this text.
fn line(text: &str) -> usize {
    let source = include_str!("../../trees/enforced/src/lib.rs");
    source.lines().position(|it| it.contains(text)).expect("it is there") + 1
}

const ENFORCE: [&str; 4] = ["--enforce", "blocking-in-async=offload", "--enforce", "lost-error=handle"];

/// Where each remedy of the fixture is applied: the property, the remedy, and the lines.
fn expected() -> Vec<(String, String, Vec<usize>)> {
    let spawns = ["tokio::spawn(async move {", "tokio::spawn(work)", "tokio::spawn(load(number))"].map(line);
    let all = [
        ("blocking-in-async", "offload", vec![spawns[0]]),
        ("blocking-in-async", "offload", vec![spawns[1]]),
        ("blocking-in-async", "offload", vec![spawns[2]]),
        ("lost-error", "handle", vec![line("drop(tokio::spawn")]),
        ("one-job", "refuse", vec![line("sender.send(job)")]),
        ("reversal", "gate", vec![line("let _a ="), line("let _b =")]),
    ];
    all.map(|(property, remedy, lines)| (property.to_owned(), remedy.to_owned(), lines)).to_vec()
}

/// What was enforced, in the same form, if it was applied; `known` before the run or not.
fn applied(run: &Run, known: bool, further_down: usize) -> Vec<(String, String, Vec<usize>)> {
    let all = run.report()["enforced"].as_array().cloned().unwrap_or_default();
    let text = |it: &Value| it.as_str().expect("a string").to_owned();
    let number = |it: &Value| usize::try_from(it.as_u64().expect("a number")).expect("it is small");
    let applied = all.iter().filter(|it| number(&it["times"]) > 0 && it["known"] == known);
    applied
        .map(|it| {
            let places = it["places"].as_array().expect("a list").iter();
            let lines = places.map(|it| number(&it["line"]) - further_down).collect();
            (text(&it["property"]), text(&it["remedy"]), lines)
        })
        .collect()
}

/// How often each of these properties was seen to be violated.
fn seen(run: &Run, properties: [&str; 4]) -> [usize; 4] {
    let observed = run.observed();
    properties.map(|id| observed.iter().filter(|it| it.split(' ').nth(1) == Some(id)).count())
}

#[test]
fn what_is_learnt_of_a_place_is_applied_there_in_the_same_run_and_in_the_next_one() {
    let fixture = Fixture::tree("enforced").with_monitors();
    // The target folder is one of several fixtures, which may have been in the same place.
    let kept = fixture.target().join("rvcheck/learnt.toml");
    let _ = std::fs::remove_file(&kept);
    let arguments = [&["--lib"], &ENFORCE[..], &["--", "--nocapture", "--test-threads=1"]].concat();
    let properties = ["blocking-in-async", "lost-error", "reversal", "one-job"];
    let first = fixture.test(&arguments).expect(10);
    assert_eq!(applied(&first, false, 0), expected());
    assert_eq!(first.report()["run"]["tests"]["failed"], 0);
    let seen_first = seen(&first, properties);
    assert!(seen_first[..3].iter().all(|it| *it > 0), "{seen_first:?}");
    // The one of `fails`. A runtime that ends while a task is polled elsewhere makes none.
    assert_eq!(seen_first[1], 1);
    // The first error was lost; the panic and the two errors behind it were told of.
    let message = format!("a task spawned at src/lib.rs:{} ", line("drop(tokio::spawn"));
    assert_eq!(first.stderr.matches(&message).count(), 3, "{}", first.stderr);
    let advice =
        format!("the spawn at src/lib.rs:{} should use `spawn_blocking`", line("tokio::spawn(work)"));
    assert!(first.stderr.contains(&advice), "{}", first.stderr);
    let printed = |run: &Run, text: &str| run.stderr.contains(text) || run.stdout.contains(text);
    assert!(printed(&first, "together: true") && printed(&first, "refused: [false, true, true]"));

    // Lines that have moved are found again.
    fixture.edit("src/lib.rs", "use std::future::Future;", "\n\nuse std::future::Future;");
    let second = fixture.test(&arguments).expect(10);
    assert_eq!(applied(&second, true, 2), expected());
    assert_eq!(seen(&second, properties), [0, 0, 0, 1]);
    assert!(printed(&second, "went on: [true, true]") && printed(&second, "refused: [true, true, true]"));

    // What is committed is used as well. What is stale there is told, and what is not enforced is neither used nor forgotten.
    std::fs::create_dir(fixture.path().join(".config")).expect("there is room");
    std::fs::rename(&kept, fixture.path().join(".config/rvcheck-learnt.toml")).expect("it was written");
    std::fs::write(&kept, "no table").expect("there is room");
    fixture.edit("src/lib.rs", "    tokio::spawn(work)", "    tokio::task::spawn(work)");
    let third = fixture.test(&["--lib", "--enforce", "blocking-in-async=offload", "--", "worker"]).expect(10);
    let enforced: Vec<Vec<usize>> = applied(&third, true, 2).into_iter().map(|it| it.2).collect();
    assert_eq!(enforced, [vec![line("tokio::spawn(async move {")]]);
    let notes = third.report()["run"]["notes"].to_string();
    assert!(notes.contains("is not used: its line is gone"), "{notes}");
    assert!(notes.contains("`lost-error handle"), "{notes}");
    assert!(third.stderr.contains("learnt.toml is not used, and will be written anew"), "{}", third.stderr);
}

#[test]
fn a_remedy_that_does_not_fit_is_refused_before_anything_is_built() {
    let fixture = Fixture::sample(&[("src/lib.rs", "")]);
    let cases = [
        ("lock-order=gate", "`lock-order` cannot be enforced: what violates it is found only when"),
        ("lost-error=gate", "needs a property with two variables of sort lock"),
        ("lost-eror=handle", "there is no property `lost-eror`"),
        ("lost-error=mend", "unknown remedy `mend`"),
        ("lost-error=delay", "the remedy `delay` is not supported by this version"),
        ("lost-error", "this is `PROPERTY=REMEDY`"),
    ];
    for (wish, expected) in cases {
        let run = fixture.run(&["test", "--enforce", wish]).expect(2);
        assert!(run.stderr.contains(expected), "{wish}: {}", run.stderr);
    }
    let run =
        fixture.run(&["test", "--enforce", "lost-error=handle", "--enforce", "lost-error=refuse"]).expect(2);
    let expected = "`lost-error` cannot be enforced: it has one remedy, and not both `handle` and `refuse`";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

/// The file that a workspace commits, with one entry that is right.
const COMMITTED: &str = r#"schema = 1
[[place]]
property = "lost-error"
remedy = "handle"
at = ["src/lib.rs:1:1"]
code = ["fn main() {}"]
"#;

#[test]
fn an_error_in_committed_files_is_reported_before_anything_is_built() {
    let cases = [
        ("schema = 1", "schema = 7", "schema 7 is of another version; this one reads 1"),
        ("\"handle\"", "\"mend\"", "the entry `lost-error mend src/lib.rs:1:1`: unknown remedy `mend`"),
        ("src/lib.rs:1:1", "src/lib.rs", "`src/lib.rs` is no place; it is FILE:LINE:COLUMN"),
        ("at =", "near =", "unknown field `near`"),
        ("[[place]]", "[[place]", "TOML parse error at line 2"),
    ];
    for (from, to, expected) in cases {
        let wrong = COMMITTED.replace(from, to);
        let fixture = Fixture::sample(&[("src/lib.rs", ""), (".config/rvcheck-learnt.toml", &wrong)]);
        let run = fixture.run(&["test", "--enforce", "lost-error=handle"]).expect(2);
        let file = ".config/rvcheck-learnt.toml cannot be used: ";
        let is_reported = run.stderr.contains(file) && run.stderr.contains(expected);
        assert!(is_reported && !run.stderr.contains("Compiling"), "{to}: {}", run.stderr);
    }
}
