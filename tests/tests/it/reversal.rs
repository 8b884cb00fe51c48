//! Locks that a program makes while it runs are monitored by one formula for all of them.

use rvcheck_tests::Fixture;
use serde_json::Value;

/// The verdict of a property over one test.
fn verdict<'a>(report: &'a Value, property: &str, test: &str) -> &'a str {
    let properties = report["properties"].as_array().expect("there are properties");
    let property =
        properties.iter().find(|it| it["id"] == property).expect("it is a property of the fixture");
    let units = property["units"].as_array().expect("it has units");
    let unit = units.iter().find(|it| it["test"] == test).expect("the test was run");
    unit["verdict"].as_str().expect("a verdict is a text")
}

#[test]
fn a_reversal_of_locks_made_on_the_fly_is_found_and_a_gate_lock_excuses_it() {
    let run = Fixture::tree("reversal").test(&[]).expect(10);
    for (test, plain, gated) in [
        ("it::in_one_order", "held", "held"),
        ("it::in_both_orders", "violated", "violated"),
        ("it::in_both_orders_behind_a_gate", "violated", "held"),
        ("it::in_both_orders_and_once_past_the_gate", "violated", "violated"),
    ] {
        let found = ["reversal", "ungated-reversal"].map(|it| verdict(run.report(), it, test));
        assert_eq!(found, [plain, gated], "{test}\n{}", run.stderr);
    }
    let places = run.findings();
    assert!(places.iter().all(|it| it.contains("reversal src/lib.rs:")), "{places:?}");
}
