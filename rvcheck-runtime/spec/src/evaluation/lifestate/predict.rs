//! Whether another order of the callbacks of a trace could violate a model: a word of callbacks, each as often as one likes, that the model
//! allows and that contains a violation (section 5.2 of the paper).
//!
//! For each message that can be prohibited, the states of its cone are searched breadth first, so that the first word found has the fewest
//! callbacks. What is alike but for its values is searched once.

use std::collections::HashSet;

use crate::evaluation::lifestate::blocks::Blocks;
use crate::evaluation::lifestate::cone::Grounding;
use crate::evaluation::lifestate::ground::{Sent, with_any};
use crate::evaluation::lifestate::history::{History, Reason};
use crate::evaluation::lifestate::program::{Program, program};
use crate::evaluation::lifestate::search::{Found, Search};
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Lifestate, Rule};

/// How many states are searched, where nobody says so.
pub const STATES: usize = 1 << 20;

/// What is known of the other orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prediction {
    /// This word is violated; no word of fewer callbacks is.
    Violation(Word),
    /// No word is violated.
    Absence,
    /// There may be a word that is violated: not all states were searched.
    Unknown,
}

/// A word of callbacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The places of the callbacks, in their order.
    pub blocks: Vec<usize>,
    /// The place of the message in the last callback that is the violation.
    pub message: usize,
    /// Why it is prohibited, and by what: the places of a callback in the word and of a message in it. `None` where the library refuses it
    /// and no rule prohibits it.
    pub reason: Option<Reason<(usize, usize)>>,
    /// Shorter words may be violated: not all states were searched.
    pub may_be_longer: bool,
}

/// What was done to know that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// How many different messages could be prohibited.
    pub targets: usize,
    /// How many cones were searched: equal ones are searched once.
    pub cones: usize,
    /// How many states these have, as far as they were searched.
    pub states: usize,
}

/// Searches. At most so many states are looked at.
pub fn predict(lifestate: &Lifestate, blocks: &Blocks, most_states: usize) -> (Prediction, Effort) {
    let grounding = Grounding::new(lifestate, blocks);
    let ground = &grounding.ground;
    let mut effort = Effort::default();
    let mut searched: HashSet<Program> = HashSet::new();
    let mut asked: HashSet<Sent> = HashSet::new();
    let mut best: Option<Vec<usize>> = None;
    let mut is_complete = true;
    for (target, sent) in ground.messages.iter().enumerate() {
        let prohibits = |it: &Rule| it.sign == Sign::Prohibits && Some(it.message.head) == sent.head;
        let can_be = sent.refused || !lifestate.conflicts.is_empty() || lifestate.rules.iter().any(prohibits);
        if sent.kind.is_back() || !can_be {
            continue;
        }
        effort.targets += 1;
        // What can be exchanged for another one has been asked there.
        let values = match ground.member(&sent.values) {
            Some((class, value)) => {
                let mut values = with_any(&sent.values, value);
                values.push(class as u32);
                values
            }
            None => sent.values.clone(),
        };
        if !asked.insert(Sent { values, ..sent.clone() }) {
            continue;
        }
        let Ok(cone) = grounding.cone(target) else {
            is_complete = false;
            continue;
        };
        let (program, who) = program(&grounding, &cone);
        if searched.contains(&program) {
            continue;
        }
        effort.cones += 1;
        let longest = best.as_ref().map_or(usize::MAX, |it| it.len() - 1);
        let left = most_states.saturating_sub(effort.states);
        match Search::new(&grounding, &program).run(&who, longest, left, &mut effort.states) {
            Found::Word(word) => best = Some(word.into_iter().map(|it| ground.stands_for[it]).collect()),
            Found::Nothing => {}
            Found::Limit => is_complete = false,
        }
        searched.insert(program);
    }
    let prediction = match best {
        Some(word) => match replayed(lifestate, blocks, &word) {
            Some(word) => Prediction::Violation(Word { may_be_longer: !is_complete, ..word }),
            None => Prediction::Unknown,
        },
        None if is_complete => Prediction::Absence,
        None => Prediction::Unknown,
    };
    (prediction, effort)
}

/// The word with its violation, checked by the monitor; `None` where that finds none, or the model does not allow the word.
fn replayed(lifestate: &Lifestate, blocks: &Blocks, word: &[usize]) -> Option<Word> {
    let mut history: History<(usize, usize)> = History::new(lifestate);
    for (place, block) in word.iter().enumerate() {
        for (at, recorded) in blocks.blocks[*block].messages.iter().enumerate() {
            let message = blocks.grounds[recorded.ground].message();
            let reason = history.refuses(lifestate, &message);
            if message.kind.is_back() {
                if reason.is_some() {
                    return None;
                }
            } else if reason.is_some() || message.refused {
                let blocks = word[..=place].to_vec();
                return Some(Word { blocks, message: at, reason, may_be_longer: false });
            }
            history.push(lifestate, &message, (place, at));
        }
    }
    None
}
