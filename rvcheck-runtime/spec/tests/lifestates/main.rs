//! Lifestates: what is wrong with them, what they say of traces, and that the engine and the oracle agree.

mod agreement;
#[path = "../kit/dice.rs"]
mod dice;
mod long;
mod predictions;
mod problems;
mod random;
mod refusals;
mod validations;
mod verdicts;

use std::fmt::Write as _;

use rvcheck_event::event::Event;
use rvcheck_event::jsonl;
use rvcheck_event::log::Log;
use rvcheck_event::stream::EventStream;
use rvcheck_event::world::World;
use rvcheck_spec::{Monitor, Property, PropertySource, UnitEnd, Verdict, Violation, Vocabulary, compile};

/// A lifestate of these rules.
pub(crate) fn lifestate(rules: &[&str]) -> PropertySource {
    PropertySource {
        id: "l".to_owned(),
        logic: "lifestate".to_owned(),
        rules: rules.iter().map(|it| (*it).to_owned()).collect(),
        ..PropertySource::default()
    }
}

/// The compiled property, and the vocabulary of a file with it alone.
pub(crate) fn compiled(source: &PropertySource) -> (Property, Vocabulary) {
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(source);
    let (property, problems) = compile(source, &vocabulary);
    (property.unwrap_or_else(|| panic!("{source:#?}\n{problems:#?}")), vocabulary)
}

/// A trace of messages, separated by semicolons: `ciret Ready = Service::poll_ready(1)`. `test:` in front of one says whose it is.
pub(crate) fn lines(script: &str) -> String {
    let mut out = String::new();
    for message in script.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (test, message) = match message.split_once("@ ") {
            Some((test, message)) => (format!(r#","test":"{test}""#), message),
            None => (String::new(), message),
        };
        let (head, values) = message.trim_end_matches(')').split_once('(').expect("there are parameters");
        let (kind, rest) = head.split_once(' ').expect("there is a kind");
        let (kind, rest) = match rest.strip_prefix("ciret ").filter(|_| kind == "dis") {
            Some(rest) => ("dis ciret", rest),
            None if kind == "dis" => ("dis ci", &rest[3..]),
            None => (kind, rest),
        };
        let (result, path) = match rest.split_once('=') {
            Some((result, path)) => (Some(result.trim()), path.trim()),
            None => (None, rest),
        };
        let value = |it: &str| if it.parse::<i64>().is_ok() { it.to_owned() } else { format!("{it:?}") };
        let mut given: Vec<String> =
            result.into_iter().map(|it| format!(r#""result":{}"#, value(it))).collect();
        let values = values.split(',').map(str::trim).filter(|it| !it.is_empty());
        given.extend(values.enumerate().map(|(at, it)| format!(r#""{}":{}"#, at + 1, value(it))));
        let _ = writeln!(out, "{{\"e\":\"{kind} {path}\",\"a\":{{{}}}{test}}}", given.join(","));
    }
    out
}

/// Hands the messages of a trace to something that looks at them.
pub(crate) fn fed(vocabulary: &Vocabulary, lines: &str, mut look: impl FnMut(&Event, &World)) -> Log {
    let log = jsonl::read(lines.as_bytes(), vocabulary.declared()).with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "{lines}");
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        look(&event, replay.world());
    }
    log
}

/// What the engine says of a trace: the verdict over its first unit, and the violations.
pub(crate) fn monitored(
    property: &Property,
    vocabulary: &Vocabulary,
    lines: &str,
) -> (Verdict, Vec<Violation>) {
    let log = jsonl::read(lines.as_bytes(), vocabulary.declared()).with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "{lines}");
    let mut monitor = Monitor::new(vec![property.clone()]);
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        monitor.step(&event, replay.world());
    }
    for (unit, _) in log.names().units() {
        monitor.end_of_unit(unit, UnitEnd::Complete);
    }
    let verdicts = monitor.finish(replay.world());
    (verdicts.properties[0].units[0].verdict, verdicts.violations)
}
