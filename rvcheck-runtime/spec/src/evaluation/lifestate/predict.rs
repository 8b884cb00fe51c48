//! Whether another order of the callbacks of a trace could violate a model: a word of callbacks, each as often as one likes, that the model
//! allows and that contains a violation (section 5.2 of the paper).
//!
//! Polls of a task are no such callbacks: each comes once at most, and behind all earlier ones of that task.
//!
//! For each message that can be prohibited, the states of its cone are searched for a word with the fewest callbacks. What is alike but for
//! its values is searched once. Where there are polls, a search in which they come in any order precedes: it has fewer states, and what it
//! proves holds.

use std::collections::{HashMap, HashSet};

use crate::evaluation::lifestate::blocks::Blocks;
use crate::evaluation::lifestate::cone::{Goal, Grounding};
use crate::evaluation::lifestate::decide::{Question, decide};
use crate::evaluation::lifestate::ground::{Order, Sent, with_any};
use crate::evaluation::lifestate::history::{History, Reason};
use crate::evaluation::lifestate::overlap::Overlap;
use crate::evaluation::lifestate::problem::Solver;
use crate::evaluation::lifestate::program::{Program, program};
use crate::evaluation::lifestate::reach::{Reach, Unreached, reach};
use crate::evaluation::lifestate::search::Found;
use crate::evaluation::lifestate::values::{ABSENT, Number};
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Lifestate, Rule};

/// How many states are searched, where nobody says so.
pub const STATES: usize = 1 << 20;

/// What is known of the other orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prediction {
    /// This word is violated; no word of fewer callbacks is.
    Violation(Word),
    /// No word is violated, and words come to all messages that could be prohibited.
    Absence,
    /// No word is violated, but no word comes to these messages, either: nothing is proved of them.
    Unreached(Unreached),
    /// There may be a word that is violated, or an order that is no word.
    Unknown(Gap),
}

/// Why nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Not all states were searched.
    States,
    /// No word is violated, but not all states were searched for words that come to the messages that could be prohibited.
    Reach,
    /// No word is violated, but these polls overlap, and could violate something in a way that is no word of whole callbacks.
    Overlap(Overlap),
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
    /// How many cones the solver decided.
    pub solved: usize,
}

/// Searches. At most so many states are looked at.
pub fn predict(lifestate: &Lifestate, blocks: &Blocks, most_states: usize) -> (Prediction, Effort) {
    predict_with(lifestate, blocks, most_states, None)
}

/// Searches as [`predict`] does. A message that takes more than some thousand states is left to the solver, if there is one; and what the
/// solver cannot decide is searched for.
pub fn predict_with(
    lifestate: &Lifestate,
    blocks: &Blocks,
    most_states: usize,
    solver: Option<&dyn Solver>,
) -> (Prediction, Effort) {
    let mut effort = Effort::default();
    let found = searched(lifestate, blocks, (most_states, solver), &mut effort);
    if found != Prediction::Absence || effort.targets == 0 {
        return (found, effort);
    }
    if let Some(overlap) = blocks.overlap {
        // It is proved if nothing can be violated in the midst of polls, either.
        let mut more = Effort::default();
        let left = most_states.saturating_sub(effort.states);
        let found = searched(lifestate, &blocks.in_pieces(), (left, solver), &mut more);
        effort.states += more.states;
        effort.solved += more.solved;
        if found != Prediction::Absence {
            return (Prediction::Unknown(Gap::Overlap(overlap)), effort);
        }
    }
    let found = match reach(lifestate, blocks, (most_states, solver), &mut effort) {
        Reach::All => Prediction::Absence,
        Reach::Not(unreached) => Prediction::Unreached(unreached),
        Reach::Unclear => Prediction::Unknown(Gap::Reach),
    };
    (found, effort)
}

/// Searches for a word that is violated.
fn searched(
    lifestate: &Lifestate,
    blocks: &Blocks,
    (most_states, solver): (usize, Option<&dyn Solver>),
    effort: &mut Effort,
) -> Prediction {
    let mut safe = HashSet::new();
    let mut answer = None;
    if blocks.blocks.iter().any(|it| it.task.is_some()) {
        // As if polls were callbacks like all others: there are fewer states, and more words. What none of these violates is safe.
        let grounding = Grounding::new(lifestate, blocks, Order::Free);
        let mut survey = Survey { each: true, ..Survey::new(&grounding, most_states / 2) };
        survey.run(&safe, effort);
        let is_safe = survey.is_complete && survey.best.is_none();
        let is_possible = survey.best.as_ref().is_some_and(|it| keeps_order(blocks, it));
        if is_safe || is_possible {
            answer = Some((survey.best.take(), survey.is_complete));
        }
        safe = survey.safe;
    }
    let (best, is_complete) = answer.unwrap_or_else(|| {
        let grounding = Grounding::new(lifestate, blocks, Order::ByTask);
        let left = most_states.saturating_sub(effort.states);
        let mut survey = Survey { solver, ..Survey::new(&grounding, left) };
        effort.targets = 0;
        survey.run(&safe, effort);
        (survey.best, survey.is_complete)
    });
    match best {
        Some(word) => match replayed(lifestate, blocks, &word) {
            Some(word) => Prediction::Violation(Word { may_be_longer: !is_complete, ..word }),
            None => Prediction::Unknown(Gap::States),
        },
        None if !is_complete => Prediction::Unknown(Gap::States),
        None => Prediction::Absence,
    }
}

