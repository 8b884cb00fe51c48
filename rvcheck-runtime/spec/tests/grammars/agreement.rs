//! The engine against the oracle, over random grammars and traces, with each optimisation on and off.
//!
//! `GRAMMAR_WORDS` asks for more words.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::json::Json;
use rvcheck_oracles::grammars::{Known, Said, Sent, Written};
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{Property, PropertySource, Verdict, Vocabulary, compile};

use super::dice::Dice;
use super::monitored;
use super::random::{line, source};

/// How many tests a trace has; each is a word.
const TESTS: usize = 8;

fn known(value: &Json) -> Option<Known> {
    Some(match value {
        Json::Int(number) => Known::Int(*number),
        Json::Bool(truth) => Known::Bool(*truth),
        Json::Text(text) if text.starts_with("task:") => Known::Object(text.clone()),
        Json::Text(text) => Known::Text(text.clone()),
        _ => return None,
    })
}

/// A line as the oracle has it.
fn sent(line: &str) -> Sent {
    let json = Json::parse(line).expect("it was written so");
    let text = |key: &str| json.get(key).and_then(Json::as_text).map(str::to_owned);
    let Some(Json::Map(arguments)) = json.get("a") else { panic!("{line}") };
    let known_one = |(name, value): &(String, Json)| Some((name.clone(), known(value)?));
    Sent {
        unit: text("test").expect("each has a test"),
        event: text("e").expect("each has a name"),
        arguments: arguments.iter().filter_map(known_one).collect(),
        group: text("group"),
        callee: json.get("callee").and_then(known),
    }
}

/// The vocabulary of a file with this grammar alone, and the property.
fn file(source: &PropertySource) -> Option<(Property, Vocabulary)> {
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_messages(source);
    Some((compile(source, &vocabulary).0?, vocabulary))
}

fn verdict(said: &Said, complete: bool, exercised: bool) -> Verdict {
    match said {
        Said { violated: 1.., .. } => Verdict::Violated,
        Said { in_doubt: true, .. } => Verdict::Inconclusive,
        _ if !complete => Verdict::Inconclusive,
        _ if exercised => Verdict::Held,
        _ => Verdict::NotExercised,
    }
}

#[test]
fn the_engine_says_of_random_words_what_the_oracle_says() {
    let wanted: usize = std::env::var("GRAMMAR_WORDS").ok().and_then(|it| it.parse().ok()).unwrap_or(24_000);
    let (mut words, mut seen) = (0, BTreeMap::<Verdict, usize>::new());
    let mut seed = 0;
    while words < wanted {
        seed += 1;
        let dice = &mut Dice::new(seed);
        let source = source(dice);
        let Some((property, vocabulary)) = file(&source) else { continue };
        let written = Written::of(&source).expect("it could be compiled");
        let declared: BTreeSet<String> = vocabulary.messages().map(|it| it.name.clone()).collect();
        for _ in 0..4 {
            let lines: Vec<String> = (0..TESTS * 6).map(|_| line(dice, &source, TESTS)).collect();
            let complete: BTreeSet<String> =
                (0..TESTS).filter(|_| dice.roll(4) > 0).map(|it| format!("t{it}")).collect();
            let messages: Vec<Sent> = lines.iter().map(|it| sent(it)).collect();
            let said = written.verdicts(&messages, &complete, &declared);
            let text = lines.join("\n");
            let options = Options {
                index: dice.roll(2) == 0,
                name: dice.roll(2) == 0,
                listen: dice.roll(2) == 0,
                ..Options::ALL
            };
            let properties = std::slice::from_ref(&property);
            let (found, units) =
                monitored(properties, &vocabulary, &text, |it| complete.contains(it), options);
            for (unit, name) in units {
                let expected = said.get(&name).cloned().unwrap_or_default();
                let row = found.properties[0]
                    .units
                    .iter()
                    .find(|it| it.unit == unit)
                    .expect("each unit has a verdict");
                let of_oracle = (
                    verdict(&expected, complete.contains(&name), expected.instances > 0),
                    expected.instances,
                    expected.violated,
                    expected.in_doubt,
                );
                let of_engine = (row.verdict, row.bindings, row.violated, row.doubt.is_some());
                let word: Vec<&str> = lines
                    .iter()
                    .map(String::as_str)
                    .filter(|it| it.contains(&format!("\"{name}\"")))
                    .collect();
                assert_eq!(
                    of_engine,
                    of_oracle,
                    "seed {seed}, {name}, {options:?}\n{:?} {:?}\n{:#?}\n{:#?}\n{}",
                    source.group,
                    source.per,
                    source.view,
                    source.grammar,
                    word.join("\n")
                );
                *seen.entry(row.verdict).or_default() += 1;
                words += 1;
            }
        }
    }
    // The test is about something.
    for verdict in [Verdict::Violated, Verdict::Inconclusive, Verdict::Held] {
        assert!(seen.get(&verdict).copied().unwrap_or(0) * 20 > words, "{seen:?} of {words}");
    }
}
