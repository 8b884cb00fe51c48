//! Formulas and traces for tests: from texts, and random ones.

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;
use rvcheck_spec::ltl::Ltl;
use rvcheck_spec::ltl::record::{Position, Recording};
use rvcheck_spec::{Property, PropertySource, Vocabulary, compile};

pub(crate) fn source(formula: &str) -> PropertySource {
    PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula.to_owned()),
        ..PropertySource::default()
    }
}

pub(crate) fn ltl_of(source: &PropertySource) -> Ltl {
    match compile(source, &Vocabulary::default()) {
        (Some(Property::Ltl(ltl)), _) => ltl,
        (_, problems) => panic!("{:?}: {problems:?}", source.formula),
    }
}

pub(crate) fn ltl(formula: &str) -> Ltl {
    ltl_of(&source(formula))
}

pub(crate) fn event(kind: EventKind, flags: u8, task: u32, object: u32) -> Event {
    Event {
        kind,
        flags,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(1),
        object,
        number: 1,
        time: 0,
        ns: 0,
        cpu: 0,
    }
}

pub(crate) fn number_times(events: &mut [Event]) {
    for (at, event) in events.iter_mut().enumerate() {
        event.time = 10 * at as u64;
    }
}

pub(crate) fn recorded(ltl: &Ltl, events: &[Event]) -> Vec<Position> {
    let mut recording = Recording::new([ltl], usize::MAX);
    for event in events {
        recording.push(event, &World::default());
    }
    recording.positions().to_vec()
}

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
        let mut events: Vec<Event> =
            events.into_iter().map(|(kind, flags, task, object)| event(kind, flags, task, object)).collect();
        number_times(&mut events);
        events
    })
}
