//! The language reference: its examples say what the tool says, and its tables are those of the code.
//!
//! With `UPDATE_DOCS=1` in the environment the tables are written anew.

mod page;
mod tables;

use std::collections::BTreeMap;

use cargo_rvcheck::specs::read;
use page::{Example, Trace, examples};
use rvcheck_event::declared::Declared;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, TestOutcome};
use rvcheck_event::stream::EventStream;
use rvcheck_spec::{Monitor, UnitEnd, Verdict};

const PAGE: &str = include_str!("../../docs/language.md");

/// The page with protocols of libraries, whose examples have the same form.
const PROTOCOLS: &str = include_str!("../../docs/protocols.md");

/// What examples call the file with the property.
const FILE: &str = "my.toml";

#[test]
fn each_example_has_the_verdicts_that_the_page_gives() {
    let examples = examples(PAGE);
    assert!(examples.len() > 30, "{}", examples.len());
    check(examples);
}

#[test]
fn each_protocol_has_the_verdicts_that_its_page_gives() {
    let examples = examples(PROTOCOLS);
    assert_eq!(examples.len(), 5);
    check(examples);
}

#[track_caller]
fn check(examples: Vec<Example>) {
    let mut wrong = Vec::new();
    for example in examples {
        let specs = read(&[(FILE.to_owned(), example.file.clone())]);
        let shown: Vec<String> = specs.problems.iter().map(|it| it.rendered(&example.file, false)).collect();
        assert_eq!(shown.join("\n"), example.problems, "line {}", example.line);
        let properties: Vec<_> = specs.properties.into_iter().map(|it| it.compiled).collect();
        assert!(example.traces.is_empty() == properties.is_empty(), "line {}: no trace", example.line);
        for trace in &example.traces {
            let verdicts = verdicts(&properties, specs.vocabularies[0].1.declared(), trace);
            let names = properties.iter().map(|it| it.id().to_owned());
            let found: BTreeMap<_, _> = names.zip(verdicts.iter().map(|it| it.name())).collect();
            if found != trace.verdicts(&example) {
                wrong.push(format!("line {}: {found:?}", trace.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The worst verdict of each property over the units of a trace.
fn verdicts(properties: &[rvcheck_spec::Property], declared: &[Declared], trace: &Trace) -> Vec<Verdict> {
    let log = trace.log(declared).with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "line {}", trace.line);
    let mut monitor = Monitor::new(properties.to_vec());
    let mut ends = BTreeMap::from([(UnitId::PROCESS, UnitEnd::Complete)]);
    let mut events = log.replay();
    while let Some(event) = events.next() {
        monitor.step(&event, events.world());
        let outcome = TestOutcome::of_bits(event.flags);
        let cut = event.kind == EventKind::TestEnd && outcome != Some(TestOutcome::Ok);
        let end = ends.entry(event.unit).or_insert(UnitEnd::Complete);
        if cut {
            *end = UnitEnd::Cut;
        }
    }
    for (unit, end) in ends {
        monitor.end_of_unit(unit, end);
    }
    let verdicts = monitor.finish(events.world());
    let worst = |it: &rvcheck_spec::verdict::PropertyVerdict| it.units.iter().map(|it| it.verdict).min();
    verdicts.properties.iter().map(|it| worst(it).expect("there is a unit")).collect()
}

#[test]
fn the_tables_of_what_is_built_in_are_those_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
    let current = tables::page(PAGE);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, current).expect("the page can be written");
    } else {
        assert!(PAGE == current, "run it with UPDATE_DOCS=1, and look at what changes in docs/language.md");
    }
}

#[test]
fn every_operator_and_event_kind_of_trace_has_an_example() {
    let texts: String = examples(PAGE).iter().map(|it: &Example| it.file.clone() + "\n").collect();
    for word in [
        "->",
        "<->",
        "&&",
        "||",
        "!",
        "X ",
        "WX ",
        "F ",
        "G ",
        " U ",
        " W ",
        " R ",
        " S ",
        "Y ",
        "O ",
        "H ",
        "forall",
        "exists",
        "where",
        " if (",
        "[fluent.",
        "steps = \"slice\"",
        "scope = \"process\"",
        "[0ms,5ms]",
        "[events]",
        "params = []",
        ",inf]",
        "[m == n + 1]",
        "event ",
        "mode = ::",
        "\"ok\"",
        "logic = \"automaton\"",
        "emit ",
        "logic = \"grammar\"",
        " assert ",
    ] {
        assert!(texts.contains(word), "no example has {word:?}");
    }
}
