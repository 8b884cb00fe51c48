//! Whether another order of the callbacks of a trace could violate a model: a word of callbacks, each as often as one likes, that the model
//! allows and that contains a violation (section 5.2 of the paper).
//!
//! For each message that can be prohibited, the states of its [cone](crate::evaluation::lifestate::cone) are searched breadth first, so that
//! the first word found has the fewest callbacks. Cones that are equal are searched once.

use std::collections::{HashMap, HashSet};

use crate::evaluation::lifestate::blocks::Blocks;
use crate::evaluation::lifestate::cone::{Ask, Cone, Grounding};
use crate::evaluation::lifestate::history::{History, Reason};
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Lifestate, Machine};

/// How many states are searched, where nobody says so.
pub const STATES: usize = 1 << 20;

/// How many bindings a cone can have.
const MOST_INSTANCES: usize = 1 << 12;

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
    let grounding = Grounding::new(lifestate, blocks, MOST_INSTANCES);
    let mut effort = Effort::default();
    let mut searched: HashSet<Cone> = HashSet::new();
    let mut best: Option<Vec<usize>> = None;
    let mut is_complete = true;
    for target in 0..blocks.grounds.len() {
        let message = blocks.grounds[target].message();
        let prohibits = |it: &crate::model::lifestate::Rule| {
            it.sign == Sign::Prohibits && Some(it.message.head) == message.head
        };
        let can_be =
            message.refused || !lifestate.conflicts.is_empty() || lifestate.rules.iter().any(prohibits);
        if message.kind.is_back() || !can_be {
            continue;
        }
        effort.targets += 1;
        let Ok((cone, stand_for)) = grounding.cone(target) else {
            is_complete = false;
            continue;
        };
        if searched.contains(&cone) {
            continue;
        }
        effort.cones += 1;
        let longest = best.as_ref().map_or(usize::MAX, |it| it.len() - 1);
        let left = most_states.saturating_sub(effort.states);
        let search = Search::new(&grounding, &cone).run(longest, left, &mut effort.states);
        match search {
            Found::Word(word) => best = Some(word.into_iter().map(|it| stand_for[it]).collect()),
            Found::Nothing => {}
            Found::Limit => is_complete = false,
        }
        searched.insert(cone);
    }
    let prediction = match best {
        Some(word) => match replayed(lifestate, blocks, word) {
            Some(word) => Prediction::Violation(Word { may_be_longer: !is_complete, ..word }),
            None => Prediction::Unknown,
        },
        None if is_complete => Prediction::Absence,
        None => Prediction::Unknown,
    };
    (prediction, effort)
}

/// The word with its violation, checked by the monitor; `None` where that finds none, or the model does not allow the word.
fn replayed(lifestate: &Lifestate, blocks: &Blocks, word: Vec<usize>) -> Option<Word> {
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

/// What a search comes to.
enum Found {
    /// The places of blocks of the cone.
    Word(Vec<usize>),
    Nothing,
    Limit,
}

/// The states of the instances, and behind them a bit for each message that is allowed.
type State = Box<[u32]>;

struct Search<'a> {
    cone: &'a Cone,
    machines: Vec<&'a Machine>,
    /// The instances that every message moves.
    busy: Vec<u32>,
}

/// How a block goes on from a state.
enum Outcome {
    Violated,
    /// The model does not allow it.
    Impossible,
    Next(State),
}

