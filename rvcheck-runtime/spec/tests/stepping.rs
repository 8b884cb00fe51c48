//! Formulas that are stepped event by event against the meaning of the language, and against the tables that decide the others
//! at the end.

mod kit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_oracles::formulas;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::evaluation::tables::record::Recording;
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::{Limits, Ltl, Monitor, Outlook, PropertySource, UnitEnd, Verdict, Verdicts};

/// A formula, shown as its text.
#[derive(Clone)]
struct Text(PropertySource, Ltl);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PropertySource { formula, scope, steps, .. } = &self.0;
        write!(f, "{} {scope:?} {steps:?}", formula.as_deref().unwrap_or_default())
    }
}

fn text(formula: String, process: bool, slice: bool) -> Option<Text> {
    let source = PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula),
        scope: process.then(|| "process".to_owned()),
        steps: slice.then(|| "slice".to_owned()),
        ..PropertySource::default()
    };
    kit::try_ltl(&source).map(|ltl| Text(source, ltl))
}

/// What quantifiers can stand in front, and the variables that they bind.
const PREFIXES: [(&str, &[&str]); 16] = [
    ("", &[]),
    ("forall t: task . ", &["t"]),
    ("exists t: task . ", &["t"]),
    ("forall l: lock . ", &["l"]),
    ("forall t: task, l: lock . ", &["t", "l"]),
    ("exists t: task, l: lock . ", &["t", "l"]),
    ("forall t: task, u: task where t != u . ", &["t", "u"]),
    ("exists t: task, u: task where t != u . ", &["t", "u"]),
    ("forall t: task . exists u: task where t != u . ", &["t", "u"]),
    ("exists t: task . forall l: lock . ", &["t", "l"]),
    ("forall t: task, u: task, l: lock where t != u . ", &["t", "u", "l"]),
    ("forall t: task . exists l: lock . forall u: task . ", &["t", "u", "l"]),
    ("forall t: task, u: task where t == u || !(t != u) . ", &["t", "u"]),
    ("forall x: any, n: int . ", &["x", "n"]),
    ("forall t: task, u: task, l: lock, m: lock where t != u && l != m . ", &["t", "u", "l", "m"]),
    ("forall t: task, u: task . exists l: lock, m: lock where l != m . ", &["t", "u", "l", "m"]),
];

/// Atoms, and the variables that they need.
const ATOMS: [(&str, &[&str]); 32] = [
    ("poll(_)", &[]),
    ("acquire(_, _)", &[]),
    ("true", &[]),
    ("holds(_, _)", &[]),
    ("running(_)", &[]),
    ("poll(t)", &["t"]),
    ("finish(t)", &["t"]),
    ("acquire(t, _)", &["t"]),
    ("holds(t, _)", &["t"]),
    ("running(t)", &["t"]),
    ("in_async(t)", &["t"]),
    ("acquire(t, _, mode = ::read)", &["t"]),
    ("spawn(t, _)", &["t"]),
    ("acquire(_, l)", &["l"]),
    ("holds(_, l)", &["l"]),
    ("event release(_, l)", &["l"]),
    ("acquire(t, l)", &["t", "l"]),
    ("release(t, l)", &["t", "l"]),
    ("holds(t, l)", &["t", "l"]),
    ("spawn(t, u)", &["t", "u"]),
    ("spawn(u, t)", &["t", "u"]),
    ("poll(u)", &["u"]),
    ("[t == u]", &["t", "u"]),
    ("holds(u, l)", &["u", "l"]),
    ("acquire(u, l)", &["u", "l"]),
    ("holds(u, m)", &["u", "m"]),
    ("acquire(t, m)", &["t", "m"]),
    ("acquire(u, m)", &["u", "m"]),
    ("(acquire(t, m) && holds(t, l))", &["t", "l", "m"]),
    ("waits(_, x)", &["x"]),
    ("send(_, _, n)", &["n"]),
    ("(send(_, x, n) if (n != 1))", &["x", "n"]),
];

