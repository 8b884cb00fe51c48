//! Random formulas and traces.

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::kind::EventKind;

use super::{event, number_times};

/// A random formula as text, with at most one variable of each name bound around it. Operators that can have intervals have
/// one of these.
pub(crate) fn formula(intervals: &[&'static str]) -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "true",
        "false",
        "poll(t)",
        "poll(u)",
        "poll(_)",
        "event acquire(t, l)",
        "acquire(_, l)",
        "release(u, _)",
        "acquire(t, l, mode = ::read)",
        "holds(t, l)",
        "holds(_, l)",
        "running(u)",
        "in_async(t)",
        "[t == u]",
        "acquire(t, _) if (t != u && !(t == t))",
    ]);
    let interval = prop::sample::select(intervals.to_vec());
    leaf.prop_map(str::to_owned).prop_recursive(4, 12, 2, move |inner| {
        let unary = prop::sample::select(vec!["!", "X ", "WX ", "Y "]);
        let wide = prop::sample::select(vec!["F", "G", "O", "H"]);
        let connective = prop::sample::select(vec!["&&", "||", "->", "<->"]);
        let temporal = prop::sample::select(vec!["U", "W", "R", "S"]);
        let quantifier = prop::sample::select(vec![
            "forall v: task . [v == t] || ",
            "exists v: task where v != u . poll(v) && ",
            "exists m: lock . holds(t, m) && ",
        ]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, it)| format!("{op}({it})")),
            (wide, interval.clone(), inner.clone()).prop_map(|(op, i, it)| format!("{op}{i} ({it})")),
            (inner.clone(), connective, inner.clone()).prop_map(|(l, op, r)| format!("({l}) {op} ({r})")),
            (inner.clone(), temporal, interval.clone(), inner.clone())
                .prop_map(|(l, op, i, r)| format!("({l}) {op}{i} ({r})")),
            (quantifier, inner).prop_map(|(q, it)| format!(
                "({q}({}))",
                it.replace("(v)", "(_)")
                    .replace("v: task", "w: task")
                    .replace("m: lock", "k: lock")
                    .replace("[v ==", "[w ==")
                    .replace("v != u", "w != u")
                    .replace("(t, m)", "(t, k)")
            )),
        ]
    })
}

pub(crate) fn events(length: usize) -> impl Strategy<Value = Vec<Event>> {
    let kinds =
        vec![EventKind::Poll, EventKind::Acquire, EventKind::Release, EventKind::Suspend, EventKind::Spawn];
    let one = (prop::sample::select(kinds), 0..2_u8, 1..4_u32, 1..3_u32);
    prop::collection::vec(one, 0..length).prop_map(|events| {
        let mut events: Vec<Event> = events
            .into_iter()
            .map(|(kind, flags, task, object)| Event { flags, ..event(kind, task, object) })
            .collect();
        number_times(&mut events);
        events
    })
}
