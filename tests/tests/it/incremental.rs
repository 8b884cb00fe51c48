//! What did not change is not built again, and the same run gives the same report. More on this is in `torture`.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;
use snapbox::IntoData;

/// A report without what is measured, and what depends on how threads are scheduled.
fn lasting(run: &Run) -> Value {
    let mut report = run.report().clone();
    for cost in ["events", "trace_bytes", "seconds"] {
        assert!(report["run"][cost].take().is_number(), "{cost}");
    }
    for property in report["properties"].as_array_mut().expect("properties are a list") {
        assert!(property["events"].take().is_u64());
    }
    for finding in report["findings"].as_array_mut().expect("findings are a list") {
        // How much went on between, and how often it had to be tried, is up to the threads as well.
        finding["witness"]["omitted"].take();
        finding["tried"]["times"].take();
        for event in finding["witness"]["events"].as_array_mut().expect("a witness has events") {
            assert!(event["time"].take().is_u64());
            // Ids are given in the order of creation, which is that of the threads.
            event["task"].take();
            event["object"].take();
        }
    }
    report
}

#[test]
fn a_second_run_builds_nothing_and_reports_the_same() {
    let bank = Fixture::example("bank");
    let first = bank.test(&[]).expect(10);
    let second = bank.test(&[]).expect(10);
    assert!(!second.stderr.contains("Compiling"), "{}", second.stderr);
    snapbox::assert_data_eq!(
        serde_json::to_string_pretty(&lasting(&second)).unwrap(),
        // As it is: a backslash of JSON is no part of a path.
        serde_json::to_string_pretty(&lasting(&first)).unwrap().raw()
    );
    let again = bank.run(&["report", "--output", "json"]);
    let stored: Value = serde_json::from_str(&again.stdout).expect("the stored report is JSON");
    // Whether the answer is the accepted one may change after the run.
    let mut printed = second.report().clone();
    printed.as_object_mut().expect("a report is an object").remove("snapshot");
    assert_eq!(stored, printed);
    assert_eq!(again.code, 10);
}
