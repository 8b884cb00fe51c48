//! Events that automata emit: what the others make of them, and the engine against the reference.

mod kit;

use std::collections::BTreeMap;
use std::fmt;

use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::world::World;
use rvcheck_oracles::automata;
use rvcheck_spec::compilation::cycles;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{
    Automaton, EventSource, Fault, Limits, Monitor, Part, Property, PropertySource, UnitEnd, Verdict,
    Verdicts, Vocabulary, compile, examine,
};

const EVENTS: [(&str, &[&str]); 3] = [
    ("low", &["t: task", "n: int", "l: lock"]),
    ("mid", &["t: task", "s: str"]),
    ("high", &["t: task", "l: lock"]),
];

fn vocabulary(file: u32) -> Vocabulary {
    let mut vocabulary = Vocabulary::of_file(file);
    for (name, params) in EVENTS {
        let params = params.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(vocabulary.declare_event(&EventSource { name: name.to_owned(), params }), []);
    }
    vocabulary
}

fn source(params: &[&str], transitions: &[&str]) -> PropertySource {
    let mentions = |state: &str| transitions.iter().any(|it| it.ends_with(state));
    let states = |state: &str| if mentions(state) { vec![state.to_owned()] } else { Vec::new() };
    PropertySource {
        id: "p".to_owned(),
        logic: "automaton".to_owned(),
        params: params.iter().map(|it| (*it).to_owned()).collect(),
        vars: vec![("n".to_owned(), "0".to_owned()), ("b".to_owned(), "false".to_owned())],
        initial: Some("s0".to_owned()),
        bad: states("bad"),
        good: states("good"),
        end_bad: states("open"),
        transitions: transitions.iter().map(|it| (*it).to_owned()).collect(),
        ..PropertySource::default()
    }
}

fn automaton(source: &PropertySource, file: u32) -> Automaton {
    match compile(source, &vocabulary(file)) {
        (Some(Property::Automaton(it)), _) => it,
        (_, problems) => panic!("{problems:?}"),
    }
}

fn event(kind: EventKind, unit: u32, task: u32, object: u32, time: u64) -> Event {
    Event { unit: UnitId(unit), time, ..kit::event(kind, task, object) }
}

/// A trace of a few words: `acquire 1 7` is `acquire(task 1, lock 7)`.
fn trace(script: &str) -> Vec<Event> {
    let lines = script.split(';').map(str::trim).filter(|it| !it.is_empty()).enumerate();
    let parsed = lines.map(|(at, line)| {
        let mut words = line.split_whitespace();
        let kind = EventKind::of_name(words.next().unwrap_or_default()).expect("an event");
        let mut number = || words.next().map_or(0, |it| it.parse().expect("a number"));
        event(kind, 0, number(), number(), at as u64)
    });
    parsed.collect()
}

fn monitor(automata: &[Automaton], trace: &[Event], options: Options) -> Verdicts {
    let world = World::default();
    let mut monitor = Monitor::with(automata.to_vec(), Limits::DEFAULT, options);
    for event in trace {
        monitor.step(event, &world);
    }
    for unit in 0..2 {
        monitor.end_of_unit(UnitId(unit), UnitEnd::Complete);
    }
    monitor.finish(&world)
}

/// The verdict of each automaton over unit 0.
fn checked(automata: &[Automaton], script: &str) -> Vec<Verdict> {
    let verdicts = monitor(automata, &trace(script), Options::ALL);
    verdicts.properties.iter().map(|it| it.units[0].verdict).collect()
}

const BAD: &str = "s0 -- panic(_) --> bad";

/// Automata of one file: each with its parameters and transitions.
fn file(properties: &[(&[&str], &[&str])]) -> Vec<Automaton> {
    properties.iter().map(|(params, transitions)| automaton(&source(params, transitions), 1)).collect()
}