/// The search for all messages that can be prohibited.
struct Survey<'a> {
    grounding: &'a Grounding<'a>,
    most_states: usize,
    /// Each message is searched for to its end, also where a shorter word is known for another one.
    each: bool,
    /// What decides the messages that have more states.
    solver: Option<&'a dyn Solver>,
    /// The recorded callbacks of the shortest word so far.
    best: Option<Vec<usize>>,
    /// The messages that no word violates.
    safe: HashSet<Sent>,
    is_complete: bool,
}

impl<'a> Survey<'a> {
    fn new(grounding: &'a Grounding<'a>, most_states: usize) -> Survey<'a> {
        Survey {
            grounding,
            most_states,
            each: false,
            solver: None,
            best: None,
            safe: HashSet::new(),
            is_complete: true,
        }
    }

    /// Searches for those messages that are not known to be safe.
    fn run(&mut self, safe: &HashSet<Sent>, effort: &mut Effort) {
        let ground = &self.grounding.ground;
        // By program, and by message without what can be exchanged in it: no word violates it.
        let mut searched: HashMap<Program, bool> = HashMap::new();
        let mut asked: HashMap<Sent, bool> = HashMap::new();
        for (target, sent) in ground.messages.iter().enumerate() {
            if !can_be_prohibited(self.grounding.lifestate, sent) {
                continue;
            }
            effort.targets += 1;
            if safe.contains(sent) {
                continue;
            }
            // What can be exchanged for another one has been asked there.
            let values = match ground.member(&sent.values) {
                Some((class, value)) => {
                    let mut values = with_any(&sent.values, value);
                    values.push(class as u32);
                    values
                }
                None => sent.values.clone(),
            };
            let like = Sent { values, ..sent.clone() };
            let is_safe = match asked.get(&like) {
                Some(known) => *known,
                None => {
                    let is_safe = self.ask(target, &mut searched, effort);
                    asked.insert(like, is_safe);
                    is_safe
                }
            };
            if is_safe {
                self.safe.insert(sent.clone());
            }
        }
    }

    /// Searches for one message. Whether it is safe.
    fn ask(&mut self, target: usize, searched: &mut HashMap<Program, bool>, effort: &mut Effort) -> bool {
        let Ok(cone) = self.grounding.cone(Goal::Prohibited(target)) else {
            self.is_complete = false;
            return false;
        };
        let (program, who) = program(self.grounding, &cone);
        if let Some(known) = searched.get(&program) {
            return *known;
        }
        effort.cones += 1;
        let shorter = self.best.as_ref().map_or(usize::MAX, |it| it.len() - 1);
        let longest = if self.each { usize::MAX } else { shorter };
        let left = self.most_states.saturating_sub(effort.states);
        let question = Question { cone: &cone, program: &program, who: &who, longest };
        let found = decide(self.grounding, &question, (left, self.solver), effort);
        let is_safe = match found {
            Found::Word { blocks, is_shortest } => {
                self.is_complete &= is_shortest;
                if blocks.len() <= shorter {
                    let stands_for = &self.grounding.ground.stands_for;
                    self.best = Some(blocks.into_iter().map(|it| stands_for[it]).collect());
                }
                false
            }
            Found::Nothing => longest == usize::MAX,
            Found::Limit => {
                self.is_complete = false;
                false
            }
        };
        searched.insert(program, is_safe);
        is_safe
    }
}

/// Whether there are rules that could prohibit a message.
pub(crate) fn can_be_prohibited(lifestate: &Lifestate, sent: &Sent) -> bool {
    let prohibits = |it: &Rule| it.sign == Sign::Prohibits && Some(it.message.head) == sent.head;
    !sent.kind.is_back()
        && (sent.refused || !lifestate.conflicts.is_empty() || lifestate.rules.iter().any(prohibits))
}

/// Whether the polls of each task come once each, and in their order.
fn keeps_order(blocks: &Blocks, word: &[usize]) -> bool {
    let mut polls: HashMap<Number, Vec<usize>> = HashMap::new();
    for (place, block) in blocks.blocks.iter().enumerate() {
        polls.entry(block.task.unwrap_or(ABSENT)).or_default().push(place);
    }
    let mut done: HashMap<Number, usize> = HashMap::new();
    word.iter().all(|place| {
        let Some(task) = blocks.blocks[*place].task else { return true };
        let done = done.entry(task).or_default();
        *done += 1;
        polls[&task].get(*done - 1) == Some(place)
    })
}

/// The word with its violation, checked by the monitor; `None` where that finds none, or the model does not allow the word.
pub fn replayed(lifestate: &Lifestate, blocks: &Blocks, word: &[usize]) -> Option<Word> {
    if !keeps_order(blocks, word) {
        return None;
    }
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
