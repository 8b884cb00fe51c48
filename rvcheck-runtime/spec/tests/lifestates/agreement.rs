//! The engine against the oracle, over random rules and traces.
//!
//! `LIFESTATE_MODELS` asks for more models.

use rvcheck_event::log::line_of;
use rvcheck_oracles::lifestates::{Sent, Written};
use rvcheck_spec::evaluation::lifestate::predict::Prediction;
use rvcheck_spec::language::lifestate::Kind;
use rvcheck_spec::{Property, Vocabulary, compile};

use super::dice::Dice;
use super::predictions::predicted;
use super::random::{rule, script, sent};
use super::validations::validated;
use super::{lifestate, lines, monitored};

/// How many models are tried.
pub(crate) fn wanted(usual: u64) -> u64 {
    std::env::var("LIFESTATE_MODELS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// A random model: the property, its vocabulary, and what the oracle has of it.
pub(crate) fn model(dice: &mut Dice) -> Option<(Vec<String>, Property, Vocabulary, Written)> {
    let rules: Vec<String> = (0..=dice.roll(4)).map(|_| rule(dice)).collect();
    let texts: Vec<&str> = rules.iter().map(String::as_str).collect();
    let source = lifestate(&texts);
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(&source);
    let property = compile(&source, &vocabulary).0?;
    let written = Written::of(&rules).expect("it could be compiled");
    Some((rules, property, vocabulary, written))
}

#[test]
fn the_monitor_says_of_random_traces_what_the_oracle_says() {
    let (mut models, mut seed, mut violated, mut inconsistent) = (0, 0, 0_u64, 0);
    while models < wanted(250) {
        seed += 1;
        let dice = &mut Dice::new(seed);
        let Some((rules, property, vocabulary, written)) = model(dice) else { continue };
        models += 1;
        let length = 1 + dice.roll(7);
        let greatest = 1 + dice.roll(3);
        let trace: Vec<Sent> = (0..length).map(|_| sent(dice, greatest)).collect();
        let expected: Vec<u32> = written.violations(&trace).into_iter().map(|it| it as u32 + 1).collect();
        let text: Vec<String> = trace.iter().map(script).collect();
        let (_, violations) = monitored(&property, &vocabulary, &lines(&text.join("; ")));
        let at = |it: &rvcheck_spec::Violation| it.witness.iter().last().and_then(|it| line_of(it.site));
        let found: Vec<u32> = violations.iter().filter_map(at).collect();
        assert_eq!(found, expected, "seed {seed}\n{rules:#?}\n{text:#?}");
        violated += u64::from(!found.is_empty());
        inconsistent += u64::from(violations.iter().any(|it| it.state == rules.len() + 1));
    }
    // The test is about something.
    assert!(violated * 8 > models && violated * 10 < models * 9, "{violated} of {models}");
    assert!(inconsistent > 0, "{inconsistent} of {models}");
}

#[test]
fn the_longest_valid_prefix_is_what_the_oracle_says() {
    let (mut models, mut seed, mut refuted) = (0, 0, 0_u64);
    while models < wanted(250) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0x5_0000);
        let Some((rules, property, vocabulary, written)) = model(dice) else { continue };
        models += 1;
        let (length, greatest) = (1 + dice.roll(7), 1 + dice.roll(3));
        let trace: Vec<Sent> = (0..length).map(|_| sent(dice, greatest)).collect();
        let text: Vec<String> = trace.iter().map(script).collect();
        let found = validated(&property, &vocabulary, &lines(&text.join("; ")));
        let expected = written.valid_prefix(&trace);
        assert_eq!(found[0].valid as usize, expected.unwrap_or(length), "seed {seed}\n{rules:#?}\n{text:#?}");
        let refutation = found[0].refutation.as_ref();
        assert_eq!(refutation.is_some(), expected.is_some());
        assert!(refutation.is_none_or(|it| !it.removed_by.is_empty()), "{rules:#?}\n{text:#?}");
        assert_eq!(found[0].violations as usize, written.violations(&trace).len());
        refuted += u64::from(expected.is_some());
    }
    assert!(refuted * 10 > models && refuted * 10 < models * 9, "{refuted} of {models}");
}

/// The longest words that the oracle tries, of few callbacks and of more.
const LONGEST: usize = 3;
const LONGEST_OF_MANY: usize = 2;

#[test]
fn a_prediction_is_the_shortest_word_that_the_oracle_finds() {
    let (mut models, mut seed) = (0, 0);
    let (mut lengths, mut absent) = ([0_u64; LONGEST + 2], 0_u64);
    while models < wanted(60) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xA_0000);
        let Some((rules, property, vocabulary, written)) = model(dice) else { continue };
        models += 1;
        let greatest = 1 + dice.roll(2);
        let mut blocks: Vec<Vec<Sent>> = (0..=dice.roll(3)).map(|_| block(dice, greatest)).collect();
        if dice.roll(2) == 0 {
            // The same for several values, which can then be exchanged.
            blocks.truncate(1 + dice.roll(2));
            blocks = (0..3).flat_map(|shift| blocks.iter().map(move |it| shifted(it, shift * 2))).collect();
        }
        let text: Vec<String> = blocks.concat().iter().map(script).collect();
        let found = predicted(&property, &vocabulary, &lines(&text.join("; ")));
        let longest = if blocks.len() > 3 { LONGEST_OF_MANY } else { LONGEST };
        let expected = written.predicted(&blocks, longest);
        let place = format!("seed {seed}\n{rules:#?}\n{text:#?}\n{found:?}");
        match (found, expected) {
            (Prediction::Violation(word), Some(length)) => {
                assert_eq!(word.blocks.len(), length, "{place}");
                lengths[length] += 1;
            }
            (Prediction::Violation(word), None) => {
                assert!(word.blocks.len() > longest, "{place}");
                lengths[LONGEST + 1] += 1;
            }
            (Prediction::Absence, None) => absent += 1,
            _ => panic!("{expected:?} {place}"),
        }
    }
    assert!(absent > 0 && lengths[1] > 0 && lengths[2..].iter().sum::<u64>() > 0, "{absent} {lengths:?}");
}

/// The same callback with other values.
fn shifted(block: &[Sent], by: i64) -> Vec<Sent> {
    let value = |it: &i64| it + by;
    block.iter().map(|it| Sent { values: it.values.iter().map(value).collect(), ..it.clone() }).collect()
}

/// A callback with a few messages.
fn block(dice: &mut Dice, greatest: usize) -> Vec<Sent> {
    let path = ["f", "h"][dice.roll(2)].to_owned();
    let value = |dice: &mut Dice| 1 + dice.roll(greatest) as i64;
    let values = if path == "f" { vec![value(dice)] } else { Vec::new() };
    let result = [&[value(dice)], &values[..]].concat();
    let mut messages = vec![Sent { kind: Kind::Callback, path: path.clone(), refused: false, values }];
    for _ in 0..dice.roll(3) {
        let message = sent(dice, greatest);
        if !matches!(message.kind, Kind::Callback | Kind::CallbackReturn) {
            messages.push(message);
        }
    }
    messages.push(Sent { kind: Kind::CallbackReturn, path, refused: false, values: result });
    messages
}
