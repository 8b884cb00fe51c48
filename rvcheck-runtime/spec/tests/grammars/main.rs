//! Grammars: what is wrong with them, what they say of traces, and that the engine and the oracle agree.

mod agreement;
#[path = "../kit/dice.rs"]
mod dice;
mod problems;
mod random;
mod verdicts;

use rvcheck_event::id::UnitId;
use rvcheck_event::jsonl;
use rvcheck_event::stream::EventStream;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{Limits, Monitor, Property, PropertySource, UnitEnd, Verdicts, Vocabulary, compile};

/// The grammar of figure 6.5 of the paper: replication.
pub(crate) fn worker() -> PropertySource {
    grammar(
        &[
            ("st", "send Coordinator::start_replication(w)"),
            ("id", "receive Worker::send_current_id(id)"),
            ("pr", "send ClientJob::register_items(w, id)"),
            ("ar", "receive Worker::reply_register_items(reg)"),
            ("is", "receive Worker::accept_items(items)"),
            ("es", "receive Worker::accept_entries(contents)"),
        ],
        &[
            ("start", "S"),
            ("S", "ε | st T { T.w = st.w }"),
            ("T", "ε | id U { U.w = T.w; U.i = id.id }"),
            ("U", "ε | pr assert U.w == pr.w && U.i == pr.id V"),
            ("V", "ε | ar W { W.b = ar.reg }"),
            ("W", "ε | is assert W.b X { X.s = size(is.items) }"),
            ("X", "ε | es assert X.s == size(es.contents)"),
        ],
    )
}

/// A grammar with this view and these rules.
pub(crate) fn grammar(view: &[(&str, &str)], rules: &[(&str, &str)]) -> PropertySource {
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    PropertySource {
        id: "g".to_owned(),
        logic: "grammar".to_owned(),
        view: pairs(view),
        grammar: pairs(rules),
        ..PropertySource::default()
    }
}

/// The compiled properties of a file with these grammars, and its vocabulary.
pub(crate) fn compiled(sources: &[PropertySource]) -> (Vec<Property>, Vocabulary) {
    let mut vocabulary = Vocabulary::default();
    for source in sources {
        vocabulary.declare_messages(source);
    }
    let properties = sources.iter().map(|source| {
        let (property, problems) = compile(source, &vocabulary);
        property.unwrap_or_else(|| panic!("{source:#?}\n{problems:#?}"))
    });
    (properties.collect(), vocabulary)
}

/// What the engine says of a trace in JSON lines. `complete` are the tests that came to their end.
pub(crate) fn monitored(
    properties: &[Property],
    vocabulary: &Vocabulary,
    lines: &str,
    complete: impl Fn(&str) -> bool,
    options: Options,
) -> (Verdicts, Vec<(UnitId, String)>) {
    let log = jsonl::read(lines.as_bytes(), vocabulary.declared()).with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "{lines}");
    let mut monitor = Monitor::with(properties.to_vec(), Limits::DEFAULT, options);
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        monitor.step(&event, replay.world());
    }
    let units: Vec<(UnitId, String)> =
        log.names().units().map(|(unit, name)| (unit, name.to_owned())).collect();
    for (unit, name) in &units {
        monitor.end_of_unit(*unit, if complete(name) { UnitEnd::Complete } else { UnitEnd::Cut });
    }
    (monitor.finish(replay.world()), units)
}
