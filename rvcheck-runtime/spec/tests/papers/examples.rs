//! Runs examples: a formula, traces on which it holds, and traces on which it does not, through all that can check it.

use std::cell::Cell;

use rvcheck_event::declared::Declared;
use rvcheck_event::json::Json;
use rvcheck_event::jsonl;
use rvcheck_event::kind::EventKind;
use rvcheck_event::log::Log;
use rvcheck_event::stream::EventStream;
use rvcheck_event::value::Value;
use rvcheck_oracles::deac::{Detection, run, specification};
use rvcheck_oracles::formulas;
use rvcheck_spec::evaluation::tables::record::Recording;
use rvcheck_spec::evaluation::tables::table::{Tables, Truth};
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::{
    EventSource, FluentSource, Ltl, Monitor, Property, PropertySource, UnitEnd, Verdict, Vocabulary, compile,
};

/// A formula and what it makes of traces.
pub(crate) struct Example<'a> {
    /// What it is called where it comes from.
    pub(crate) name: &'static str,
    /// The formula.
    pub(crate) formula: &'a str,
    /// Whether it belongs to the fragment for which the coroutine paper builds monitors.
    pub(crate) has_network: bool,
    /// Traces on which it holds: events as in `acquire(p, a, mode = read)`, with a time in ns behind `@` where it matters.
    pub(crate) held: &'static [&'static str],
    /// Traces on which it does not.
    pub(crate) violated: &'static [&'static str],
}

/// What a file of properties would declare: events with their parameters, and fluents with their parameters and events, which are
/// empty for what the program itself sets and clears.
pub(crate) struct Declarations {
    pub(crate) events: &'static [(&'static str, &'static [&'static str])],
    pub(crate) fluents: &'static [(&'static str, &'static [&'static str], &'static str, &'static str)],
}

/// Judges all traces of the examples in all ways, and counts the verdicts.
pub(crate) fn check(declarations: &Declarations, examples: &[Example<'_>]) -> usize {
    let vocabulary = vocabulary(declarations);
    let mut verdicts = 0;
    for example in examples {
        let ltl = ltl(example, &vocabulary);
        let network = specification(&ltl).filter(|it| !it.has_strong_next);
        assert_eq!(network.is_some(), example.has_network, "{}: {:?}", example.name, ltl.formula);
        for (scripts, expected) in [(example.held, true), (example.violated, false)] {
            for script in scripts {
                let log = log(script, vocabulary.declared());
                for (oracle, found) in checked(&ltl, &log, network.is_some() && !log.events.is_empty()) {
                    assert_eq!(found, expected, "{}: {oracle} on {script}", example.name);
                    verdicts += 1;
                }
            }
        }
    }
    verdicts
}

/// The verdicts of all that can check a formula.
fn checked(ltl: &Ltl, log: &Log, has_network: bool) -> Vec<(&'static str, bool)> {
    let mut recording = Recording::new([ltl], usize::MAX);
    let mut monitor = Monitor::new(vec![ltl.clone()]);
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        recording.push(&event, replay.world());
        monitor.step(&event, replay.world());
    }
    for (unit, _) in log.names().units() {
        monitor.end_of_unit(unit, UnitEnd::Complete);
    }
    let world = replay.world();
    let view = View::new(ltl, recording.positions().iter().collect(), world);
    let mut binding = vec![Value::Absent; ltl.variables.len()];
    let left = Cell::new(u64::MAX);
    let tables = Tables::new(&view, false, &left).at_start(&ltl.formula, &mut binding);
    let verdicts = monitor.finish(world);
    let units = &verdicts.properties[0].units;
    let mut found = vec![
        ("the meaning", formulas::satisfies(ltl, &view)),
        ("the tables", tables == Ok(Truth::True)),
        ("the monitor", units.iter().all(|unit| unit.verdict != Verdict::Violated)),
    ];
    if has_network {
        let outcome = run(ltl, &view, Detection::Informative).expect("the automata are small");
        found.push(("the network", outcome.at_end));
    }
    found
}

fn vocabulary(declarations: &Declarations) -> Vocabulary {
    let owned = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect();
    let mut vocabulary = Vocabulary::default();
    for (name, params) in declarations.events {
        let source = EventSource { name: (*name).to_owned(), params: owned(params) };
        assert_eq!(vocabulary.declare_event(&source), []);
    }
    for (name, params, from, to) in declarations.fluents {
        let event = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (from, to) = (event(from), event(to));
        let source = FluentSource { name: (*name).to_owned(), params: owned(params), from, to };
        assert_eq!(vocabulary.declare_fluent(&source), []);
    }
    vocabulary
}

fn ltl(example: &Example<'_>, vocabulary: &Vocabulary) -> Ltl {
    let source = PropertySource {
        id: "example".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(example.formula.to_owned()),
        ..PropertySource::default()
    };
    match compile(&source, vocabulary) {
        (Some(Property::Ltl(ltl)), _) => ltl,
        (_, problems) => panic!("{}: {problems:?}", example.name),
    }
}

/// The trace, by way of its JSON lines.
fn log(script: &str, declared: &[Declared]) -> Log {
    let events = script.split(';').map(str::trim).filter(|it| !it.is_empty());
    let lines: Vec<String> =
        events.enumerate().map(|(at, it)| line(it, 1000 * at, declared).to_string()).collect();
    let log = jsonl::read(lines.join("\n").as_bytes(), declared).with_unit_for_the_rest("example");
    assert_eq!(log.problems, [], "{script}");
    assert!(log.unknown.is_empty(), "{script}: {:?}", log.unknown);
    log
}

fn line(event: &str, time: usize, declared: &[Declared]) -> Json {
    let (call, time) = event
        .split_once('@')
        .map_or((event, time), |(call, time)| (call, time.parse().expect("a time is a number")));
    let (name, arguments) = call.split_once('(').expect("an event has parentheses");
    let mut params: Vec<String> = match EventKind::of_name(name) {
        Some(kind) => kind.signature().params.iter().map(|(name, _)| (*name).to_owned()).collect(),
        None => declared
            .iter()
            .filter(|it| it.name == name)
            .flat_map(|it| it.params.iter().map(|(name, _)| name.clone()))
            .collect(),
    };
    params.reverse();
    let arguments = arguments.trim_end_matches(')').split(',').map(str::trim).filter(|it| !it.is_empty());
    let given = arguments.map(|argument| match argument.split_once(" = ") {
        Some((attribute, value)) => (attribute.to_owned(), json(value)),
        None => (params.pop().expect("there are not too many arguments"), json(argument)),
    });
    let given = given.collect();
    Json::Map(vec![
        ("e".to_owned(), Json::Text(name.to_owned())),
        ("a".to_owned(), Json::Map(given)),
        ("time".to_owned(), json(&time.to_string())),
    ])
}

fn json(word: &str) -> Json {
    match word {
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        _ => word.parse().map_or_else(|_| Json::Text(word.to_owned()), Json::Int),
    }
}
