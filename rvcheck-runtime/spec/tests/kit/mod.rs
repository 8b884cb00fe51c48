//! Formulas and traces as texts, for the tests that hold oracles against each other.

#![allow(dead_code, unused_imports, reason = "each test uses its part of the kit")]

mod event;
mod random;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;
use rvcheck_oracles::formulas;
use rvcheck_spec::evaluation::tables::record::{Position, Recording};
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::{Ltl, Monitor, Property, PropertySource, UnitEnd, Verdict, Vocabulary, compile};

pub(crate) use event::event;
pub(crate) use random::{events, formula};

/// What a file says of a formula.
pub(crate) fn source(formula: &str) -> PropertySource {
    PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula.to_owned()),
        ..PropertySource::default()
    }
}

/// The property of a formula; `None` where it is not one.
pub(crate) fn try_ltl(source: &PropertySource) -> Option<Ltl> {
    match compile(source, &Vocabulary::default()) {
        (Some(Property::Ltl(ltl)), _) => Some(ltl),
        _ => None,
    }
}

/// The property of what a file says.
pub(crate) fn ltl_of(source: &PropertySource) -> Ltl {
    try_ltl(source).unwrap_or_else(|| panic!("{:?} is a formula", source.formula))
}

/// The property of a formula.
pub(crate) fn ltl(formula: &str) -> Ltl {
    ltl_of(&source(formula))
}

/// Lets events be 10 ns apart.
pub(crate) fn number_times(events: &mut [Event]) {
    for (at, event) in events.iter_mut().enumerate() {
        event.time = 10 * at as u64;
    }
}

/// A trace of a few words: `acquire 1 7` is `acquire(task 1, lock 7)`. Events are 10 ns apart.
pub(crate) fn trace(script: &str) -> Vec<Event> {
    let lines = script.split(';').map(str::trim).filter(|it| !it.is_empty());
    let parsed = lines.map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let mut number = || words.next().map_or(0, |it| it.parse().expect("a number"));
        event(EventKind::of_name(name).expect("an event"), number(), number())
    });
    let mut events: Vec<Event> = parsed.collect();
    number_times(&mut events);
    events
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
    with_view(ltl, events, |view| formulas::satisfies(ltl, view))
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
