//! Whether words of callbacks come as far as to the messages that could be prohibited. A model allows no violation of a call, either, that it
//! never lets come: what the call rests on may be outside of callbacks, or the model may be wrong. Then nothing is proved of the call.

use std::collections::{HashMap, HashSet};

use crate::evaluation::lifestate::blocks::{Block, Blocks};
use crate::evaluation::lifestate::cone::{Goal, Grounding};
use crate::evaluation::lifestate::decide::{Question, decide};
use crate::evaluation::lifestate::ground::Order;
use crate::evaluation::lifestate::history::{History, Reason};
use crate::evaluation::lifestate::predict::{Effort, can_be_prohibited};
use crate::evaluation::lifestate::problem::Solver;
use crate::evaluation::lifestate::program::{Program, program};
use crate::evaluation::lifestate::search::Found;
use crate::model::lifestate::Lifestate;

/// How many calls are searched for, one by one, that the order of the trace does not reach.
const MOST_SEARCHED: usize = 1 << 8;

/// How many messages are run again because a callback did not come to its end.
const MOST_AGAIN: usize = 1 << 20;

/// The places of a callback and of a message in it.
pub type Place = (usize, usize);

/// Calls that could be prohibited, and that no word comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// How many calls there are, of which no word is known. Callbacks that are the same have the same calls.
    pub calls: usize,
    /// How many calls could be prohibited.
    pub of: usize,
    /// The first one to which no word comes.
    pub first: Place,
    /// What keeps it from coming where callbacks come in the order of the trace, if that is known.
    pub kept_by: Option<Kept>,
}

/// A message from the library that the model does not permit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The message.
    pub message: Place,
    /// Why it is not permitted, and by what.
    pub reason: Reason<Place>,
}

/// What is known of the calls that could be prohibited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Words come to all of them.
    All,
    /// No word comes to some of them.
    Not(Unreached),
    /// No word is known that comes to some of them.
    Unclear,
}

/// Looks for words that come to the calls that could be prohibited; where polls overlap, also in pieces. At most so many states are looked at.
pub(crate) fn reach(
    lifestate: &Lifestate,
    blocks: &Blocks,
    (most_states, solver): (usize, Option<&dyn Solver>),
    effort: &mut Effort,
) -> Reach {
    let grounding = Grounding::new(lifestate, blocks, Order::ByTask);
    let mut walk = Walk::new(&grounding, blocks);
    walk.in_order(&(0..blocks.blocks.len()).collect::<Vec<_>>());
    let of = walk.calls(|_| true).len();
    let mut left = walk.search(|_| true, (most_states, solver), effort);
    let mut kept = walk.kept_by(&left, |it| it);
    if blocks.overlap.is_some() && !left.is_empty() {
        let pieces = blocks.in_pieces();
        let begins = begins(blocks, &pieces);
        let of_whole = |(piece, at): Place| (begins[piece].0, begins[piece].1 + at);
        let open: HashSet<Place> = left.never.iter().chain(&left.unclear).copied().collect();
        let grounding = Grounding::new(lifestate, &pieces, Order::ByTask);
        let mut walk = Walk::new(&grounding, &pieces);
        // As they came in the trace.
        let mut order: Vec<usize> = (0..pieces.blocks.len()).collect();
        order.sort_by_key(|it| pieces.blocks[*it].messages.first().map(|it| it.event.time));
        walk.in_order(&order);
        let in_pieces = walk.search(|it| open.contains(&of_whole(it)), (most_states, solver), effort);
        kept = walk.kept_by(&in_pieces, of_whole);
        let of_all = |all: &[Place]| all.iter().map(|it| of_whole(*it)).collect();
        left = Left { never: of_all(&in_pieces.never), unclear: of_all(&in_pieces.unclear) };
    }
    match left.never.first() {
        Some(first) => Reach::Not(Unreached {
            calls: left.never.len() + left.unclear.len(),
            of,
            first: *first,
            kept_by: kept,
        }),
        None if left.is_empty() => Reach::All,
        None => Reach::Unclear,
    }
}

/// By piece: where it begins in the whole callbacks.
fn begins(blocks: &Blocks, pieces: &Blocks) -> Vec<Place> {
    let mut found = Vec::with_capacity(pieces.blocks.len());
    let (mut block, mut at) = (0, 0);
    for piece in &pieces.blocks {
        found.push((block, at));
        at += piece.messages.len();
        if at >= blocks.blocks[block].messages.len() {
            (block, at) = (block + 1, 0);
        }
    }
    found
}

/// The calls that no word is known to come to, in the order of the trace.
struct Left {
    /// No word comes there.
    never: Vec<Place>,
    unclear: Vec<Place>,
}

impl Left {
    fn is_empty(&self) -> bool {
        self.never.is_empty() && self.unclear.is_empty()
    }
}

/// How far callbacks come in words that the model allows.
struct Walk<'a> {
    grounding: &'a Grounding<'a>,
    blocks: &'a Blocks,
    /// By callback of the ground: to how many of its messages.
    come: Vec<usize>,
    /// By recorded callback that did not come to its end in the order of the trace: why.
    kept: HashMap<usize, Kept>,
}