#[test]
fn an_automaton_takes_what_another_one_emits_in_the_same_step() {
    use EventKind::{Poll, Start};
    use Verdict::{Held, NotExercised, Violated};
    let automata = file(&[
        (&["t: task"], &["s0 -- start(t) / emit mid(t, \"x\") --> s0", BAD]),
        (&["t: task"], &["s0 -- mid(t, \"x\") --> s1", "s1 -- poll(t) --> bad"]),
        // It sees the cause first, and what it causes before the next event.
        (&["t: task"], &["s0 -- start(t) --> s1", "s1 -- mid(t, ::x) --> s2", "s2 -- poll(t) --> bad"]),
        (&["t: task"], &["s0 -- mid(t, _) --> s1", "s1 -- start(t) --> bad"]),
        (&["t: task"], &["s0 -- mid(t, \"y\") --> bad"]),
    ]);
    assert_eq!(checked(&automata, "start 1; poll 1"), [Held, Violated, Violated, Held, NotExercised]);
    assert_eq!(checked(&automata, "start 1; poll 2"), [Held, Held, Held, Held, NotExercised]);
    assert_eq!(checked(&automata, "start 1; start 1"), [Held, Held, Held, Violated, NotExercised]);
    let found = monitor(&automata, &trace("start 1; poll 1"), Options::ALL);
    let kinds = |it: &rvcheck_spec::Violation| it.witness.iter().map(|it| it.kind).collect::<Vec<_>>();
    let reported: Vec<_> = found.violations.iter().map(|it| (it.property, kinds(it))).collect();
    assert_eq!(
        reported,
        [(1, vec![Start, Poll]), (2, vec![Start, Start, Poll])],
        "the cause is what is told"
    );
}

#[test]
fn arguments_are_literals_parameters_registers_and_variables() {
    let cases = [
        ("acquire(t, l) / n = n + 1; emit low(t, n + 1, l) --> s0", "low(t, 2, l) --> bad"),
        ("acquire(t, l) / emit low(t, n, l); n = n + 1 --> s0", "low(t, 0, l) --> bad"),
        ("acquire(t, l) / emit low(t, -3, l) --> s0", "low(t, m, l) [m == -3] --> bad"),
        ("acquire(t, x) / emit low(t, 1, x) --> s0", "low(t, _, l) --> bad"),
        ("acquire(t, l, time = m) / emit low(t, m, l) --> s0", "low(t, 0, l) --> bad"),
        ("acquire(t, l) / emit mid(t, ::read) --> s0", "mid(t, \"read\") --> bad"),
        // What is not known or not given matches `_` and nothing else.
        ("acquire(t, _) / emit high(t, l) --> s0", "high(t, l) --> bad"),
        ("acquire(t, l) / emit high(t) --> s0", "high(t, l) --> bad"),
        ("acquire(t, _) / emit high(t, l) --> s0", "high(t, _) --> bad"),
    ];
    for (index, (emits, takes)) in cases.into_iter().enumerate() {
        let (emits, takes) = (format!("s0 -- {emits}"), format!("s0 -- {takes}"));
        let params = ["t: task", "l: lock"];
        let automata = file(&[
            (&params, &[&emits, "s0 -- release(t, l) --> bad"]),
            (&["t: task", "l: lock"], &[&takes, "s0 -- request(t, l) --> s0"]),
        ]);
        let wanted = if (6..8).contains(&index) { Verdict::NotExercised } else { Verdict::Violated };
        // A binding exists only where all of it is known.
        let script = if [5, 8].contains(&index) { "request 1 7; acquire 1 7" } else { "acquire 1 7" };
        assert_eq!(checked(&automata, script)[1], wanted, "{emits} and {takes}");
    }
}

#[test]
fn an_action_emits_an_event_once_and_several_come_in_their_order() {
    // Task 1 is known with three locks, and alone.
    let many = [
        "s0 -- acquire(t, l) --> s1",
        "s1 -- finish(t) / emit mid(t, \"a\"); emit mid(t, \"b\") --> s2",
        BAD,
    ];
    let automata = file(&[
        (&["t: task", "l: lock"], &many),
        (
            &["t: task"],
            &[
                "s0 -- mid(t, \"a\") [n == 0] / n = 1 --> s0",
                "s0 -- mid(t, \"b\") [n == 1] --> s1",
                "s1 -- mid(t, _) --> bad",
            ],
        ),
        (&["t: task"], &["s0 -- mid(t, _) / n = n + 1 --> s0", "s0 -- poll(t) [n != 2] --> bad"]),
    ]);
    let verdicts = checked(&automata, "acquire 1 7; acquire 1 8; acquire 1 9; finish 1; poll 1");
    assert_eq!(verdicts, [Verdict::Held; 3]);
}