impl<'a> Search<'a> {
    fn new(grounding: &Grounding<'a>, cone: &'a Cone) -> Search<'a> {
        let machines = cone.instances.iter().map(|it| &grounding.histories(it.machine).machine).collect();
        let busy =
            (0..cone.instances.len() as u32).filter(|it| !cone.instances[*it as usize].is_inert).collect();
        Search { cone, machines, busy }
    }

    /// The state before any callback.
    fn initial(&self) -> State {
        let instances = self.cone.instances.len();
        let mut state: State = vec![Machine::INITIAL; instances + self.cone.messages.div_ceil(32)].into();
        for message in 0..self.cone.messages {
            set(&mut state[instances..], message, true);
        }
        let accepted: Vec<u32> =
            (0..instances as u32).filter(|it| self.machines[*it as usize].accepts_empty).collect();
        self.say(&mut state, &accepted);
        state
    }

    /// What instances say that have accepted a history.
    fn say(&self, state: &mut State, accepted: &[u32]) {
        let allowed = &mut state[self.cone.instances.len()..];
        let instances = || accepted.iter().map(|it| &self.cone.instances[*it as usize]);
        for (message, sign) in instances().flat_map(|it| &it.applies_to) {
            set(allowed, *message, *sign == Sign::Permits);
        }
        if instances().any(|it| it.is_conflict) {
            allowed.fill(0);
        }
    }

    fn step(&self, state: &mut State, moves: &[(u32, u16)], accepted: &mut Vec<u32>) {
        accepted.clear();
        let mut go = |state: &mut State, instance: u32, letter: u16| {
            let next = self.machines[instance as usize].next(state[instance as usize], usize::from(letter));
            state[instance as usize] = next.to;
            if next.accepts {
                accepted.push(instance);
            }
        };
        for (instance, letter) in moves {
            go(state, *instance, *letter);
        }
        for instance in self.busy.iter().filter(|it| moves.iter().all(|(moved, _)| moved != *it)) {
            go(state, *instance, 0);
        }
        self.say(state, accepted);
    }

    fn block(&self, from: &State, block: usize, accepted: &mut Vec<u32>) -> Outcome {
        let mut state = from.clone();
        for step in &self.cone.blocks[block] {
            let is_allowed = |message: u32| is_set(&state[self.cone.instances.len()..], message as usize);
            match step.asks {
                Some(Ask::Refused) => return Outcome::Violated,
                Some(Ask::Target) if !is_allowed(0) => return Outcome::Violated,
                Some(Ask::Permitted(message)) if !is_allowed(message) => return Outcome::Impossible,
                _ => {}
            }
            self.step(&mut state, &step.moves, accepted);
        }
        Outcome::Next(state)
    }

    /// The shortest word with a violation, if it has at most `longest` blocks and is found among so many states.
    fn run(&self, longest: usize, most: usize, count: &mut usize) -> Found {
        let mut places: HashMap<State, u32> = HashMap::new();
        // By number of the state: where it comes from, by which block, and how many blocks lead there.
        let mut ways: Vec<(u32, u32, u32)> = vec![(0, 0, 0)];
        let mut states: Vec<State> = vec![self.initial()];
        places.insert(states[0].clone(), 0);
        let mut accepted = Vec::new();
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            let length = ways[at].2;
            if length as usize >= longest {
                break;
            }
            for block in 0..self.cone.blocks.len() {
                match self.block(&state, block, &mut accepted) {
                    Outcome::Impossible => {}
                    Outcome::Violated => {
                        *count += states.len();
                        let mut word = vec![block];
                        let mut from = at;
                        while from > 0 {
                            word.push(ways[from].1 as usize);
                            from = ways[from].0 as usize;
                        }
                        word.reverse();
                        return Found::Word(word);
                    }
                    Outcome::Next(next) => {
                        if !places.contains_key(&next) {
                            if states.len() >= most {
                                *count += states.len();
                                return Found::Limit;
                            }
                            places.insert(next.clone(), states.len() as u32);
                            states.push(next);
                            ways.push((at as u32, block as u32, length + 1));
                        }
                    }
                }
            }
            at += 1;
        }
        *count += states.len();
        Found::Nothing
    }
}

fn set(bits: &mut [u32], at: usize, to: bool) {
    if to {
        bits[at / 32] |= 1 << (at % 32);
    } else {
        bits[at / 32] &= !(1 << (at % 32));
    }
}

fn is_set(bits: &[u32], at: usize) -> bool {
    bits[at / 32] >> (at % 32) & 1 == 1
}
