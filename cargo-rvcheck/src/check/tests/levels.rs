//! What is reported of the code of tests, and how loud.

use super::*;

#[test]
fn what_is_spawned_in_test_code_is_at_most_a_note() {
    let report = Scene::new(&one_test((10, 5), Outcome::Err), &[("records", TestOutcome::Passed)]).report();
    assert_eq!(report.findings.iter().map(|it| it.level).collect::<Vec<_>>(), [Level::Note]);
    assert_eq!(report.exit_code(GATE), 0);
}

#[test]
fn a_panic_of_a_test_that_code_of_others_has_caught_is_at_most_a_note() {
    let formula = r#"schema = 1
[[property]]
id = "again"
logic = "ltl"
formula = "forall t: task . G ! panic(t, caught = true)"
message = "a panic in {t} was caught"
primary = ["panic"]
"#;
    let levels = |in_task: bool, before: &str| {
        let mut trace = TraceBuilder::new();
        let thread = trace.test("records");
        let (spawned, panicked) = (trace.site("src/lib.rs", 3, 9), trace.site("src/lib.rs", 4, 13));
        let task = trace.spawn(thread, TaskKind::Async, spawned, "()");
        let of_test = trace.own_task(thread);
        trace.poll(thread, task);
        trace.panic(thread, if in_task { task } else { of_test }, true, panicked);
        trace.finish(thread, task, Outcome::Ok);
        trace.end_test(thread, UnitId(1), Ended::Ok);
        let scene = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]);
        let file = scene.folder.path().join("src/lib.rs");
        fs::write(file, SOURCE.replacen('\n', before, 1)).expect("it can be written");
        let report = scene.report_by(formula);
        report.findings.iter().map(|it| it.level).collect::<Vec<_>>()
    };
    assert_eq!(levels(true, "\n"), [Level::Error]);
    assert_eq!(levels(false, "\n"), [Level::Note]);
    assert_eq!(levels(false, " fn run() { it.catch_unwind(); }\n"), [Level::Error]);
    assert_eq!(levels(false, " // it.catch_unwind()\n"), [Level::Note]);
}

#[test]
fn a_property_of_the_workspace_keeps_its_level_in_test_code() {
    let scene = Scene::new(&one_test((10, 5), Outcome::Err), &[("records", TestOutcome::Passed)]);
    let report = scene.report_of("specs/own.toml", PROPERTY, true);
    assert_eq!(report.findings.iter().map(|it| it.level).collect::<Vec<_>>(), [Level::Error]);
    assert_eq!(report.exit_code(GATE), 10);
}

#[test]
fn a_lost_panic_may_be_the_one_by_which_a_property_has_stopped_the_test() {
    let library: String = crate::specs::files()
        .into_iter()
        .filter(|it| it.0.ends_with("lost-error.toml"))
        .map(|it| it.1)
        .collect();
    let levels = |stops: bool| {
        let mut trace = TraceBuilder::new();
        let thread = trace.test("records");
        let site = trace.site("src/lib.rs", 3, 9);
        let task = trace.spawn(thread, TaskKind::Async, site, "()");
        trace.about(thread, EventKind::Detach, task, site);
        trace.poll(thread, task);
        if stops {
            trace.define(definition::STOP, &[1, 0], "printing");
        }
        trace.panic(thread, task, false, site);
        trace.end_test(thread, UnitId(1), Ended::Ok);
        let scene = Scene::new(&trace.build(), &[("records", TestOutcome::Passed)]);
        let report = scene.report_of("lost-error.toml", &library, false);
        report
            .findings
            .iter()
            .map(|it| (it.level, it.message.contains("a property stopped")))
            .collect::<Vec<_>>()
    };
    assert_eq!(levels(false), [(Level::Error, false)]);
    assert_eq!(levels(true), [(Level::Note, true)]);
}