#[test]
fn emitted_events_stay_in_their_file_and_do_not_come_back_to_who_emits_them() {
    let emits =
        source(&["t: task"], &["s0 -- start(t) / emit mid(t, \"x\") --> s0", "s0 -- mid(t, _) --> bad"]);
    let takes = source(&["t: task"], &["s0 -- mid(t, _) --> bad"]);
    let automata = [automaton(&emits, 1), automaton(&takes, 2), automaton(&takes, 1)];
    assert_eq!(checked(&automata, "start 1"), [Verdict::Held, Verdict::NotExercised, Verdict::Violated]);
}

#[test]
fn what_may_still_emit_is_not_forgotten_with_its_objects() {
    let automata = file(&[
        (
            &["t: task", "l: lock"],
            &[
                "s0 -- acquire(t, l) --> s1",
                "s1 -- finish(t) / emit high(t, l) --> s2",
                "s0 -- release(t, l) --> open",
                "open -- release(t, l) --> s0",
            ],
        ),
        (&["t: task", "l: lock"], &["s0 -- high(t, l) --> bad"]),
    ]);
    let world = World::default();
    let mut monitor = Monitor::new(automata);
    let events = trace("acquire 1 7; finish 1");
    monitor.step(&events[0], &world);
    monitor.collect([(Sort::Lock, 7)]);
    monitor.step(&events[1], &world);
    assert_eq!(monitor.take_violations().len(), 1);
}

#[test]
fn an_automaton_can_be_there_for_others_alone() {
    use Verdict::{Held, NotExercised, Violated};
    let observer = source(
        &["t: task"],
        &["s0 -- start(t) / emit mid(t, \"x\") --> s1", "s1 -- poll(t) / emit mid(t, \"y\") --> s1"],
    );
    let automata =
        [automaton(&observer, 1), automaton(&source(&["t: task"], &["s0 -- mid(t, \"y\") --> bad"]), 1)];
    assert_eq!(checked(&automata, "start 1"), [Held, NotExercised]);
    assert_eq!(checked(&automata, "start 1; poll 1"), [Held, Violated]);
    let examined = examine::examine(&observer, &Property::Automaton(automata[0].clone()));
    // That `n` and `b` are unused is all: nobody is told to forget bindings that may still emit.
    assert!(
        examined.remarks.iter().all(|it| it.kind == examine::RemarkKind::Unused),
        "{:?}",
        examined.remarks
    );
}

#[test]
fn an_unreported_cycle_ends() {
    let ping = source(
        &["t: task"],
        &[
            "s0 -- start(t) / emit mid(t, \"x\") --> s0",
            "s0 -- high(t, _) / emit mid(t, \"x\"); emit mid(t, \"y\") --> s0",
            BAD,
        ],
    );
    let pong = source(&["t: task"], &["s0 -- mid(t, _) / emit high(t) --> s0", BAD]);
    let automata = vec![automaton(&ping, 1), automaton(&pong, 1)];
    let limits = Limits { instances: 100, ..Limits::DEFAULT };
    let mut monitor = Monitor::with(automata, limits, Options::ALL);
    monitor.step(&trace("start 1")[0], &World::default());
    let faults = [monitor.fault(0), monitor.fault(1)];
    assert!(faults.contains(&Some(&Fault::Work { limit: 100 })), "{faults:?}");
}

