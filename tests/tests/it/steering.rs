//! Predicted deadlocks are made to happen, and can be made to happen again; so are others that nothing else shows.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// What was predicted or has happened, by test.
fn found(run: &Run) -> Vec<&Value> {
    let findings = run.report()["findings"].as_array().expect("a list");
    let mut found: Vec<_> = findings
        .iter()
        .filter(|it| it["proof"] != "static" && it["property"] != "guard-across-await")
        .collect();
    found.sort_by_key(|it| it["test"].as_str());
    found
}

fn text<'a>(finding: &'a Value, key: &str) -> &'a str {
    finding[key].as_str().expect("a text")
}

/// Their tests, and how well they are founded.
fn proofs(run: &Run) -> Vec<(&str, &str)> {
    found(run).into_iter().map(|it| (text(it, "test"), text(it, "proof"))).collect()
}

const TASKS: &str = "it::tasks_pass_one_after_the_other";
const THREADS: &str = "it::threads_pass_one_after_the_other";
/// What runs just these two.
const BOTH: [&str; 4] =
    ["--", "--exact", "tasks_pass_one_after_the_other", "threads_pass_one_after_the_other"];

/// The command that a finding names.
fn again(fixture: &Fixture, finding: &Value) -> Run {
    let command = finding["next"]["command"].as_str().expect("a text");
    let words: Vec<&str> = command.split(' ').collect();
    let ["cargo", "rvcheck", "test", arguments @ ..] = &words[..] else { panic!("{command}") };
    let mut all = vec!["--stall-timeout", "2s"];
    all.extend(arguments);
    fixture.test(&all)
}

#[test]
fn a_predicted_deadlock_is_confirmed_and_happens_again_by_its_schedule() {
    let fixture = Fixture::tree("steered");
    let run = fixture.test(&[&["--confirm-budget", "0"][..], &BOTH].concat()).expect(0);
    assert_eq!(proofs(&run), [(TASKS, "witnessed"), (THREADS, "witnessed")]);
    for finding in found(&run) {
        // The source warns of some of it.
        assert_ne!(finding["level"], "error");
        assert_eq!(finding["tried"]["times"], 0);
    }
    let untried = "= note: no attempt was made to confirm it: `--confirm-budget` is 0";
    assert!(run.human().contains(untried), "{}", run.human());

    let run = fixture.test(&BOTH).expect(10);
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
        let again = again(&fixture, finding).expect(10);
        assert_eq!(proofs(&again), [(text(finding, "test"), "confirmed")]);
    }
}

/// The tests of the tree that stall under another schedule, what that is, and two of its places.
const STALLS: [(&str, &str, &str, [&str; 2]); 23] = [
    ("a_cake_is_baked_after_the_fish_is_fried", "lock-order", "permits", ["bake: stove", "fry: oven"]),
    (
        "a_price_is_added_after_both_reads",
        "double-lock",
        "modes",
        ["first: reads again", "add a price: writes"],
    ),
    ("a_writer_comes_after_both_reads", "double-lock", "modes", ["count: reads again", "add: writes"]),
    (
        "all_three_are_asked_one_after_the_other",
        "channel-deadlock",
        "cycle",
        ["cycle: waits", "cycle: waits"],
    ),
    ("both_agree_one_after_the_other", "channel-deadlock", "answers", ["serve: waits", "serve: waits"]),
    ("crates_are_inspected_when_all_have_come", "lock-order", "depot", ["deliver: crates", "inspect: gate"]),
    ("forms_are_signed_one_after_the_other", "channel-deadlock", "clerks", ["forms: waits", "forms: waits"]),
    (
        "letters_are_stamped_one_after_the_other",
        "channel-deadlock",
        "clerks",
        ["letters: waits", "letters: waits"],
    ),
    ("one_cooks_after_the_other", "semaphore", "permits", ["cook: one pan", "cook: another pan"]),
    ("pages_are_read_one_after_the_other", "channel-deadlock", "rings", ["print: gives", "read: gives back"]),
    (
        "parcels_are_sent_far_one_after_the_other",
        "channel-deadlock",
        "clerks",
        ["parcels: waits", "parcels: waits"],
    ),
    ("shelves_are_filled_one_after_the_other", "lock-order", "shelves", ["put: from", "put: to"]),
    (
        "somebody_waits_blindly_for_the_light",
        "lost-wakeup",
        "news",
        ["cross blindly: parks", "cross blindly: parks"],
    ),
    ("tasks_pass_one_after_the_other", "lock-order", "tasks", ["work: outbox", "undo: inbox"]),
    ("the_bar_is_filled_when_all_have_left", "semaphore", "permits", ["visit: bar", "deliver: door"]),
    ("the_book_is_tidy_before_anything_is_noted", "channel-deadlock", "over", ["tidy: takes", "note: waits"]),
    ("the_door_is_opened_while_somebody_waits", "lost-wakeup", "signals", ["pass: waits", "open: signals"]),
    ("the_meter_is_read_in_time", "channel-deadlock", "over", ["arriving: takes", "send: waits for room"]),
    (
        "the_parcel_is_fetched_when_it_is_on_the_table",
        "lost-wakeup",
        "news",
        ["fetch: waits", "bring: signals"],
    ),
    (
        "the_tank_is_filled_while_somebody_watches",
        "lost-wakeup",
        "news",
        ["overflows: waits", "fill: changes"],
    ),
    ("the_weather_is_heard_when_it_is_written_down", "lost-wakeup", "news", ["hear: waits", "tell: signals"]),
    ("the_writer_is_over_when_the_log_is_closed", "lock-order", "ends", ["write: takes", "close: waits"]),
    ("threads_pass_one_after_the_other", "lock-order", "threads", ["sell: till", "refund: stock"]),
];

