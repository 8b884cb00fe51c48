//! What a trace says of a model, and a model of a trace, also where something is missing from either.

use super::*;
use crate::report::Rearranged;

/// The whole trace of one test, and the same one with records missing.
fn traces() -> [Vec<u8>; 2] {
    let whole = one_test((3, 9), Outcome::Ok);
    let mut cut = whole.clone();
    cut[header::LOST..header::LOST + 4].copy_from_slice(&lost::CAP.to_le_bytes());
    cut[header::DROPPED] = 7;
    [whole, cut]
}

/// The report of a trace by one model with these rules.
fn report_of(trace: &[u8], rules: &str, lifestates: LifestateUse) -> Report {
    let scene = Scene::new(trace, &[("records", TestOutcome::Passed)]);
    let text =
        format!("schema = 1\n[[property]]\nid = \"model\"\nlogic = \"lifestate\"\nrules = [{rules}]\n");
    let specs = crate::specs::read(&[("model.toml".to_owned(), text)]);
    assert_eq!(specs.problems, []);
    let definitions = specs.definitions();
    let properties = specs.properties.into_iter().map(|it| it.compiled).collect();
    check_run(&scene.recorded, &Options { properties, definitions, lifestates, ..Options::default() })
}

fn human(report: &Report) -> String {
    let mut out = Vec::new();
    Format::Human.render(report, &mut out, Style::PLAIN).expect("a vector takes everything");
    String::from_utf8(out).expect("renderers write UTF-8")
}

/// The test lets a task go, which is polled then.
const NEVER_POLLED: &str = r#""_*; ci detach(_, t) |- cb poll(t)""#;

#[test]
fn a_trace_from_which_events_are_missing_refutes_no_model() {
    let [whole, cut] = traces().map(|it| report_of(&it, NEVER_POLLED, LifestateUse::Validate));
    assert_eq!(whole.properties[0].verdict, Verdict::Refuted);
    assert_eq!((whole.findings.len(), whole.validations[0].inconclusive), (1, false));
    assert_eq!(cut.properties[0].verdict, Verdict::Inconclusive);
    assert_eq!((cut.findings.len(), cut.validations[0].inconclusive), (0, true));
    // How far the rest goes is said all the same.
    assert_eq!(cut.validations[0].valid, whole.validations[0].valid);
    let said = human(&cut);
    assert!(said.contains("inconclusive: events are missing, and `cb poll("), "{said}");
    // A trace that fits is no proof of the model, either.
    let [_, cut] = traces().map(|it| report_of(&it, r#""(_ & true) |- cb poll(t)""#, LifestateUse::Validate));
    assert_eq!((cut.properties[0].verdict, cut.validations[0].inconclusive), (Verdict::Inconclusive, false));
}

/// A task finishes once, as far as its polls are concerned.
const FINISHED_ONCE: &str = r#""_*; cbret ::finish = poll(t) |- cbret ::finish = poll(t)""#;

#[test]
fn of_a_trace_from_which_events_are_missing_nothing_is_proved() {
    let [whole, cut] = traces().map(|it| report_of(&it, FINISHED_ONCE, LifestateUse::Predict(1000)));
    assert_eq!(whole.rearrangements[0].answer, Rearranged::Absence);
    assert_eq!(cut.rearrangements[0].answer, Rearranged::Unknown);
    let said = human(&cut);
    assert!(said.contains("but events are missing from the trace"), "{said}");
    let note = "`model` is not proved of it::records: events are missing from the trace";
    assert!(cut.run.notes.iter().any(|it| it == note), "{:?}", cut.run.notes);
}

#[test]
fn of_a_call_that_the_model_never_lets_come_nothing_is_proved() {
    // The task is spawned by the test, which is in no callback.
    let rules = format!(r#"{FINISHED_ONCE}, "true |- cb poll(t)", "_*; ci spawn(_, t) |+ cb poll(t)""#);
    let [whole, _] = traces();
    let report = report_of(&whole, &rules, LifestateUse::Predict(1000));
    let row = &report.rearrangements[0];
    assert_eq!((row.answer, row.targets, row.unreached), (Rearranged::Unreached, 1, 1));
    let said = human(&report);
    for part in [
        "nothing is proved of the 1 callback of it::records for `model`, which is unreached: no order violates it (",
        "but none reaches `cbret finish = poll(",
        "; what it rests on, `cb poll(",
        "is removed by rule 2, `true |- cb poll(t)`, from the beginning",
        "; messages outside of callbacks, which are left out, may permit it",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(report.run.notes.iter().any(|it| it.contains("is not proved of")), "{:?}", report.run.notes);
}