#[test]
fn cycles_are_found_where_they_begin() {
    let cycle = |transitions: &[&[&str]]| {
        let sources: Vec<_> = transitions.iter().map(|it| source(&["t: task"], it)).collect();
        let found = cycles(&sources).into_iter();
        let place = |index: usize, part: Part| match part {
            Part::Transition(at) => (index, at),
            _ => unreachable!("emissions stand in transitions"),
        };
        found.map(|(index, it)| (place(index, it.part), it.message, it.span)).collect::<Vec<_>>()
    };
    let start = "s0 -- start(t) / emit low(t) --> s0";
    assert_eq!(
        cycle(&[
            &[start],
            &["s0 -- low(t) / emit mid(t); emit high(t) --> s0"],
            &["s0 -- mid(t) / emit high(t) --> s0"]
        ]),
        []
    );
    let answer = cycle(&[
        &[start],
        &["s0 -- low(t) / emit mid(t) --> s0", "s0 -- high(t) / n = 1; emit low(t) --> s0"],
        &["s0 -- mid(t) / emit high(t) --> s0"],
    ]);
    assert_eq!(answer.len(), 1);
    let ((property, transition), message, span) = &answer[0];
    assert_eq!((*property, *transition, span.start, span.end), (1, 0, 20, 23));
    assert_eq!(message, "emitted events go round in a cycle: `low` → `mid` → `high` → `low`");
    let own = cycle(&[&["s0 -- low(t) / emit low(t) --> s0"]]);
    assert_eq!(own[0].1, "emitted events go round in a cycle: `low` → `low`");
}

#[test]
fn errors_in_an_emission_are_reported() {
    let cases = [
        ("emit hihg(t)", "hihg", "unknown event `hihg`", "did you mean `high`?"),
        (
            "emit poll(t)",
            "poll",
            "`poll` is built in and cannot be emitted",
            "only an event that the file declares can be emitted",
        ),
        ("emit mid(t, \"x\", 1)", "1", "`mid` has only 2 arguments", ""),
        ("emit mid(t, 1)", "1", "`s` is of sort `str`, this of sort `int`", ""),
        ("emit high(l)", "l", "`t` is of sort `task`, this of sort `lock`", ""),
        ("emit low(t, n && b)", "n", "expected a value of sort `bool`, found `int`", ""),
        ("emit mid(t, x)", "x", "unbound variable `x`", ""),
        ("emit high(t; n = 1", ";", "expected `,` or `)`, found `;`", ""),
    ];
    for (action, word, message, help) in cases {
        let text = format!("s0 -- poll(t) / {action} --> bad");
        let wrong = source(&["t: task", "l: lock"], &[&text, "s0 -- acquire(t, l) --> s0"]);
        let (_, problems) = compile(&wrong, &vocabulary(1));
        let Some(problem) = problems.first() else { panic!("{action} is accepted") };
        assert_eq!((problem.part, problem.message.as_str()), (Part::Transition(0), message), "{action}");
        assert_eq!(&text[problem.span.start..problem.span.end], word, "{action}");
        assert_eq!(problem.help.as_deref().unwrap_or(""), help, "{action}");
    }
}

const PARAMS: [&[&str]; 4] = [&[], &["t: task"], &["l: lock"], &["t: task", "l: lock"]];

/// Patterns, and whether the names in them are parameters or new: both are written the same.
const PATTERNS: [&str; 13] = [
    "acquire(t, l)",
    "acquire(t, _)",
    "acquire(_, l)",
    "release(t, l)",
    "release(_, l)",
    "poll(t)",
    "finish(_)",
    "low(t, _, l)",
    "low(t, 1, _)",
    "mid(t, _)",
    "mid(_, \"a\")",
    "high(t, l)",
    "high(_, l)",
];

/// The events that an automaton emits because of those before it here, so that there is no cycle.
const LEVELS: [&str; 3] = ["low", "mid", "high"];