#[test]
fn whatever_another_schedule_stalls_is_found_and_nothing_else() {
    let fixture = Fixture::tree("steered");
    let try_all = || fixture.test(&["--confirm-budget", "3m"]).expect(10);
    let mut run = try_all();
    // On a busy machine, a task may come after the delays are over.
    if found(&run).iter().filter(|it| it["proof"] == "confirmed").count() < STALLS.len() {
        run = try_all();
    }
    // Two that keep each other's sender are never told to end, which any run shows.
    let is_idle = |it: &&Value| {
        it["property"] == "channel-deadlock" && it["proof"] == "observed" && it["level"] != "error"
    };
    let found: Vec<_> = found(&run).into_iter().filter(|it| !is_idle(it)).collect();
    let reported: Vec<_> =
        found.iter().map(|it| (text(it, "test"), text(it, "property"), text(it, "proof"))).collect();
    let names: Vec<String> = STALLS.iter().map(|it| format!("it::{}", it.0)).collect();
    let expected: Vec<_> =
        STALLS.iter().zip(&names).map(|(it, name)| (name.as_str(), it.1, "confirmed")).collect();
    assert_eq!(reported, expected);
    for (finding, (_, _, file, markers)) in found.iter().zip(&STALLS) {
        let file = format!("src/{file}.rs");
        let source = std::fs::read_to_string(fixture.path().join(&file)).expect("it is there");
        let places = finding["related"].as_array().expect("a list").iter().chain([&finding["primary"]]);
        let lines: Vec<u64> =
            places.filter(|it| it["file"] == *file).filter_map(|it| it["line"].as_u64()).collect();
        for marker in markers {
            let line = source.lines().position(|it| it.ends_with(&format!("// {marker}")));
            let line = line.expect("the marker is there") as u64 + 1;
            assert!(lines.contains(&line), "{marker}: {finding}");
        }
        assert_eq!(finding["level"], "error");
    }
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["stalled"]), (&37.into(), &0.into(), &0.into()));
    // One that was not even predicted happens again, too.
    let seen = found.iter().find(|it| it["property"] == "lost-wakeup").expect("it was found");
    let again = again(&fixture, seen).expect(10);
    // By delays it is observed, and under control confirmed.
    assert!(proofs(&again).iter().all(|it| it.0 == text(seen, "test")), "{}", again.human());
    assert_eq!(again.report()["findings"][0]["level"], "error");
}

#[test]
fn what_does_not_happen_is_a_note_with_how_often_it_was_tried() {
    let fixture = Fixture::tree("steered");
    // Whoever comes second comes long after the first has lost patience.
    fixture.edit("tests/it.rs", "from_millis(20)", "from_millis(1500)");
    let run = fixture.test(&BOTH).expect(0);
    assert_eq!(proofs(&run), [(TASKS, "witnessed"), (THREADS, "witnessed")]);
    for finding in found(&run) {
        assert_eq!((&finding["tried"]["times"], &finding["tried"]["happened"]), (&3.into(), &Value::Null));
        assert_eq!(finding["level"], "note");
    }
    assert!(run.human().contains("run again 3 times with the tasks delayed"), "{}", run.human());
}

#[test]
fn a_schedule_that_is_none_is_refused_before_anything_runs() {
    let fixture = Fixture::tree("steered");
    let run = fixture.run(&["test", "--schedule", "Cargo.toml"]).expect(2);
    assert!(run.stderr.contains("is no schedule: it does not begin with"), "{}", run.stderr);
    fixture.run(&["test", "--schedule", "nowhere.txt"]).expect(2);
}