impl<'a> Walk<'a> {
    fn new(grounding: &'a Grounding<'a>, blocks: &'a Blocks) -> Walk<'a> {
        Walk { grounding, blocks, come: vec![0; grounding.ground.blocks.len()], kept: HashMap::new() }
    }

    /// Runs a callback. What does not let it come to its end, and how many messages came before that.
    fn run(&mut self, history: &mut History<Place>, place: usize) -> Option<(Kept, usize)> {
        let Walk { grounding, blocks, come, .. } = self;
        let (ground, lifestate) = (&grounding.ground, grounding.lifestate);
        let mut matter = 0;
        for (at, recorded) in blocks.blocks[place].messages.iter().enumerate() {
            let message = blocks.grounds[recorded.ground].message();
            if message.kind.is_back()
                && let Some(reason) = history.refuses(lifestate, &message)
            {
                return Some((Kept { message: (place, at), reason }, at));
            }
            if let (Some(block), Some(_)) = (ground.of_recorded[place], ground.of_message[recorded.ground]) {
                matter += 1;
                come[block] = come[block].max(matter);
            }
            history.push(lifestate, &message, (place, at));
        }
        None
    }

    /// Runs all callbacks in the order of the trace, but for those that the model does not permit then and what these keep from coming.
    fn in_order(&mut self, order: &[usize]) {
        let lifestate = self.grounding.lifestate;
        let mut history = History::new(lifestate);
        let mut word: Vec<usize> = Vec::new();
        let mut stopped = HashMap::new();
        let mut again = 0;
        for place in order {
            let Block { task, .. } = self.blocks.blocks[*place];
            if let Some(kept) = task.and_then(|it| stopped.get(&it)) {
                self.kept.insert(*place, *kept);
                continue;
            }
            let Some((kept, came)) = self.run(&mut history, *place) else {
                word.push(*place);
                continue;
            };
            self.kept.insert(*place, kept);
            if let Some(task) = task {
                stopped.insert(task, kept);
            }
            if came > 0 {
                // As if it had not come.
                again += word.iter().map(|it| self.blocks.blocks[*it].messages.len()).sum::<usize>();
                if again > MOST_AGAIN {
                    return;
                }
                history = History::new(lifestate);
                for it in &word {
                    self.run(&mut history, *it);
                }
            }
        }
    }

    /// The recorded place of a message of the ground.
    fn recorded(&self, (block, at): Place) -> Place {
        let ground = &self.grounding.ground;
        let place = ground.stands_for[block];
        let messages = self.blocks.blocks[place].messages.iter().enumerate();
        let mut matter = messages.filter(|(_, it)| ground.of_message[it.ground].is_some());
        (place, matter.nth(at).map_or(0, |it| it.0))
    }

    /// The calls of the ground that could be prohibited, of these recorded ones.
    fn calls(&self, of: impl Fn(Place) -> bool) -> Vec<Place> {
        let Grounding { ground, lifestate, .. } = self.grounding;
        let mut found = Vec::new();
        for (block, messages) in ground.blocks.iter().enumerate() {
            for (at, message) in messages.iter().enumerate() {
                if can_be_prohibited(lifestate, &ground.messages[*message]) && of(self.recorded((block, at)))
                {
                    found.push((block, at));
                }
            }
        }
        found
    }

    /// Searches for words that come to calls of the ground, of these recorded ones. Those for which there is none, as recorded ones.
    fn search(
        &mut self,
        of: impl Fn(Place) -> bool,
        (most_states, solver): (usize, Option<&dyn Solver>),
        effort: &mut Effort,
    ) -> Left {
        let calls = self.calls(of);
        let mut left = Left { never: Vec::new(), unclear: Vec::new() };
        let mut searched: HashMap<Program, bool> = HashMap::new();
        let (mut stopped, mut ended) = (HashSet::new(), None);
        let mut count = 0;
        for (block, at) in calls {
            if at < self.come[block] {
                continue;
            }
            let task = self.grounding.ground.links[block].map(|it| it.task);
            let recorded = self.recorded((block, at));
            // Nothing comes behind what never comes.
            if ended == Some(block) || task.is_some_and(|it| stopped.contains(&it)) {
                left.never.push(recorded);
                continue;
            }
            count += 1;
            let states = most_states.saturating_sub(effort.states);
            let never = count <= MOST_SEARCHED
                && self.is_never(block, at, &mut searched, (states, solver), effort) == Some(true);
            if never {
                left.never.push(recorded);
                ended = Some(block);
                stopped.extend(task);
            } else if at >= self.come[block] {
                left.unclear.push(recorded);
            }
        }
        left
    }

    /// Searches for a word that comes to a call, and follows it. `None` where not all was searched.
    fn is_never(
        &mut self,
        block: usize,
        at: usize,
        searched: &mut HashMap<Program, bool>,
        limits: (usize, Option<&dyn Solver>),
        effort: &mut Effort,
    ) -> Option<bool> {
        let grounding = self.grounding;
        let cone = grounding.cone(Goal::Reached { block, at }).ok()?;
        let (program, who) = program(grounding, &cone);
        if searched.get(&program) == Some(&true) {
            return Some(true);
        }
        let question = Question { cone: &cone, program: &program, who: &who, longest: usize::MAX };
        let never = match decide(grounding, &question, limits, effort) {
            Found::Nothing => true,
            Found::Limit => return None,
            Found::Word { blocks, .. } => {
                let mut history = History::new(grounding.lifestate);
                for it in blocks {
                    if self.run(&mut history, grounding.ground.stands_for[it]).is_some() {
                        break;
                    }
                }
                false
            }
        };
        searched.insert(program, never);
        Some(never)
    }

    /// What keeps the first call from coming that never comes.
    fn kept_by(&self, left: &Left, of_whole: impl Fn(Place) -> Place) -> Option<Kept> {
        let Kept { message, reason } = *self.kept.get(&left.never.first()?.0)?;
        let reason = match reason {
            Reason::Rule(rule, mark) => Reason::Rule(rule, mark.map(&of_whole)),
            Reason::Inconsistent(permits, prohibits) => Reason::Inconsistent(permits, prohibits),
        };
        Some(Kept { message: of_whole(message), reason })
    }
}
