//! The engine against the reference, on random automata and random traces, with each optimisation on and off.

mod kit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::world::World;
use rvcheck_oracles::automata;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{
    Automaton, Limits, Monitor, Part, PropertySource, UnitEnd, Verdicts, Violation, compile_automaton,
};

/// What a random pattern can be about: the event, and what may stand in its positions.
const PATTERNS: [(&str, usize); 8] = [
    ("acquire", 2),
    ("release", 2),
    ("spawn", 2),
    ("join", 2),
    ("abort", 2),
    ("poll", 1),
    ("finish", 1),
    ("test_end", 1),
];

/// The parameters of random properties.
const PARAMS: [&[&str]; 6] = [
    &[],
    &["t: task"],
    &["l: lock"],
    &["t: task", "l: lock"],
    &["t: task", "u: task"],
    &["t: task", "u: task", "l: lock"],
];

fn argument(params: &[&str], event: &str, position: usize, choice: usize) -> String {
    let sort = match (event, position) {
        ("acquire" | "release", 1) => "lock",
        ("test_end", _) => "test",
        _ => "task",
    };
    let fitting: Vec<&str> = params
        .iter()
        .filter_map(|param| param.split_once(": "))
        .filter(|(_, it)| *it == sort)
        .map(|it| it.0)
        .collect();
    // Mostly a parameter, sometimes anything.
    match fitting.as_slice() {
        [] => "_".to_owned(),
        names => names.get(choice % (names.len() + 1)).map_or("_", |name| name).to_owned(),
    }
}

prop_compose! {
    fn transition(params: &'static [&'static str])(
        from in 0..4_usize,
        to in 0..6_usize,
        pattern in 0..PATTERNS.len(),
        choices in [0..6_usize, 0..6_usize],
        extra in 0..4_usize,
        action in 0..4_usize,
    ) -> String {
        let (name, arity) = PATTERNS[pattern];
        let mut arguments: Vec<_> = (0..arity).map(|at| argument(params, name, at, choices[at])).collect();
        if name == "acquire" && extra % 2 == 0 {
            arguments.push(if extra == 0 { "mode = ::read".to_owned() } else { "mode = ::write".to_owned() });
        }
        let guard = match extra { 1 => " [n < 2]", 2 => " [n >= 2]", _ => "" };
        let action = match action { 0 => " / n = n + 1", 1 => " / n = 0", _ => "" };
        format!("s{from} -- {name}({}){guard}{action} --> s{to}", arguments.join(", "))
    }
}

/// A random property, shown as its source.
#[derive(Clone)]
struct Random(Automaton, PropertySource);

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:#?}", self.1.scope, self.1.params, self.1.transitions)
    }
}

/// A property whose transitions clash in no way that is visible. s0 is the first state, s4 bad, s5 good, s3 bad at the
/// end.
fn property() -> impl Strategy<Value = Random> {
    (0..PARAMS.len(), any::<bool>())
        .prop_flat_map(|(params, process)| {
            (Just(PARAMS[params]), Just(process), prop::collection::vec(transition(PARAMS[params]), 3..14))
        })
        .prop_filter_map("nothing is left", |(params, process, transitions)| {
            let mut source = PropertySource {
                id: "random".to_owned(),
                logic: "automaton".to_owned(),
                scope: process.then(|| "process".to_owned()),
                params: params.iter().map(|it| (*it).to_owned()).collect(),
                vars: vec![("n".to_owned(), "0".to_owned())],
                initial: Some("s0".to_owned()),
                transitions,
                ..PropertySource::default()
            };
            loop {
                let mentioned = |state: &str| source.transitions.iter().any(|it| it.ends_with(state));
                source.bad = if mentioned("s4") { vec!["s4".to_owned()] } else { Vec::new() };
                source.good = if mentioned("s5") { vec!["s5".to_owned()] } else { Vec::new() };
                source.end_bad = if mentioned("s3") { vec!["s3".to_owned()] } else { Vec::new() };
                let (automaton, problems) = compile_automaton(&source);
                if let Some(automaton) = automaton {
                    return Some(Random(automaton, source));
                }
                let Part::Transition(wrong) = problems[0].part else { return None };
                source.transitions.remove(wrong);
            }
        })
}