prop_compose! {
    fn transition(params: &'static [&'static str])(
        from in 0..3_usize, to in 0..5_usize, pattern in 0..PATTERNS.len(), guard in 0..4_usize, action in 0..8_usize, own in 0..3_usize,
    ) -> String {
        let pattern = PATTERNS[pattern];
        let bound = |name: &str| params.iter().any(|it| it.starts_with(name)) || pattern.contains(&format!("{name},")) || pattern.contains(&format!("{name})"));
        let task = if bound("t") { "t" } else { "" };
        let level = LEVELS.iter().position(|it| pattern.starts_with(it)).map_or(0, |it| it + 1);
        let lock = if bound("l") { ", l" } else { "" };
        let rest = match LEVELS.get(level + own) {
            _ if task.is_empty() => None,
            Some(&"low") if lock.is_empty() => Some("emit low(t, n)".to_owned()),
            Some(&"low") => Some("emit low(t, n, l)".to_owned()),
            Some(&"mid") => Some(format!("emit mid(t, \"{}\")", if own == 0 { "a" } else { "b" })),
            Some(_) => Some(format!("emit high(t{lock})")),
            None => None,
        };
        let actions: Vec<String> = match action {
            0 => vec!["n = n + 1".to_owned()],
            1 => vec!["n = 0".to_owned()],
            2..6 => rest.into_iter().collect(),
            6 => rest.into_iter().chain(["n = n + 1".to_owned()]).collect(),
            _ => Vec::new(),
        };
        let guard = match guard { 0 => " [n < 2]", 1 => " [n >= 2]", _ => "" };
        let actions = if actions.is_empty() { String::new() } else { format!(" / {}", actions.join("; ")) };
        let to = ["s0", "s1", "s2", "open", "bad"][to];
        format!("s{from} -- {pattern}{guard}{actions} --> {to}")
    }
}

/// Random automata of one file, shown as their sources.
#[derive(Clone)]
struct Random(Vec<Automaton>, Vec<PropertySource>);

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.iter().try_for_each(|it| write!(f, "{:?} {:?} {:#?}", it.scope, it.params, it.transitions))
    }
}

/// An automaton whose transitions clash in no way that is visible.
fn random() -> impl Strategy<Value = (Automaton, PropertySource)> {
    (0..PARAMS.len(), any::<bool>())
        .prop_flat_map(|(params, process)| {
            (Just(PARAMS[params]), Just(process), prop::collection::vec(transition(PARAMS[params]), 3..12))
        })
        .prop_filter_map("nothing is left", |(params, process, mut transitions)| {
            loop {
                let texts: Vec<&str> = transitions.iter().map(String::as_str).collect();
                let source =
                    PropertySource { scope: process.then(|| "process".to_owned()), ..source(params, &texts) };
                match compile(&source, &vocabulary(1)) {
                    (Some(Property::Automaton(automaton)), _) => return Some((automaton, source)),
                    (_, problems) => {
                        let Part::Transition(wrong) = problems[0].part else { return None };
                        transitions.remove(wrong);
                    }
                }
            }
        })
}

fn family() -> impl Strategy<Value = Random> {
    prop::collection::vec(random(), 2..4).prop_map(|all| {
        let (automata, sources) = all.into_iter().unzip();
        Random(automata, sources)
    })
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    use EventKind as K;
    let kind = prop::sample::select(vec![K::Acquire, K::Acquire, K::Release, K::Poll, K::Finish]);
    let one = (kind, 0..2_u32, 1..3_u32, 1..3_u32);
    prop::collection::vec(one, 0..18).prop_map(|all| {
        let one = |(at, (kind, unit, task, object))| event(kind, unit, task, object, at as u64);
        all.into_iter().enumerate().map(one).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(256), failure_persistence: None, max_local_rejects: u32::MAX, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_agrees_with_the_reference(Random(automata, sources) in family(), trace in events(), index in any::<bool>()) {
        prop_assert_eq!(cycles(&sources), vec![]);
        let ends = BTreeMap::from([(UnitId(0), UnitEnd::Complete), (UnitId(1), UnitEnd::Complete)]);
        let wanted = automata::evaluate_file(&automata, &trace, &ends, &World::default());
        let found = monitor(&automata, &trace, Options { collect: false, index, ..Options::ALL });
        if found.properties.iter().any(|it| it.fault.is_some()) {
            return Ok(());
        }
        for (index, wanted) in wanted.iter().enumerate() {
            prop_assert_eq!(&found.properties[index], &wanted.properties[0], "automaton {}", index);
            let sorted = |verdicts: &Verdicts, of: usize| {
                let mut all: Vec<_> = verdicts.violations.iter().filter(|it| it.property == of).cloned().collect();
                for it in &mut all {
 it.property = 0;
}
                all.sort_by(|a, b| (a.unit, &a.binding).cmp(&(b.unit, &b.binding)));
                all
            };
            prop_assert_eq!(sorted(&found, index), sorted(wanted, 0), "automaton {}", index);
        }
    }
}
