//! An application whose handlers run in tasks that a framework spawns: all of them are known, and nothing is wrong.

use rvcheck_tests::Fixture;
use serde_json::Value;

/// The tasks that the test and the handlers spawn themselves: the server, four clients, and two of `twice`.
const OWN_TASKS: u64 = 7;

/// The requests, for each of which the framework has a connection and a task for it.
const CONNECTIONS: u64 = 7;

#[test]
fn the_tasks_of_handlers_are_known_and_nothing_is_falsely_reported() {
    let run = Fixture::tree("web").test(&["--fail-on", "warning"]).expect(0);
    let report = run.report();
    assert_eq!(run.findings(), [""; 0], "{}", run.stderr);
    assert_eq!(report["run"]["tests"]["passed"], 1);
    assert_eq!(report["run"]["inconclusive"], false, "{}", report["run"]["notes"]);
    let properties = report["properties"].as_array().expect("properties are a list");
    let of = |id: &str| properties.iter().find(|it| it["id"] == id).expect("the library has it");
    let units = |id: &str| of(id)["units"].as_array().expect("units are a list").clone();
    // One binding for each task that was spawned.
    let spawned: u64 = units("lost-error").iter().filter_map(|it: &Value| it["exercised"].as_u64()).sum();
    assert!(spawned >= OWN_TASKS + CONNECTIONS, "{spawned}: {}", of("lost-error"));
    for id in ["lost-error", "blocking-in-async"] {
        assert_eq!(of(id)["verdict"], "held", "{id}");
        let tests: Vec<_> = units(id).iter().map(|it| it["test"].clone()).collect();
        assert!(tests.contains(&"it::hits_are_counted".into()), "{tests:?}");
    }
}
