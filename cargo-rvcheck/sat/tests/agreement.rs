//! The solver against the search and against the naive oracle, over random models and callbacks.
//!
//! `LIFESTATE_MODELS` asks for more models.

#[path = "../../../rvcheck-runtime/spec/tests/kit/lifestates/mod.rs"]
mod kit;

use kit::dice::Dice;
use kit::random::{callbacks, model, script};
use kit::{cut, lines};
use rvcheck_oracles::lifestates::Callback;
use rvcheck_sat::Sat;
use rvcheck_spec::evaluation::lifestate::predict::{Prediction, STATES, predict, predict_with};

/// The longest words that the oracle tries, of few callbacks and of more.
const LONGEST: usize = 3;
const LONGEST_OF_MANY: usize = 2;

fn wanted(usual: u64) -> u64 {
    std::env::var("LIFESTATE_MODELS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// How many callbacks the word of a prediction has, and what it is otherwise.
fn length(prediction: &Prediction) -> Result<usize, &Prediction> {
    match prediction {
        Prediction::Violation(word) => Ok(word.blocks.len()),
        other => Err(other),
    }
}

#[test]
fn the_solver_finds_words_as_short_as_the_search_does_and_the_same_proofs() {
    let (mut models, mut seed) = (0, 0);
    let (mut violated, mut absent, mut solved) = (0_u64, 0_u64, 0);
    while models < wanted(400) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0x3_0000);
        let Some((rules, property, vocabulary, _)) = model(dice) else { continue };
        models += 1;
        let text: Vec<String> = callbacks(dice).concat().iter().map(script).collect();
        let blocks = cut(&property, &vocabulary, &lines(&text.join("; ")));
        let lifestate = property.lifestate().expect("it is one");
        let place = format!("seed {seed}\n{rules:#?}\n{text:#?}");
        let (searched, _) = predict(lifestate, &blocks, STATES);
        // No state is looked at.
        let (found, effort) = predict_with(lifestate, &blocks, 0, Some(&Sat::default()));
        solved += effort.solved;
        match (length(&searched), length(&found)) {
            (Ok(length), Ok(other)) => {
                // A poll of which nothing matters counts for the search only.
                let may_be_longer = matches!(&found, Prediction::Violation(word) if word.may_be_longer);
                assert!(length == other || may_be_longer && length < other, "{length} {other} {place}");
                violated += 1;
            }
            (Err(searched), Err(found)) => {
                assert_eq!(searched, found, "{place}");
                absent += 1;
            }
            _ => panic!("{searched:?}\n{found:?}\n{place}"),
        }
    }
    assert!(violated > 30 && absent > 20 && solved > 50, "{violated} {absent} {solved}");
}

#[test]
fn the_solver_says_what_the_oracle_says() {
    let (mut models, mut seed, mut violated, mut absent) = (0, 0, 0_u64, 0_u64);
    while models < wanted(24) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0x7_0000);
        let Some((rules, property, vocabulary, written)) = model(dice) else { continue };
        models += 1;
        let callbacks = callbacks(dice);
        let text: Vec<String> = callbacks.concat().iter().map(script).collect();
        let blocks = cut(&property, &vocabulary, &lines(&text.join("; ")));
        let lifestate = property.lifestate().expect("it is one");
        let longest = if callbacks.len() > 3 { LONGEST_OF_MANY } else { LONGEST };
        let (found, _) = predict_with(lifestate, &blocks, 0, Some(&Sat::default()));
        let place = format!("seed {seed}\n{rules:#?}\n{text:#?}\n{found:?}");
        let whole: Vec<Callback> = callbacks.iter().map(|it| Callback::whole(it)).collect();
        match (found, written.predicted(&whole, longest)) {
            (Prediction::Violation(word), Some(length)) => {
                let is_as_short = word.blocks.len() == length;
                assert!(is_as_short || word.may_be_longer && word.blocks.len() > length, "{length} {place}");
                violated += 1;
            }
            (Prediction::Violation(word), None) => assert!(word.blocks.len() > longest, "{place}"),
            (Prediction::Absence | Prediction::Unreached(_), None) => absent += 1,
            (_, expected) => panic!("{expected:?} {place}"),
        }
    }
    assert!(violated > 0 && absent > 0, "{violated} {absent}");
}