fn body(variables: &'static [&'static str]) -> impl Strategy<Value = String> {
    let atoms: Vec<&str> = ATOMS
        .iter()
        .filter(|(_, needs)| needs.iter().all(|it| variables.contains(it)))
        .map(|(atom, _)| *atom)
        .collect();
    let inner = prop::sample::select(vec![
        "(forall v: task . poll(v) || !finish(v))",
        "(exists v: task where v == v . poll(v))",
        "(exists m: lock . acquire(_, m) && !holds(_, m))",
    ]);
    let atom = prop::sample::select(atoms).prop_map(str::to_owned);
    let leaf = prop_oneof![12 => atom, 1 => inner.prop_map(str::to_owned)];
    leaf.prop_recursive(4, 9, 2, |inner| {
        let unary =
            prop::sample::select(vec!["!", "!", "X ", "WX ", "Y ", "F ", "G ", "F ", "G ", "O ", "H "]);
        let binary = prop::sample::select(vec!["&&", "||", "->", "<->", "U", "W", "R", "S"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, it)| format!("{op}({it})")),
            (inner.clone(), binary, inner).prop_map(|(l, op, r)| format!("({l}) {op} ({r})")),
        ]
    })
}

/// A random formula in which no variable is unused.
fn formula() -> impl Strategy<Value = Text> {
    (0..PREFIXES.len(), 0..8_usize)
        .prop_flat_map(|(prefix, kind)| (Just(prefix), Just(kind), body(PREFIXES[prefix].1)))
        .prop_filter_map("it is no formula", |(prefix, kind, body)| {
            let (prefix, variables) = PREFIXES[prefix];
            let uses: String = variables
                .iter()
                .map(|it| match *it {
                    "t" => "(poll(t) -> true) && ",
                    "u" => "(poll(u) -> true) && ",
                    "l" => "(acquire(_, l) -> true) && ",
                    "m" => "(acquire(_, m) -> true) && ",
                    "x" => "(waits(_, x) -> true) && ",
                    _ => "(send(_, _, n) -> true) && ",
                })
                .collect();
            text(format!("{prefix}{uses}({body})"), kind == 0, kind == 1)
        })
}

fn event(kind: EventKind, flags: u8, unit: u32, task: u32, object: u32, number: u64) -> Event {
    Event { flags, unit: UnitId(unit), number, ..kit::event(kind, task, object) }
}

fn trace(length: usize) -> impl Strategy<Value = Vec<Event>> {
    let kinds = vec![
        EventKind::Poll,
        EventKind::Poll,
        EventKind::Finish,
        EventKind::Acquire,
        EventKind::Acquire,
        EventKind::Release,
        EventKind::Spawn,
        EventKind::Request,
        EventKind::Send,
    ];
    let one = (prop::sample::select(kinds), 0..2_u8, 1..3_u32, 1..4_u32, 1..4_u32, 0..3_u64);
    prop::collection::vec(one, 0..length).prop_map(|events| {
        let mut events: Vec<Event> = events
            .into_iter()
            .map(|(kind, flags, unit, task, object, number)| event(kind, flags, unit, task, object, number))
            .collect();
        for (at, event) in events.iter_mut().enumerate() {
            event.time = at as u64;
        }
        events
    })
}

fn run(ltl: &Ltl, events: &[Event], ends: &[(u32, UnitEnd)], options: Options) -> Verdicts {
    let world = World::default();
    let mut monitor = Monitor::with(vec![ltl.clone()], Limits::DEFAULT, options);
    for event in events {
        monitor.step(event, &world);
    }
    for (unit, end) in ends {
        monitor.end_of_unit(UnitId(*unit), *end);
    }
    monitor.finish(&world)
}

const COMPLETE: [(u32, UnitEnd); 3] =
    [(0, UnitEnd::Complete), (1, UnitEnd::Complete), (2, UnitEnd::Complete)];

