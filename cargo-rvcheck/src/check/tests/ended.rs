//! Tests and processes that ended in another way than by coming to their end.

use super::*;

#[test]
fn a_killed_process_is_checked_up_to_that_moment() {
    let mut scene = Scene::new(&one_test((3, 9), Outcome::Err), &[("records", TestOutcome::Unfinished)]);
    scene.process().end = End::Signalled(9);
    let report = scene.report();
    assert_eq!(report.findings.len(), 1);
    assert!(report.run.notes.contains(&"`it` was ended by signal 9".to_owned()));
    assert_eq!(report.exit_code(GATE), 10);
    assert_eq!(report.run.tests.unfinished, 1);
}

#[test]
fn a_test_that_an_abort_cut_off_is_decided_where_it_ran_to_its_end() {
    let mut scene = Scene::new(&one_test((3, 9), Outcome::Ok), &[]);
    scene.process().end = End::Signalled(6);
    assert_eq!(scene.verdicts()[0], ("it::records".to_owned(), Verdict::Inconclusive));
    let mut again = scene.process().clone();
    again.end = End::Exited(0);
    let passed = TestResult { name: "records".into(), outcome: TestOutcome::Passed, should_panic: false };
    again.tests.push(passed);
    scene.recorded.processes.push(again);
    assert_eq!(scene.verdicts()[0], ("it::records".to_owned(), Verdict::Held));
    assert_eq!(scene.report().exit_code(GATE), 6, "the abort did not come again");
}

#[test]
fn a_test_that_panics_as_it_should_keeps_what_no_end_could_have_broken() {
    let passed = [("records", TestOutcome::Passed)];
    let mut reported_by_libtest = Scene::new(&one_test((3, 9), Outcome::Ok), &passed);
    reported_by_libtest.process().tests[0].should_panic = true;
    let reported_by_the_trace = Scene::new(&one_test_to(Ended::Panicked, (3, 9), Outcome::Ok), &passed);
    [&reported_by_libtest, &reported_by_the_trace].into_iter().for_each(keeps_what_no_end_could_have_broken);
}

fn keeps_what_no_end_could_have_broken(scene: &Scene) {
    let undecided = "formula = \"forall u: task . F finish(u)\"";
    let kept = "formula = \"forall u: task . G (finish(u) -> O spawn(_, u))\"";
    let untouched = "formula = \"forall u: task . G !abort(_, u)\"";
    for (formula, verdict) in
        [(undecided, Verdict::Inconclusive), (kept, Verdict::Held), (untouched, Verdict::NotExercised)]
    {
        let text = format!("schema = 1\n[[property]]\nid = \"it\"\nlogic = \"ltl\"\n{formula}\n");
        let report = scene.report_by(&text);
        assert_eq!(report.properties[0].units[0].verdict, verdict, "{formula}");
    }
    // The property of this file has a state that is wrong at the end.
    assert_eq!(scene.verdicts(), [("it::records".to_owned(), Verdict::Inconclusive)]);
    let without = PROPERTY
        .replace("end_bad = [\"alone\"]", "end_bad = []")
        .replace(", alone = \"{u} is still there\"", "");
    let without = without.replace("levels = { alone = \"warning\" }\n", "");
    let report = scene.report_by(&without);
    assert_eq!(report.properties[0].units[0].verdict, Verdict::Held);
}
