//! Formulas and traces as texts, for the tests that hold oracles against each other.

#![allow(dead_code, reason = "each test uses its part of the kit")]

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;
use rvcheck_spec::ltl::record::{Position, Recording};
use rvcheck_spec::ltl::view::View;
use rvcheck_spec::ltl::{Ltl, meaning};
use rvcheck_spec::{Monitor, Property, PropertySource, UnitEnd, Verdict, Vocabulary, compile};

/// The property of a formula; `None` where it is not one.
pub(crate) fn try_ltl(formula: &str) -> Option<Ltl> {
    let source = PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula.to_owned()),
        ..PropertySource::default()
    };
    match compile(&source, &Vocabulary::default()) {
        (Some(Property::Ltl(ltl)), _) => Some(ltl),
        _ => None,
    }
}

/// The property of a formula.
pub(crate) fn ltl(formula: &str) -> Ltl {
    try_ltl(formula).unwrap_or_else(|| panic!("{formula} is a formula"))
}

/// The event of this kind at this place of a trace. Events are 10 ns apart.
pub(crate) fn event(at: usize, kind: EventKind, task: u32, object: u32) -> Event {
    Event {
        kind,
        flags: 0,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(1),
        object,
        number: 1,
        time: 10 * at as u64,
        ns: 0,
        cpu: 0,
    }
}

/// A trace of a few words: `acquire 1 7` is `acquire(task 1, lock 7)`.
pub(crate) fn trace(script: &str) -> Vec<Event> {
    let lines = script.split(';').map(str::trim).filter(|it| !it.is_empty());
    let parsed = lines.enumerate().map(|(at, line)| {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let mut number = || words.next().map_or(0, |it| it.parse().expect("a number"));
        event(at, EventKind::of_name(name).expect("an event"), number(), number())
    });
    parsed.collect()
}

/// What formulas have to know of a trace.
pub(crate) fn recorded(ltl: &Ltl, events: &[Event]) -> Vec<Position> {
    let mut recording = Recording::new([ltl], usize::MAX);
    for event in events {
        recording.push(event, &World::default());
    }
    recording.positions().to_vec()
}

/// Does something with the view that a formula has of a trace.
pub(crate) fn with_view<T>(ltl: &Ltl, events: &[Event], run: impl FnOnce(&View<'_>) -> T) -> T {
    let positions = recorded(ltl, events);
    run(&View::new(ltl, positions.iter().collect(), &World::default()))
}

/// Whether the trace satisfies the formula, by the meaning.
pub(crate) fn satisfies(ltl: &Ltl, events: &[Event]) -> bool {
    with_view(ltl, events, |view| meaning::satisfies(ltl, view))
}

/// Whether the monitor is content with the whole trace.
pub(crate) fn monitored(ltl: &Ltl, events: &[Event]) -> bool {
    let world = World::default();
    let mut monitor = Monitor::new(vec![ltl.clone()]);
    for event in events {
        monitor.step(event, &world);
    }
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    monitor.finish(&world).properties[0].units.iter().all(|unit| unit.verdict != Verdict::Violated)
}
