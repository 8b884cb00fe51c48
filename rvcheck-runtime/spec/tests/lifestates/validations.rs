//! Which traces refute a model, where, and by which rules.

use std::collections::BTreeSet;

use rvcheck_event::log::line_of;
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::evaluation::lifestate::validate::{Validation, Validator};
use rvcheck_spec::{Property, Verdict, Vocabulary};

use super::{compiled, fed, lifestate, lines, monitored};

/// What the units of a trace say of a model.
pub(crate) fn validated(property: &Property, vocabulary: &Vocabulary, lines: &str) -> Vec<Validation> {
    let mut validator = Validator::new(property.lifestate().expect("it is one"));
    fed(vocabulary, lines, |event, world| validator.step(event, world));
    validator.finish()
}

/// A button that is clicked only while it is enabled, and a task that is done once it was begun.
const BUTTON: [&str; 5] = [
    "true |- cb Listener::on_click(b)",
    "_*; ci Button::enable(b) |+ cb Listener::on_click(b)",
    "_*; ci Button::disable(b) |- cb Listener::on_click(b)",
    "true | _*; cb Task::done(t) |- cb Task::done(t)",
    "_*; ci Task::execute(t) |+ cb Task::done(t)",
];

/// A trace, its longest valid prefix, the rules that removed the message with the messages since which they did, and violations.
type Case = (&'static str, u64, &'static [(usize, Option<u32>)], u64);

#[test]
fn the_first_message_that_the_model_does_not_permit_refutes_it() {
    let cases: [Case; 5] = [
        ("ci Button::enable(1); cb Listener::on_click(1)", 2, &[], 0),
        ("cb Listener::on_click(1)", 0, &[(0, None)], 0),
        (
            "ci Button::enable(1); ci Button::disable(1); ci x(); cb Listener::on_click(1); cb Listener::on_click(1)",
            3,
            &[(2, Some(2))],
            0,
        ),
        ("ci Task::execute(1); cb Task::done(1); cb Task::done(1)", 2, &[(3, Some(2))], 0),
        // A violation refutes no model.
        ("dis ci Task::execute(1); cb Task::done(1)", 2, &[], 1),
    ];
    for (trace, valid, removed, violations) in cases {
        let (property, vocabulary) = compiled(&lifestate(&BUTTON));
        let found = validated(&property, &vocabulary, &lines(trace));
        let reasons: Vec<(usize, Option<u32>)> = found[0]
            .refutation
            .iter()
            .flat_map(|it| &it.removed_by)
            .map(|it| match it {
                Reason::Rule(rule, since) => (*rule, since.and_then(|it| line_of(it.site))),
                Reason::Inconsistent(..) => panic!("these rules never contradict each other"),
            })
            .collect();
        assert_eq!(
            (found[0].valid, &reasons[..], found[0].violations),
            (valid, removed, violations),
            "{trace}"
        );
    }
}

#[test]
fn a_model_that_contradicts_itself_permits_nothing() {
    let (property, vocabulary) = compiled(&lifestate(&["_*; ci f() |- cb a(x)", "_*; ci f() |+ cb a(1)"]));
    let found = validated(&property, &vocabulary, &lines("cb other(); ci f(); ciret f(); cb a(1)"));
    assert_eq!(found[0].valid, 2);
    let removed = &found[0].refutation.as_ref().expect("it is refuted").removed_by;
    assert_eq!(removed[..], [Reason::Inconsistent(1, 0)]);
}

/// A message, the poll of a task, and a join, of what is built in.
const BUILT_IN: [&str; 5] = [
    "true |- ciret recv(_, c, n)",
    "_*; ci send(_, c, n) |+ ciret recv(_, c, n)",
    "_*; cb poll(t) |- cb poll(t)",
    "_*; cbret ::suspend = poll(t) |+ cb poll(t)",
    "true |- ci release(t, l)",
];

#[test]
fn built_in_events_are_messages_by_which_way_they_go() {
    let (sent, received) = (
        r#"{"e":"send","a":{"t":"ann","c":"box","n":1}}"#,
        r#"{"e":"recv","a":{"t":"bob","c":"box","n":1}}"#,
    );
    let (polled, suspended, finished) = (
        r#"{"e":"poll","a":{"t":"ann"}}"#,
        r#"{"e":"suspend","a":{"t":"ann"}}"#,
        r#"{"e":"finish","a":{"t":"ann"}}"#,
    );
    let released = r#"{"e":"release","a":{"t":"ann","l":"till"}}"#;
    let (property, _) = compiled(&lifestate(&BUILT_IN));
    let named: BTreeSet<&str> = property.alphabet().iter().map(|it| it.signature().name).collect();
    assert_eq!(named, BTreeSet::from(["finish", "panic", "poll", "recv", "release", "send", "suspend"]));
    assert_eq!(property.own_events(), BTreeSet::new());
    // The lines, how many messages they have, how many of them are valid, and violations.
    let cases: [(&[&str], u64, u64, u64); 6] = [
        (&[sent, received], 2, 2, 0),
        (&[received, sent], 2, 0, 0),
        (&[polled, suspended, polled], 3, 3, 0),
        (&[polled, finished, polled], 3, 2, 0),
        // What no rule speaks of is none.
        (&[r#"{"e":"acquire","a":{"t":"ann","l":"till"}}"#, sent], 1, 1, 0),
        (&[sent, released], 2, 2, 1),
    ];
    for (trace, messages, valid, violations) in cases {
        let (property, vocabulary) = compiled(&lifestate(&BUILT_IN));
        let found = validated(&property, &vocabulary, &trace.join("\n"));
        let of_unit = &found[0];
        assert_eq!(
            (of_unit.messages, of_unit.valid, of_unit.violations),
            (messages, valid, violations),
            "{trace:?}"
        );
        let (verdict, _) = monitored(&property, &vocabulary, &trace.join("\n"));
        assert_eq!(verdict == Verdict::Violated, violations > 0, "{trace:?}");
    }
}
