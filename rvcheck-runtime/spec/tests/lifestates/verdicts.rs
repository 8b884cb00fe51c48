//! What lifestates say of traces: rules, a trace, the verdict, and the messages that violate it, counted from 1.

use rvcheck_event::log::line_of;
use rvcheck_spec::Verdict;

use super::{compiled, lifestate, lines, monitored};

/// What the pages of tower say of a service.
pub(crate) const SERVICE: [&str; 3] = [
    "true |- ci Service::call(s)",
    "_*; ciret ::Ready = Service::poll_ready(s) |+ ci Service::call(s)",
    "_*; ci Service::call(s) |- ci Service::call(s)",
];

type Case = (&'static [&'static str], &'static str, Verdict, &'static [u32]);

const READY: &str = "ciret Ready = Service::poll_ready(1)";

fn cases() -> Vec<Case> {
    use Verdict::{Held, NotExercised, Violated};
    vec![
        // A service is called when it is ready, and once.
        (&SERVICE, "ciret Ready = Service::poll_ready(1); ci Service::call(1)", Held, &[]),
        (&SERVICE, "ci Service::call(1)", Violated, &[1]),
        (&SERVICE, "ciret Pending = Service::poll_ready(1); ci Service::call(1)", Violated, &[2]),
        (&SERVICE, "ciret Ready = Service::poll_ready(1); ci Service::call(2)", Violated, &[2]),
        (
            &SERVICE,
            "ciret Ready = Service::poll_ready(1); ci Service::call(1); cb other(); ci Service::call(1)",
            Violated,
            &[4],
        ),
        // Nothing of it happens.
        (&SERVICE, "ci other(1)", NotExercised, &[]),
        (&SERVICE, "", NotExercised, &[]),
        // A call that the library refuses is a violation in itself, and a call.
        (&SERVICE, "ciret Ready = Service::poll_ready(1); dis ci Service::call(1)", Violated, &[2]),
        (&["_*; ci f() |- ci g()"], "dis ci f(); ci g()", Violated, &[1, 2]),
        // A regex is about the whole history.
        (&["ci f() |- ci g()"], "ci f(); ci g()", Violated, &[2]),
        (&["ci f() |- ci g()"], "ci h(); ci f(); ci g()", Held, &[]),
        // Messages of which no rule speaks are messages, too.
        (&["_; _ |- ci g()"], "ci h(); cb k(7); ci g()", Violated, &[3]),
        // What is prohibited stays so until it is permitted.
        (
            &["ci f() |- ci g()", "_*; ci p() |+ ci g()"],
            "ci f(); ci f(); ci g(); ci p(); ci g()",
            Violated,
            &[3],
        ),
        // A variable that is only in the message is every value, also one that comes later.
        (&["_*; ci stop() |- ci f(x)"], "ci f(1); ci stop(); ci f(1); ci f(2)", Violated, &[3, 4]),
        // A value that comes later has the same history.
        (&["!(_*; ci open(x); _*) |- ci use(x)", "_*; ci open(x) |+ ci use(x)"], "ci use(1)", Violated, &[1]),
        (
            &["!(_*; ci open(x); _*) |- ci use(x)", "_*; ci open(x) |+ ci use(x)"],
            "ci open(1); ci use(1); ci use(2)",
            Violated,
            &[3],
        ),
        // Variables that are only in the history: some value will do.
        (
            &["_*; ci lock(l) ; (!(_*; ci unlock(l); _*)) |- ci sleep()"],
            "ci lock(1); ci lock(2); ci unlock(1); ci sleep()",
            Violated,
            &[4],
        ),
        (
            &["_*; ci lock(l) ; (!(_*; ci unlock(l); _*)) |- ci sleep()", "_*; ci unlock(_) |+ ci sleep()"],
            "ci lock(1); ci unlock(1); ci sleep()",
            Held,
            &[],
        ),
        // Where rules contradict each other, everything is prohibited, also what no rule speaks of.
        (
            &["_*; ci f() |- ci g(x)", "_*; ci f() |+ ci g(1)"],
            "ci h(); ci f(); ci h(); ci g(2)",
            Violated,
            &[3, 4],
        ),
        (&["_*; ci f() |- ci g(2)", "_*; ci f() |+ ci g(1)"], "ci f(); ci h(); ci g(1)", Held, &[]),
        // Permitting what was not prohibited says that it stays so.
        (
            &["_*; ci f() |- ci g(x)", "_*; ci f(); ci k(x) |+ ci g(x)"],
            "ci f(); ci k(1); ci g(1); ci g(2)",
            Violated,
            &[4],
        ),
        // The return of a callback goes into the library.
        (&["true |- cbret Err = f()"], "cb f(); cbret Ok = f(); cbret Err = f()", Violated, &[3]),
        // Back-messages are no violations, whatever the rules say.
        (&["true |- cb f()"], "cb f()", Held, &[]),
    ]
}

#[test]
fn each_trace_has_its_verdict_and_its_violations() {
    for (rules, trace, verdict, places) in cases() {
        let (property, vocabulary) = compiled(&lifestate(rules));
        let (found, violations) = monitored(&property, &vocabulary, &lines(trace));
        let at = |it: &rvcheck_spec::Violation| {
            it.witness.iter().last().and_then(|it| line_of(it.site)).expect("each has an event")
        };
        let found_at: Vec<u32> = violations.iter().map(at).collect();
        assert_eq!((found, &found_at[..]), (verdict, places), "{rules:#?}\n{trace}");
    }
}

#[test]
fn a_violation_says_which_rule_prohibits_it_and_since_which_message() {
    let cases: [(&[&str], &str, usize, Option<u32>); 6] = [
        (&SERVICE, "ci Service::call(1)", 0, None),
        (
            &SERVICE,
            "ci other(); ciret Ready = Service::poll_ready(1); ci Service::call(1); ci x(); ci Service::call(1)",
            2,
            Some(3),
        ),
        // It has been so for long.
        (&["_*; ci f(); _* |- ci g()"], "ci h(); ci f(); ci h(); ci f(); ci g()", 0, Some(2)),
        (&["_*; ci f(x); _* |- ci g(x)"], "ci f(1); ci f(2); ci h(); ci f(1); ci g(1)", 0, Some(1)),
        // No rule prohibits a call that is refused, or two contradict each other.
        (&["ci f() |- ci g()"], "dis ci g()", 1, None),
        (&["_*; ci f() |- ci g(x)", "_*; ci f() |+ ci g(1)"], "ci f(); ci h()", 3, None),
    ];
    for (rules, trace, state, since) in cases {
        let (property, vocabulary) = compiled(&lifestate(rules));
        let (_, violations) = monitored(&property, &vocabulary, &lines(trace));
        let violation = &violations[0];
        let events: Vec<u32> = violation.witness.iter().filter_map(|it| line_of(it.site)).collect();
        let found = (violation.state, (events.len() > 1).then(|| events[0]));
        assert_eq!(found, (state, since), "{trace}");
    }
}

#[test]
fn tests_have_histories_of_their_own() {
    let (property, vocabulary) = compiled(&lifestate(&SERVICE));
    let trace = format!("a@ {READY}; b@ ci Service::call(1); a@ ci Service::call(1)");
    let (_, violations) = monitored(&property, &vocabulary, &lines(&trace));
    assert_eq!(violations.len(), 1);
}