/// Whether each unit satisfies the formula, by the meaning.
fn meant(ltl: &Ltl, events: &[Event]) -> Vec<(UnitId, bool)> {
    let mut recording = Recording::new([ltl], usize::MAX);
    for event in events {
        recording.push(event, &World::default());
    }
    let world = World::default();
    let process = ltl.scope == rvcheck_spec::Scope::Process;
    let units: &[u32] = if process { &[0] } else { &[0, 1, 2] };
    let of_unit = |unit: u32| {
        let all = recording.positions().iter();
        let positions = all.filter(|it| process || it.event.unit == UnitId(unit)).collect();
        formulas::satisfies(ltl, &View::new(ltl, positions, &world))
    };
    units.iter().map(|unit| (UnitId(*unit), of_unit(*unit))).collect()
}

/// What has to be the same however a formula is decided: by unit the verdict, and the counts.
fn counts(verdicts: &Verdicts) -> Vec<(UnitId, Verdict, u64, u64, u64, bool)> {
    let units = verdicts.properties[0].units.iter();
    units
        .map(|it| (it.unit, it.verdict, it.bindings, it.violated, it.bindings_exercised, it.exercised))
        .collect()
}

fn broken(verdicts: &Verdicts) -> BTreeSet<(UnitId, Vec<Value>)> {
    verdicts.violations.iter().map(|it| (it.unit, it.binding.clone())).collect()
}

/// `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(300), failure_persistence: None, ..default }
}

/// Kills each object after the last event that can speak of it. Tasks can be told to abort when they are dead, but no formula
/// here says so.
fn run_with_deaths(ltl: &Ltl, events: &[Event]) -> (Verdicts, usize) {
    let world = World::default();
    let mut last = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        for index in 0..event.kind.signature().params.len() {
            if let Value::Object(sort, id) = event.argument(index) {
                last.insert((sort, id), at);
            }
        }
    }
    let mut monitor = Monitor::with(vec![ltl.clone()], Limits::DEFAULT, Options::ALL);
    for (at, event) in events.iter().enumerate() {
        monitor.step(event, &world);
        monitor.collect(last.iter().filter(|(_, end)| **end == at).map(|(object, _)| *object));
    }
    for (unit, end) in COMPLETE {
        monitor.end_of_unit(UnitId(unit), end);
    }
    let alive = monitor.instances();
    (monitor.finish(&world), alive)
}

const TABLES: Options = Options { step: false, ..Options::ALL };

