//! Formulas that are stepped event by event against the meaning of the language, and against the tables that decide the others
//! at the end.

use std::collections::BTreeSet;
use std::fmt;

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::engine::Options;
use rvcheck_spec::ltl::record::Recording;
use rvcheck_spec::ltl::view::View;
use rvcheck_spec::ltl::{Ltl, meaning};
use rvcheck_spec::{
    Limits, Monitor, Property, PropertySource, UnitEnd, Verdict, Verdicts, Vocabulary, compile,
};

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
    match compile(&source, &Vocabulary::default()) {
        (Some(Property::Ltl(ltl)), _) => Some(Text(source, ltl)),
        _ => None,
    }
}

/// What quantifiers can stand in front, and the variables that they bind.
const PREFIXES: [(&str, &[&str]); 14] = [
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
];

/// Atoms, and the variables that they need.
const ATOMS: [(&str, &[&str]); 26] = [
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
                    "x" => "(waits(_, x) -> true) && ",
                    _ => "(send(_, _, n) -> true) && ",
                })
                .collect();
            text(format!("{prefix}{uses}({body})"), kind == 0, kind == 1)
        })
}

fn event(kind: EventKind, flags: u8, unit: u32, task: u32, object: u32, number: u64) -> Event {
    Event {
        kind,
        flags,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(unit),
        site: SiteId(1),
        object,
        number,
        time: 0,
        ns: 0,
        cpu: 0,
    }
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
        meaning::satisfies(ltl, &View::new(ltl, positions, &world))
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
    ProptestConfig { cases: default.cases.max(1500), failure_persistence: None, ..default }
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
}
