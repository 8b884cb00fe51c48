//! Tasks that a function spawns for its callers, and handles that callers are given.

use super::*;
use serde_json::json;

/// Two tasks are spawned by one call and fail, whose types of what they run are these. The lines of what is found, with its level.
fn found(runs: [&str; 2], started: &serde_json::Value) -> Vec<(u32, Level)> {
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let site = trace.site("src/lib.rs", 3, 9);
    for runs in runs {
        let task = trace.spawn(thread, TaskKind::Async, site, "Result<(), ()>");
        trace.about(thread, EventKind::Detach, task, SiteId::NONE);
        trace.poll_of(thread, task, runs);
        trace.finish(thread, task, Outcome::Err);
    }
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let mut scene = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]);
    scene.recorded.analysed.started = serde_json::from_value(started.clone()).expect("it is of that form");
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    let report = scene.report_by(entry.toml);
    report.findings.iter().map(|it| (it.primary.line, it.level)).collect()
}

fn at(line: u32) -> serde_json::Value {
    json!({ "file": "src/lib.rs", "line": line, "column": 9, "end_line": line, "end_column": 12, "label": "" })
}

fn start(by: u32, item: &str) -> serde_json::Value {
    let by = json!({ "location": at(by), "in_test": false });
    json!({ "at": at(3), "by": by, "item": item, "lines": null, "is_given_out": false })
}

#[test]
fn what_a_function_spawns_for_its_callers_is_found_at_each_of_them() {
    let runs = ["shop::sell::{{closure}}", "shop::spawn<shop::buy<u8>::{{closure}}>::{{closure}}"];
    let lines = |started: &[serde_json::Value]| found(runs, &json!(started));
    let error = Level::Error;
    assert_eq!(lines(&[start(2, "sell"), start(4, "buy")]), [(2, error), (4, error)]);
    assert_eq!(lines(&[start(2, "sell")]), [(2, error), (3, error)]);
    assert_eq!(lines(&[]), [(3, error)]);
}

#[test]
fn a_handle_that_only_callers_of_the_library_have_is_theirs_to_drop() {
    let given_out = json!({ "at": at(3), "by": null, "item": "sell", "lines": null, "is_given_out": true });
    let runs = ["shop::sell::{{closure}}"; 2];
    assert_eq!(found(runs, &json!([given_out])), [(3, Level::Note)]);
}

#[test]
fn a_task_that_has_looked_at_its_error_may_have_reported_it() {
    let speaks = |it: bool| json!({ "at": at(3), "by": null, "item": "sell", "lines": null, "is_given_out": false, "speaks": it });
    let runs = ["shop::sell::{{closure}}"; 2];
    assert_eq!(found(runs, &json!([speaks(true)])), [(3, Level::Note)]);
    assert_eq!(found(runs, &json!([speaks(false)])), [(3, Level::Error)]);
}
