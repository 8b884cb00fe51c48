//! Lifestates: what is wrong with them, what they say of traces, and that the engine and the oracle agree.

mod agreement;
mod forgetting;
#[path = "../kit/lifestates/mod.rs"]
mod kit;
mod long;
mod predictions;
mod problems;
mod refusals;
mod validations;
mod verdicts;

use rvcheck_event::jsonl;
use rvcheck_event::stream::EventStream;
use rvcheck_spec::{Monitor, Property, PropertySource, UnitEnd, Verdict, Violation, Vocabulary, compile};

use kit::{fed, lifestate, lines};

/// The compiled property, and the vocabulary of a file with it alone.
pub(crate) fn compiled(source: &PropertySource) -> (Property, Vocabulary) {
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(source);
    let (property, problems) = compile(source, &vocabulary);
    (property.unwrap_or_else(|| panic!("{source:#?}\n{problems:#?}")), vocabulary)
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