proptest! {
    #![proptest_config(config())]

    #[test]
    fn stepping_agrees_with_the_meaning_and_counts_as_the_tables_do(ltl in formula(), events in trace(14)) {
        let found = run(&ltl.1, &events, &COMPLETE, Options::ALL);
        let wanted = run(&ltl.1, &events, &COMPLETE, TABLES);
        prop_assert_eq!(&found.properties[0].fault, &None);
        prop_assert_eq!(counts(&found), counts(&wanted));
        prop_assert_eq!(broken(&found), broken(&wanted));
        for (unit, holds) in meant(&ltl.1, &events) {
            let verdict = found.properties[0].units.iter().find(|it| it.unit == unit).map(|it| it.verdict);
            let beside = unit == UnitId(0) && ltl.1.scope == rvcheck_spec::Scope::Test;
            prop_assert!(beside || (verdict != Some(Verdict::Violated)) == holds, "{:?} {:?}", unit, verdict);
        }
    }

    #[test]
    fn no_optimisation_changes_a_verdict_or_a_count(ltl in formula(), events in trace(14)) {
        let wanted = run(&ltl.1, &events, &COMPLETE, Options::ALL);
        let without = [
            Options { index: false, ..Options::ALL },
            Options { minimal: false, ..Options::ALL },
            Options { rejoin: false, ..Options::ALL },
            Options { watch: false, ..Options::ALL },
            Options { index: false, rejoin: false, watch: false, ..Options::ALL },
        ];
        for options in without {
            let found = run(&ltl.1, &events, &COMPLETE, options);
            prop_assert_eq!(counts(&found), counts(&wanted), "{:?}", options);
            prop_assert_eq!(broken(&found), broken(&wanted));
        }
        let (found, _) = run_with_deaths(&ltl.1, &events);
        prop_assert_eq!(counts(&found), counts(&wanted));
        prop_assert_eq!(broken(&found), broken(&wanted));
    }

    #[test]
    fn what_is_certain_while_a_unit_goes_on_stays_so(ltl in formula(), events in trace(10)) {
        let world = World::default();
        let mut monitor = Monitor::new(vec![ltl.1.clone()]);
        let process = ltl.1.scope == rvcheck_spec::Scope::Process;
        let units: &[u32] = if process { &[0] } else { &[1, 2] };
        let mut certain: BTreeMap<u32, bool> = BTreeMap::new();
        for length in 0..=events.len() {
            if length > 0 {
                monitor.step(&events[length - 1], &world);
            }
            let meant: BTreeMap<UnitId, bool> = meant(&ltl.1, &events[..length]).into_iter().collect();
            for unit in units {
                let now = monitor.outlook(0, UnitId(*unit), &world).expect("nothing stopped it");
                let holds = meant[&UnitId(*unit)];
                prop_assert_eq!(now >= Outlook::PresumablyTrue, holds, "{:?} after {}", now, length);
                if let Some(known) = certain.get(unit) {
                    prop_assert_eq!(now, if *known { Outlook::True } else { Outlook::False });
                }
                if matches!(now, Outlook::True | Outlook::False) {
                    certain.insert(*unit, holds);
                }
            }
        }
    }

    #[test]
    fn a_unit_that_was_cut_is_violated_where_the_tables_are_sure_of_it(ltl in formula(), events in trace(12)) {
        let cut = [(0, UnitEnd::Cut), (1, UnitEnd::Cut), (2, UnitEnd::Complete)];
        let verdicts = |options| {
            let verdicts = run(&ltl.1, &events, &cut, options);
            let units = verdicts.properties[0].units.iter();
            units.map(|it| (it.unit, it.verdict)).collect::<BTreeMap<_, _>>()
        };
        let (found, wanted) = (verdicts(Options::ALL), verdicts(TABLES));
        for (unit, verdict) in wanted {
            let found = found[&unit];
            // An automaton knows more than a table.
            let sooner = verdict == Verdict::Inconclusive && found == Verdict::Violated;
            prop_assert!(found == verdict || sooner, "{:?}: {:?} and {:?}", unit, found, verdict);
        }
    }
}

#[test]
fn what_is_broken_for_some_bindings_stays_when_its_objects_are_dead() {
    let formulas = [
        "forall t: task, u: task where !(t != u) . \
         (poll(t) -> true) && (poll(u) -> true) && !([t == u] && spawn(t, _))",
        "forall t: task, u: task . (poll(t) -> true) && (poll(u) -> true) && ([t == u] || !spawn(t, _))",
    ];
    let events = [event(EventKind::Spawn, 0, 1, 1, 2, 0)];
    for (formula, slice) in formulas.into_iter().flat_map(|it| [(it, true), (it, false)]) {
        let ltl = text(formula.to_owned(), false, slice).expect("it is a formula").1;
        let (found, _) = run_with_deaths(&ltl, &events);
        assert_eq!(counts(&found), counts(&run(&ltl, &events, &COMPLETE, TABLES)), "{formula} {slice}");
        assert_eq!(found.properties[0].units[1].verdict, Verdict::Violated, "{formula} {slice}");
    }
}

#[test]
fn instances_of_formulas_go_with_their_objects() {
    let text = text("forall l: lock . G (request(_, l) -> F acquire(_, l))".to_owned(), false, false);
    let ltl = text.expect("it is a formula").1;
    let events: Vec<Event> = (1..5000)
        .flat_map(|lock| {
            let kinds = [EventKind::Request, EventKind::Acquire];
            kinds.map(|kind| event(kind, 0, 1, 1, lock, 0))
        })
        .collect();
    let (verdicts, alive) = run_with_deaths(&ltl, &events);
    assert_eq!(alive, 0);
    assert_eq!(verdicts.properties[0].units[1].bindings_exercised, 4999);
}