prop_compose! {
    fn any_event(time: u64)(
        kind in prop::sample::select(vec![
            EventKind::Acquire, EventKind::Release, EventKind::Spawn, EventKind::Join, EventKind::Abort,
            EventKind::Poll, EventKind::Finish, EventKind::TestEnd,
        ]),
        read in 0..2_u8,
        unit in 0..2_u32,
        task in 0..4_u32,
        object in 0..4_u32,
    ) -> Event {
        Event { flags: read, unit: UnitId(unit), time, ..kit::event(kind, task, object) }
    }
}

fn trace() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(any_event(0), 0..60).prop_map(|mut events| {
        for (time, event) in events.iter_mut().enumerate() {
            event.time = time as u64;
        }
        events
    })
}

fn monitor(
    automaton: &Automaton,
    trace: &[Event],
    ends: &BTreeMap<UnitId, UnitEnd>,
    options: Options,
) -> Verdicts {
    let world = World::default();
    let mut monitor = Monitor::with(vec![automaton.clone()], Limits::DEFAULT, options);
    for event in trace {
        monitor.step(event, &world);
    }
    for (unit, end) in ends {
        monitor.end_of_unit(*unit, *end);
    }
    monitor.finish(&world)
}

/// Violations as a set, because the reference goes by unit and the engine by time.
fn sorted(verdicts: &Verdicts) -> Vec<Violation> {
    let mut violations = verdicts.violations.clone();
    violations.sort_by(|a, b| (a.unit, &a.binding).cmp(&(b.unit, &b.binding)));
    violations
}

fn ends(one: bool, two: bool) -> BTreeMap<UnitId, UnitEnd> {
    let end = |complete| if complete { UnitEnd::Complete } else { UnitEnd::Cut };
    BTreeMap::from([(UnitId(0), end(one)), (UnitId(1), end(two))])
}

/// `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: default.cases.max(1500),
        failure_persistence: None,
        max_local_rejects: u32::MAX,
        ..default
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_agrees_with_the_reference(
        Random(automaton, _) in property(), trace in trace(), one in any::<bool>(), two in any::<bool>(), index in any::<bool>(),
        listen in any::<bool>(),
    ) {
        let ends = ends(one, two);
        let wanted = automata::evaluate(&automaton, &trace, &ends, &World::default());
        let found = monitor(&automaton, &trace, &ends, Options { collect: false, index, listen, ..Options::ALL });
        if wanted.properties[0].fault.is_some() || found.properties[0].fault.is_some() {
            // An instance that never comes to exist can clash too, so the engine may see more clashes.
            prop_assert!(found.properties[0].fault.is_some());
            return Ok(());
        }
        prop_assert_eq!(sorted(&found), sorted(&wanted));
        prop_assert_eq!(&found.properties, &wanted.properties);
    }

    /// Kills every object after the last event that may speak of it: from there on only `abort` of a task.
    #[test]
    fn forgetting_instances_changes_no_verdict(Random(automaton, _) in property(), trace in trace()) {
        let ends = ends(true, true);
        let (world, mut last) = (World::default(), BTreeMap::new());
        for (at, event) in trace.iter().enumerate() {
            let shape = event.kind.signature().params;
            let second = shape.get(1).map(|(_, sort)| (*sort, event.object));
            let mentioned = if shape[0].1 == Sort::Task { Some((Sort::Task, event.task.0)) } else { None };
            for object in mentioned.into_iter().chain(second.filter(|_| event.kind != EventKind::Abort)) {
                last.insert(object, at);
            }
        }
        let mut forgetful = Monitor::with(vec![automaton.clone()], Limits::DEFAULT, Options::ALL);
        for (at, event) in trace.iter().enumerate() {
            forgetful.step(event, &world);
            forgetful.collect(last.iter().filter(|(_, end)| **end == at).map(|(object, _)| *object));
        }
        for (unit, end) in &ends {
            forgetful.end_of_unit(*unit, *end);
        }
        let found = forgetful.finish(&World::default());
        let wanted = monitor(&automaton, &trace, &ends, Options { collect: false, listen: false, ..Options::ALL });
        if wanted.properties[0].fault.is_some() || found.properties[0].fault.is_some() {
            return Ok(());
        }
        prop_assert_eq!(sorted(&found), sorted(&wanted));
        let verdicts = |it: &Verdicts| it.properties[0].units.iter().map(|it| (it.unit, it.verdict)).collect::<BTreeSet<_>>();
        prop_assert_eq!(verdicts(&found), verdicts(&wanted));
    }
}
