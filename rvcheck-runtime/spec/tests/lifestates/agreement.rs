//! The engine against the oracle, over random rules and traces.
//!
//! `LIFESTATE_MODELS` asks for more models.

use std::collections::BTreeSet;

use rvcheck_event::log::line_of;
use rvcheck_oracles::lifestates::{Callback, Sent};
use rvcheck_spec::evaluation::lifestate::predict::{Gap, Prediction, STATES, predict};

use super::kit::dice::Dice;
use super::kit::random::{at_once, callbacks, model, model_at_once, script, sent};
use super::kit::{Poll, cut, interleaved};
use super::predictions::predicted;
use super::validations::validated;
use super::{lines, monitored};

/// How many models are tried.
pub(crate) fn wanted(usual: u64) -> u64 {
    std::env::var("LIFESTATE_MODELS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
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
        assert_eq!(
            found[0].violations as usize,
            written.violations(&trace).len(),
            "seed {seed}\n{rules:#?}\n{text:#?}"
        );
        refuted += u64::from(expected.is_some());
    }
    assert!(refuted * 12 > models && refuted * 10 < models * 9, "{refuted} of {models}");
}

/// The longest words that the oracle tries, of few callbacks and of more.
const LONGEST: usize = 3;
const LONGEST_OF_MANY: usize = 2;

#[test]
fn a_prediction_is_the_shortest_word_that_the_oracle_finds() {
    let (mut models, mut seed) = (0, 0);
    let (mut lengths, mut absent, mut unreached, mut of_polls) = ([0_u64; LONGEST + 2], 0_u64, 0, 0);
    while models < wanted(25) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xA_0000);
        let Some((rules, property, vocabulary, written)) = model(dice) else { continue };
        models += 1;
        let blocks = callbacks(dice);
        let text: Vec<String> = blocks.concat().iter().map(script).collect();
        let found = predicted(&property, &vocabulary, &lines(&text.join("; ")));
        let longest = if blocks.len() > 3 { LONGEST_OF_MANY } else { LONGEST };
        let whole: Vec<Callback> = blocks.iter().map(|it| Callback::whole(it)).collect();
        let (expected, reached) = written.explored(&whole, longest);
        let place = format!("seed {seed}\n{rules:#?}\n{text:#?}\n{found:?}");
        match (found, expected) {
            (Prediction::Violation(word), Some(length)) => {
                assert_eq!(word.blocks.len(), length, "{place}");
                let is_poll = |it: &usize| blocks[*it][0].path == "poll";
                of_polls += u64::from(length > 1 && word.blocks.iter().any(is_poll));
                lengths[length] += 1;
            }
            (Prediction::Violation(word), None) => {
                assert!(word.blocks.len() > longest, "{place}");
                lengths[LONGEST + 1] += 1;
            }
            (Prediction::Absence, None) => {
                let calls = written.prohibited(&whole);
                let is_reached =
                    calls.is_subset(&reached) || calls.is_subset(&written.explored(&whole, longest + 2).1);
                assert!(is_reached, "{place}");
                absent += 1;
            }
            (Prediction::Unreached(it), None) => {
                assert!(!reached.contains(&it.first), "{place}");
                unreached += 1;
            }
            _ => panic!("{expected:?} {place}"),
        }
    }
    let found = (absent, unreached, lengths, of_polls);
    assert!(
        absent > 0 && unreached > 0 && lengths[1] > 0 && lengths[2..].iter().sum::<u64>() > 0 && of_polls > 0,
        "{found:?}"
    );
}

/// The callbacks that come in other orders where polls overlap: each message of a poll during which another task was polled, by itself.
/// With each the places where it begins, of a poll and of a message in it.
fn in_pieces(polls: &[Poll], whole: &[Callback]) -> (Vec<(usize, usize)>, Vec<Callback>) {
    let meets = |a: &Poll, b: &Poll| a.task != b.task && a.begin < b.end && b.begin < a.end;
    let mut found = (Vec::new(), Vec::new());
    for (place, (poll, whole)) in polls.iter().zip(whole).enumerate() {
        let is_cut = polls.iter().any(|it| meets(poll, it));
        let length = if is_cut { 1 } else { poll.messages.len() };
        for (at, messages) in poll.messages.chunks(length).enumerate() {
            found.0.push((place, at * length));
            found.1.push(Callback { task: whole.task, messages: messages.to_vec() });
        }
    }
    found
}

#[test]
fn what_is_proved_of_polls_that_overlap_holds_in_every_order_of_their_messages() {
    let (mut models, mut seed) = (0, 0);
    let (mut violated, mut absent, mut unreached, mut open) = (0_u64, 0_u64, 0, 0);
    // The oracle takes long.
    let most = if wanted(0) > 0 { 8 } else { 7 };
    while models < wanted(40) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xB_0000);
        let Some((rules, property, vocabulary, written)) = model_at_once(dice) else { continue };
        let polls = at_once(dice);
        let whole: Vec<Callback> = polls.iter().map(|it| Callback::whole(&it.messages)).collect();
        let (begins, pieces) = in_pieces(&polls, &whole);
        if pieces.len() == whole.len() || pieces.len() > most {
            continue;
        }
        let trace = interleaved(&polls);
        let blocks = cut(&property, &vocabulary, &trace);
        let found = predict(property.lifestate().expect("it is one"), &blocks, STATES).0;
        // Most are of these two kinds.
        let is_plain = matches!(found, Prediction::Violation(_) | Prediction::Absence);
        if is_plain && dice.roll(8) > 0 {
            continue;
        }
        models += 1;
        // Polls come once each, so there are no longer words.
        let (of_whole, in_whole) = written.explored(&whole, whole.len());
        let (of_pieces, in_pieces) = match of_whole {
            Some(_) => (None, BTreeSet::new()),
            None => written.explored(&pieces, pieces.len()),
        };
        let place = format!("seed {seed}\n{rules:#?}\n{trace}\n{found:?}\n{of_whole:?} {of_pieces:?}");
        // What words come to, by the places of whole callbacks.
        let came = in_pieces.into_iter().map(|(piece, at)| (begins[piece].0, begins[piece].1 + at));
        let reached: BTreeSet<(usize, usize)> = in_whole.into_iter().chain(came).collect();
        match &found {
            Prediction::Violation(word) => {
                assert_eq!(Some(word.blocks.len()), of_whole, "{place}");
                violated += 1;
            }
            Prediction::Absence => {
                assert_eq!((of_whole, of_pieces), (None, None), "{place}");
                assert!(written.prohibited(&whole).is_subset(&reached), "{place}");
                absent += 1;
            }
            Prediction::Unreached(it) => {
                assert_eq!((of_whole, of_pieces), (None, None), "{place}");
                assert!(!reached.contains(&it.first), "{place}");
                assert!(written.prohibited(&whole).difference(&reached).count() <= it.calls, "{place}");
                unreached += 1;
            }
            Prediction::Unknown(Gap::Overlap(_)) => {
                assert_eq!(of_whole, None, "{place}");
                assert!(of_pieces.is_some(), "{place}");
                open += 1;
            }
            Prediction::Unknown(_) => panic!("{place}"),
        }
    }
    let found = (violated, absent, unreached, open);
    assert!(violated > 0 && absent > 0 && unreached > 0 && open > 0, "{found:?}");
}