/// Lock reversal by held locks, in general and for these.
const REVERSAL: &str = "forall t: task, u: task, a: lock, b: lock where t != u && a != b .
    G !(acquire(t, b) && holds(t, a)) || G !(acquire(u, a) && holds(u, b))";

/// Tasks in turn take two locks, one in the other, and release them.
fn nested(pairs: impl Iterator<Item = (u32, u32, u32)>) -> Vec<Event> {
    let of_pair = |(task, outer, inner)| {
        let of = |kind, lock| event(kind, 0, 1, task, lock, 0);
        let (take, give) = (EventKind::Acquire, EventKind::Release);
        [of(take, outer), of(take, inner), of(give, inner), of(give, outer)]
    };
    pairs.flat_map(of_pair).collect()
}

#[test]
fn instances_of_locks_that_are_released_go_again() {
    let ltl = text(REVERSAL.to_owned(), false, false).expect("it is a formula").1;
    let ascending = (1..6).flat_map(|task| (1..7).flat_map(move |a| (a + 1..8).map(move |b| (task, a, b))));
    let reversed = nested(ascending.clone().chain([(9, 5, 2)]));
    let mut counted = Vec::new();
    for options in [Options::ALL, Options { rejoin: false, ..Options::ALL }] {
        let world = World::default();
        let mut monitor = Monitor::with(vec![ltl.clone()], Limits::DEFAULT, options);
        for event in &nested(ascending.clone()) {
            monitor.step(event, &world);
        }
        counted.push(monitor.instances());
        let verdicts = run(&ltl, &reversed, &COMPLETE, options);
        assert_eq!(verdicts.properties[0].units[1].violated, 10, "{options:?}");
    }
    // For each of the five tasks and 21 pairs of locks: it took the one while it held the other, as either of both tasks.
    assert_eq!(counted[0], 2 * 5 * 21);
    assert!(counted[1] > 1000, "{counted:?}");
}

#[test]
fn the_first_exists_has_a_witness() {
    let text = text("exists t: task, l: lock . F acquire(t, l) && G !finish(t)".to_owned(), false, false);
    let ltl = text.expect("it is a formula").1;
    let acquire = |task, lock| event(EventKind::Acquire, 0, 1, task, lock, 0);
    let events = [acquire(1, 7), event(EventKind::Finish, 0, 1, 1, 0, 0), acquire(2, 8)];
    let verdicts = run(&ltl, &events, &COMPLETE, Options::ALL);
    let unit = verdicts.properties[0].units.iter().find(|it| it.unit == UnitId(1)).expect("it had events");
    let value = Value::Object;
    assert_eq!(unit.witness, [value(Sort::Task, 2), value(Sort::Lock, 8)]);
}

#[test]
fn no_object_to_come_saves_a_cut_unit_that_is_lost() {
    let poll = |task| event(EventKind::Poll, 0, 1, task, 0, 0);
    let finish = |task| event(EventKind::Finish, 0, 1, task, 0, 0);
    let cases = [
        ("poll(_) U (exists v: task where v == v . poll(v) && poll(_))", finish(1), Verdict::Violated),
        ("poll(_) U (exists v: task where v == v . poll(v) && poll(_))", poll(1), Verdict::Held),
        // The next event can be the finish of a task that is not seen so far.
        ("exists t: task, u: task where t != u . poll(t) && F finish(u)", poll(1), Verdict::Inconclusive),
        ("exists t: task, u: task where t != u . poll(t) && F finish(u)", finish(1), Verdict::Violated),
        (
            "forall t: task . exists u: task where t != u . G !poll(t) || F finish(u)",
            poll(1),
            Verdict::Inconclusive,
        ),
    ];
    for (formula, only, wanted) in cases {
        let ltl = text(formula.to_owned(), false, false).expect("it is a formula").1;
        let end = if wanted == Verdict::Held { UnitEnd::Complete } else { UnitEnd::Cut };
        let verdicts = run(&ltl, &[only], &[(1, end)], Options::ALL);
        assert_eq!(verdicts.properties[0].units[0].verdict, wanted, "{formula}");
    }
}
