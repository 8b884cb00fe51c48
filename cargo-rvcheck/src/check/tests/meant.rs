//! Panics by which a test ends a task on purpose.

use super::*;

const SOURCE: &str = "\
#[tokio::test]
async fn records() {
    tokio::spawn(async { panic!(\"injected\") });
    tokio::spawn(async { if is_full() { panic!() } });
}
fn product() {
    tokio::spawn(async { panic!(\"injected\") });
}
";

/// The levels of what is found where the task that is spawned in this line panics there, and its handle is dropped.
fn lost(line: u32) -> Vec<Level> {
    let text = SOURCE.lines().nth(line as usize - 1).expect("it is there");
    let column = |of: &str| text.find(of).expect("it is there") as u32 + 1;
    let mut trace = TraceBuilder::new();
    let thread = trace.test("records");
    let [spawn, panic] = ["tokio", "panic"].map(|it| trace.site("src/lib.rs", line, column(it)));
    let task = trace.spawn(thread, TaskKind::Async, spawn, "()");
    trace.about(thread, EventKind::Detach, task, SiteId::NONE);
    trace.poll(thread, task);
    trace.panic(thread, task, false, panic);
    trace.end_test(thread, UnitId(1), Ended::Ok);
    let scene = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]);
    fs::write(scene.folder.path().join("src/lib.rs"), SOURCE).expect("it can be written");
    let entry = rvcheck_specs::find("lost-error").expect("the library has it");
    scene.report_by(entry.toml).findings.iter().map(|it| it.level).collect()
}

#[test]
fn a_task_of_a_test_that_can_do_nothing_but_panic_loses_no_error() {
    assert_eq!(lost(3), []);
    assert_eq!(lost(4), [Level::Note]);
    assert_eq!(lost(7), [Level::Error]);
}
