//! Properties with `on_violation = "stop"` stop the program where they are violated, and the report says so once.

use rvcheck_tests::Fixture;

/// The line of the fixture with this text.
fn line(text: &str) -> usize {
    let source = include_str!("../trees/stops/src/lib.rs");
    source.lines().position(|it| it.contains(text)).expect("it is there") + 1
}

/// The test of the fixture that ends its process.
const ENDED: &str = "the_process_is_ended_where_a_task_would_swallow_the_panic";

#[test]
fn what_violates_a_property_is_stopped_there_and_reported_once() {
    let run = Fixture::tree("stops").test(&["--lib", "--", "--skip", ENDED]).expect(10);
    let expected = [
        format!("error one-lock src/lib.rs:{}", line("*a + *pair.b.lock()")),
        format!("error in-order src/lib.rs:{}", line("self.b.try_lock()")),
    ];
    assert_eq!(run.findings(), expected);
    let findings = run.report()["findings"].as_array().expect("a list");
    assert!(findings.iter().all(|it| it["occurrences"] == 1 && it["proof"] == "observed"), "{findings:?}");
    let message =
        format!("rvcheck: `one-lock` is violated at src/lib.rs:{}: task", line("*a + *pair.b.lock()"));
    assert!(run.stderr.contains(&message), "{message}\n{}", run.stderr);
    // A destructor does not unwind, so that test passes. Nothing is said to fail because of the tool, or run again.
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["passed"], &tests["failed"], &tests["stopped"]), (&2.into(), &1.into(), &1.into()));
    assert_eq!((&tests["failed_under_tool"], &tests["unfinished"]), (&0.into(), &0.into()));
    let verdicts = |id: &str| {
        let properties = run.report()["properties"].as_array().expect("a list");
        let found = properties.iter().find(|it| it["id"] == id).expect("it was judged");
        let units = found["units"].as_array().expect("a list").iter();
        units.map(|it| (it["test"].as_str().unwrap().to_owned(), it["verdict"].clone())).collect::<Vec<_>>()
    };
    let held = ("stops::tests::holding_two_locks_is_fine".to_owned(), "held".into());
    assert!(verdicts("one-lock").contains(&held));
}

#[test]
fn a_process_is_ended_where_that_is_asked_for() {
    let run = Fixture::tree("stops").test(&["--lib", "--", ENDED]).expect(10);
    let place = line("sender.send(number)");
    assert_eq!(run.findings(), [format!("error two-messages src/lib.rs:{place}")]);
    let message = format!("rvcheck: `two-messages` is violated at src/lib.rs:{place}: a third message");
    assert!(run.stderr.contains(&message), "{message}\n{}", run.stderr);
    let tests = &run.report()["run"]["tests"];
    assert_eq!(
        (&tests["failed"], &tests["stopped"], &tests["failed_under_tool"]),
        (&1.into(), &1.into(), &0.into())
    );
}
