//! Tests that hang are ended and explained, and the others run.

use std::collections::BTreeMap;

use rvcheck_tests::guide::assert_sample;
use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// The line of a file of the fixture with this text.
fn line(file: &str, text: &str) -> u64 {
    let path = rvcheck_tests::repository().join("tests/trees/hangs").join(file);
    let source = std::fs::read_to_string(path).expect("it is there");
    source.lines().position(|it| it.contains(text)).expect("the text is there") as u64 + 1
}

/// For each test that hung, the property, and the lines of the primary place and of all others in the same file.
fn reported(run: &Run) -> BTreeMap<String, (String, u64, Vec<u64>)> {
    let findings = run.report()["findings"].as_array().expect("a list");
    let of = |finding: &Value| {
        let file = &finding["primary"]["file"];
        let mut related: Vec<u64> = finding["related"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|it| it["file"] == *file)
            .filter_map(|it| it["line"].as_u64())
            .collect();
        related.sort_unstable();
        assert_eq!(finding["level"], "error", "{finding}");
        let text = |key: &str| finding[key].as_str().expect("a text").to_owned();
        let primary = finding["primary"]["line"].as_u64().expect("a line");
        (text("test"), (text("property"), primary, related))
    };
    // Some of it the source shows as well.
    findings.iter().filter(|it| it["proof"] == "observed").map(of).collect()
}

#[test]
fn a_test_that_hangs_is_explained_and_the_others_run() {
    let run = Fixture::tree("hangs").test(&["--stall-timeout", "1s"]).expect(10);
    let case = |test: &str, property: &str, file: &str, primary: &str, related: &[&str]| {
        let mut related: Vec<u64> = related.iter().map(|it| line(file, it)).collect();
        related.sort_unstable();
        (format!("it::{test}"), (property.to_owned(), line(file, primary), related))
    };
    let (locks, channels, others) = ("src/locks.rs", "src/channels.rs", "src/others.rs");
    let expected = BTreeMap::from([
        case("the_same_lock_twice", "double-lock", locks, "// again", &["if let Some(last)"]),
        case("a_read_lock_to_write", "double-lock", locks, "// write", &["// read"]),
        case("locks_in_a_cycle", "lock-order", locks, "// next", &["// own", "task.await.unwrap();"]),
        case("an_own_sender", "channel-deadlock", channels, "receiver.recv().await {", &[]),
        case(
            "a_lock_over_a_send",
            "channel-deadlock",
            channels,
            "// is full",
            &["// needs the lock", "// holds the lock"],
        ),
        case("no_answer", "channel-deadlock", channels, "// no answer", &[]),
        case("a_future_that_nobody_polls", "futurelock", others, "// behind it", &["// queued"]),
        case("a_signal_too_early", "lost-wakeup", others, "// waits", &["// too early"]),
        case("all_permits_with_one_taken", "semaphore", others, "// all", &["// one"]),
        case("too_many_permits", "semaphore", others, "// too many", &[]),
        case("no_signal", "stall", others, "// no signal", &[]),
        case("a_task_that_joins_itself", "stall", others, "// itself", &["// the task"]),
        case("a_starved_task", "channel-deadlock", others, "// blocks the worker", &[]),
    ]);
    let mut found = reported(&run);
    let (property, primary, _) = found.remove("it::locks_after_a_delay").expect("it hangs");
    assert_eq!((property.as_str(), primary), ("lock-order", line("src/given_up.rs", "// forever")));
    // Who comes last is a matter of chance. The second test passes, and is not stopped by those whom it leaves behind.
    let in_the_background = [
        "// counts the till",
        "// and the stock",
        "// counts the stock",
        "// and the till",
        "// one counts",
        "// the other one counts",
    ];
    for (test, places) in [
        (
            "it::locks_in_opposite_orders",
            &["// stock first", "// then till", "// till first", "// then stock"][..],
        ),
        ("it::locks_of_others_in_opposite_orders", &in_the_background),
    ] {
        let (property, primary, related) = found.remove(test).expect("two threads wait for each other");
        let mut lines = related;
        lines.push(primary);
        lines.sort_unstable();
        let places: Vec<u64> = places.iter().map(|it| line(locks, it)).collect();
        assert_eq!((property.as_str(), lines), ("lock-order", places), "{test}");
    }
    let (property, ..) = found.remove("it::two_full_channels").expect("it hangs");
    assert_eq!(property, "channel-deadlock");
    assert_eq!(found, expected);
    for id in ["channel-deadlock", "double-lock", "futurelock", "lost-wakeup", "semaphore", "stall"] {
        assert_sample(run.human(), id);
    }
    let messages = run.report()["findings"].as_array().expect("a list").iter();
    let itself = messages
        .filter(|it| it["test"] == "it::a_task_that_joins_itself")
        .map(|it| it["message"].to_string());
    assert!(
        itself.clone().any(|it| it.contains("waits for its own end")),
        "{:?}",
        itself.collect::<Vec<_>>()
    );
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["stalled"]), (&6.into(), &16.into(), &16.into()));
    assert_eq!((&tests["unfinished"], &tests["flaky"]), (&0.into(), &0.into()));
    assert!(!run.stderr.contains("SIGKILL"), "{}", run.stderr);
}

/// Nothing but what the tool knows of is waited for, and so no time is lost.
#[test]
fn a_deadlock_is_certain_at_once_also_where_a_delay_was_awaited_before() {
    let fixture = Fixture::tree("hangs");
    let run = fixture.test(&["--stall-timeout", "5m", "--", "--exact", "locks_after_a_delay"]).expect(10);
    let took = run.report()["run"]["seconds"].as_f64().expect("a number");
    assert!(took < 150.0, "{took}");
    assert_eq!(run.report()["run"]["tests"]["stalled"], 1);
}

#[test]
fn what_is_not_monitored_has_ten_times_as_long_and_then_nobody_knows() {
    let run = Fixture::tree("hangs").test(&["--stall-timeout", "300ms", "--", "--ignored"]).expect(10);
    let report = run.report();
    assert_eq!(report["run"]["tests"]["stalled"], 2, "{report}");
    // The errors are of what the source shows.
    let findings =
        report["findings"].as_array().expect("a list").iter().filter(|it| it["proof"] == "observed");
    let reported: Vec<_> = findings.map(|it| [&it["property"], &it["level"], &it["message"]]).collect();
    let message = "nothing makes progress, and the test `a_silent_socket_in_a_task` does nothing monitored";
    assert_eq!(reported, [["stall", "note", message]]);
}

#[test]
fn a_thread_that_clerks_is_named_with_all_that_it_has_and_wants() {
    let fixture = Fixture::tree("hangs");
    let run =
        fixture.test(&["--stall-timeout", "1s", "--", "--exact", "locks_in_opposite_orders"]).expect(10);
    let findings = run.report()["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|it| it["proof"] == "observed").expect("it hangs");
    let message = finding["message"].as_str().expect("a text");
    let test = "the test `locks_in_opposite_orders`";
    for part in [
        format!("{test} waits for `self.till`, which the thread `clerk` holds"),
        format!("the thread `clerk` waits for `self.stock`, which {test} holds"),
    ] {
        assert!(message.contains(&part), "{message}");
    }
    let events: Vec<_> =
        finding["witness"]["events"].as_array().expect("a list").iter().map(|it| &it["event"]).collect();
    assert_eq!(events, ["acquire", "acquire", "request", "request"]);
    let verdicts = run.report()["properties"].as_array().expect("a list");
    let stall = verdicts.iter().find(|it| it["id"] == "stall").expect("it is there");
    assert_eq!(stall["verdict"], "inconclusive");
}
