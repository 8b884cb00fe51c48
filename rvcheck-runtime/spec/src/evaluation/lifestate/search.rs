//! Breadth-first search over the states of a program, for the word with the fewest callbacks that has a violation.
//!
//! Values that can be exchanged are told apart by their states alone: a state says how many of them are in which. So callbacks of values
//! in the same state are tried once.

use std::collections::HashMap;

use crate::evaluation::lifestate::cone::Grounding;
use crate::evaluation::lifestate::program::{Ask, Instance, Place, Program, Step, Who};
use crate::language::lifestate::Sign;
use crate::model::lifestate::Machine;

/// How many numbers the states of a search can have together, and how many it can copy: some hundred MiB, and some seconds.
const MOST_NUMBERS: u64 = 1 << 26;
const MOST_COPIED: u64 = 1 << 33;

/// What a search comes to.
pub(crate) enum Found {
    /// A word of callbacks of the ground.
    Word(Vec<usize>),
    Nothing,
    Limit,
}

/// The states of instances, and behind them a bit for each message that is allowed.
type Local = Box<[u32]>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    shared: Local,
    /// By class: in which states its values are, in ascending order, and how many in each.
    classes: Vec<Vec<(Local, u32)>>,
}

impl State {
    /// How many numbers it has.
    fn size(&self) -> u64 {
        let own = self.classes.iter().flatten().map(|it| it.0.len());
        (self.shared.len() + own.sum::<usize>()) as u64
    }
}

/// A callback that can come in a state: one that all share, or that of a value of a class in such a state.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Choice {
    Shared(usize),
    Own { class: usize, block: usize, from: Local },
}

pub(crate) struct Search<'a> {
    program: &'a Program,
    /// The machines of the shared instances, and those of each class.
    machines: Vec<&'a Machine>,
    own_machines: Vec<Vec<&'a Machine>>,
    is_conflict: Vec<bool>,
    /// The shared instances that every message moves.
    busy: Vec<usize>,
}

/// How a callback goes on from a state.
enum Outcome {
    Violated,
    /// The model does not allow it.
    Impossible,
    Next,
}

/// What a callback changes.
struct Change {
    shared: Local,
    /// The value whose callback it is: its class, and its state.
    own: Option<(usize, Local)>,
    /// What is said of a message of every value: class, message, and whether it is allowed.
    said: Vec<(usize, usize, bool)>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(grounding: &Grounding<'a>, program: &'a Program) -> Search<'a> {
        let of = |all: &[Instance]| all.iter().map(|it| grounding.machine(it.machine)).collect();
        let inert = |it: &usize| grounding.is_inert(program.instances[*it].machine);
        Search {
            program,
            machines: of(&program.instances),
            own_machines: program.classes.iter().map(|it| of(&it.instances)).collect(),
            is_conflict: program.instances.iter().map(|it| grounding.is_conflict(it.machine)).collect(),
            busy: (0..program.instances.len()).filter(|it| !inert(it)).collect(),
        }
    }

    /// The state before any callback.
    fn initial(&self) -> State {
        let local = |instances: usize, messages: usize| {
            let mut local: Local = vec![Machine::INITIAL; instances + messages.div_ceil(32)].into();
            (0..messages).for_each(|it| set(&mut local[instances..], it, true));
            local
        };
        let shared = local(self.program.instances.len(), self.program.messages);
        let mut change = Change { shared, own: None, said: Vec::new() };
        let accepted = |machines: &[&Machine]| -> Vec<usize> {
            (0..machines.len()).filter(|it| machines[*it].accepts_empty).collect()
        };
        let places: Vec<Place> = accepted(&self.machines).into_iter().map(Place::Shared).collect();
        self.say(&mut change, &places);
        let Change { mut shared, mut said, .. } = change;
        let mut classes = Vec::new();
        for (class, it) in self.program.classes.iter().enumerate() {
            let own = Some((class, local(it.instances.len(), it.messages)));
            let mut change = Change { shared, own, said };
            self.spread(&mut change);
            let places: Vec<Place> =
                accepted(&self.own_machines[class]).into_iter().map(|at| Place::Own(class, at)).collect();
            self.say(&mut change, &places);
            let own = change.own.map_or_else(Local::default, |it| it.1);
            classes.push(vec![(own, it.size as u32)]);
            (shared, said) = (change.shared, change.said);
        }
        State { shared, classes }
    }

    /// Lets the value at hand know what is said of all values.
    fn spread(&self, change: &mut Change) {
        let Some((own_class, own)) = &mut change.own else { return };
        let at = self.program.classes[*own_class].instances.len();
        for (class, message, allowed) in &change.said {
            if class == own_class {
                set(&mut own[at..], *message, *allowed);
            }
        }
    }

    /// What instances say that have accepted a history.
    fn say(&self, change: &mut Change, accepted: &[Place]) {
        let shared_at = self.program.instances.len();
        let mut contradicted = false;
        for place in accepted {
            let (instance, is_shared) = match place {
                Place::Shared(at) => {
                    contradicted |= self.is_conflict[*at];
                    (&self.program.instances[*at], true)
                }
                Place::Own(class, at) => (&self.program.classes[*class].instances[*at], false),
            };
            for (message, sign) in &instance.applies_to {
                let allowed = *sign == Sign::Permits;
                match message {
                    Place::Shared(at) => set(&mut change.shared[shared_at..], *at, allowed),
                    Place::Own(class, at) => {
                        if let Some((own_class, own)) = &mut change.own
                            && own_class == class
                        {
                            let own_at = self.program.classes[*class].instances.len();
                            set(&mut own[own_at..], *at, allowed);
                        }
                        if is_shared {
                            change.said.push((*class, *at, allowed));
                        }
                    }
                }
            }
        }
        if contradicted {
            // Programs with conflicts have no classes.
            change.shared[shared_at..].fill(0);
        }
    }

    fn step(&self, change: &mut Change, moves: &[(Place, u16)], accepted: &mut Vec<Place>) {
        accepted.clear();
        for (place, letter) in moves {
            let next = match place {
                Place::Shared(at) => {
                    let next = self.machines[*at].next(change.shared[*at], usize::from(*letter));
                    change.shared[*at] = next.to;
                    next
                }
                Place::Own(class, at) => {
                    let Some((_, own)) = &mut change.own else { continue };
                    let next = self.own_machines[*class][*at].next(own[*at], usize::from(*letter));
                    own[*at] = next.to;
                    next
                }
            };
            if next.accepts {
                accepted.push(*place);
            }
        }
        for at in self.busy.iter().filter(|it| moves.iter().all(|(moved, _)| *moved != Place::Shared(**it))) {
            let next = self.machines[*at].next(change.shared[*at], 0);
            change.shared[*at] = next.to;
            if next.accepts {
                accepted.push(Place::Shared(*at));
            }
        }
        self.say(change, accepted);
    }

    fn is_allowed(&self, change: &Change, message: Place) -> bool {
        match (message, &change.own) {
            (Place::Shared(at), _) => is_set(&change.shared[self.program.instances.len()..], at),
            (Place::Own(class, at), Some((_, own))) => {
                is_set(&own[self.program.classes[class].instances.len()..], at)
            }
            (Place::Own(..), None) => true,
        }
    }

    fn run_block(&self, change: &mut Change, block: &[Step], accepted: &mut Vec<Place>) -> Outcome {
        for step in block {
            match step.asks {
                Some(Ask::Refused) => return Outcome::Violated,
                Some(Ask::Target) if !self.is_allowed(change, Place::Shared(0)) => return Outcome::Violated,
                Some(Ask::Permitted(message)) if !self.is_allowed(change, message) => {
                    return Outcome::Impossible;
                }
                _ => {}
            }
            self.step(change, &step.moves, accepted);
        }
        Outcome::Next
    }

    fn begin(&self, state: &State, choice: &Choice) -> (Change, &'a [Step]) {
        let shared = state.shared.clone();
        match choice {
            Choice::Shared(block) => {
                (Change { shared, own: None, said: Vec::new() }, &self.program.blocks[*block])
            }
            Choice::Own { class, block, from } => {
                let own = Some((*class, from.clone()));
                (Change { shared, own, said: Vec::new() }, &self.program.classes[*class].blocks[*block])
            }
        }
    }

    /// The state of a value of a class after what was said of all.
    fn told(&self, class: usize, local: &Local, said: &[(usize, usize, bool)]) -> Local {
        let mut local = local.clone();
        let at = self.program.classes[class].instances.len();
        for (_, message, allowed) in said.iter().filter(|it| it.0 == class) {
            set(&mut local[at..], *message, *allowed);
        }
        local
    }

    /// The state after a change that a choice has made.
    fn after(&self, state: &State, choice: &Choice, change: Change) -> State {
        let mut classes = state.classes.clone();
        if let Choice::Own { class, from, .. } = choice {
            let all = &mut classes[*class];
            if let Some(at) = all.iter().position(|it| it.0 == *from) {
                all[at].1 -= 1;
            }
        }
        for (class, all) in classes.iter_mut().enumerate() {
            if change.said.iter().any(|it| it.0 == class) {
                for (local, _) in all.iter_mut() {
                    *local = self.told(class, local, &change.said);
                }
            }
        }
        if let Some((class, own)) = change.own {
            classes[class].push((own, 1));
        }
        for all in &mut classes {
            all.retain(|it| it.1 > 0);
            all.sort_unstable();
            all.dedup_by(|next, first| {
                let same = next.0 == first.0;
                if same {
                    first.1 += next.1;
                }
                same
            });
        }
        State { shared: change.shared, classes }
    }

    fn choices(&self, state: &State) -> Vec<Choice> {
        let shared = (0..self.program.blocks.len()).map(Choice::Shared);
        let own = state.classes.iter().enumerate().flat_map(|(class, all)| {
            let blocks = self.program.classes[class].blocks.len();
            all.iter().flat_map(move |(from, _)| {
                (0..blocks).map(move |block| Choice::Own { class, block, from: from.clone() })
            })
        });
        shared.chain(own).collect()
    }

    /// The shortest word with a violation, if it has at most `longest` callbacks and is found among so many states.
    pub(crate) fn run(&self, who: &Who, longest: usize, most: usize, count: &mut usize) -> Found {
        let mut places: HashMap<State, u32> = HashMap::new();
        // By number of the state: where it comes from, by which callback, and how many lead there.
        let mut ways: Vec<(u32, Option<Choice>, u32)> = vec![(0, None, 0)];
        let mut states: Vec<State> = vec![self.initial()];
        places.insert(states[0].clone(), 0);
        let mut accepted = Vec::new();
        let mut at = 0;
        let (mut kept, mut copied) = (states[0].size(), 0);
        while let Some(state) = states.get(at).cloned() {
            let length = ways[at].2;
            if length as usize >= longest {
                break;
            }
            let choices = self.choices(&state);
            copied += state.size() * choices.len() as u64;
            if copied > MOST_COPIED {
                *count += states.len();
                return Found::Limit;
            }
            for choice in choices {
                let (mut change, block) = self.begin(&state, &choice);
                match self.run_block(&mut change, block, &mut accepted) {
                    Outcome::Impossible => {}
                    Outcome::Violated => {
                        *count += states.len();
                        let mut word = vec![choice];
                        let mut from = at;
                        while let (before, Some(choice), _) = &ways[from] {
                            word.push(choice.clone());
                            from = *before as usize;
                        }
                        word.reverse();
                        return Found::Word(self.named(who, &word));
                    }
                    Outcome::Next => {
                        let next = self.after(&state, &choice, change);
                        if !places.contains_key(&next) {
                            kept += next.size();
                            if states.len() >= most || kept > MOST_NUMBERS {
                                *count += states.len();
                                return Found::Limit;
                            }
                            places.insert(next.clone(), states.len() as u32);
                            states.push(next);
                            ways.push((at as u32, Some(choice), length + 1));
                        }
                    }
                }
            }
            at += 1;
        }
        *count += states.len();
        Found::Nothing
    }

    /// The callbacks of a word, with a value for each that is in the right state then.
    fn named(&self, who: &Who, word: &[Choice]) -> Vec<usize> {
        let mut state = self.initial();
        let mut values: Vec<Vec<Local>> = state
            .classes
            .iter()
            .map(|all| all.iter().flat_map(|(local, count)| vec![local.clone(); *count as usize]).collect())
            .collect();
        let mut named = Vec::new();
        let mut accepted = Vec::new();
        for choice in word {
            let (mut change, block) = self.begin(&state, choice);
            self.run_block(&mut change, block, &mut accepted);
            let mut acting = None;
            match choice {
                Choice::Shared(block) => named.extend(who.shared.get(*block)),
                Choice::Own { class, block, from } => {
                    acting = values[*class].iter().position(|it| it == from).map(|value| (*class, value));
                    let blocks = acting.and_then(|(class, value)| who.own[class].get(value));
                    named.extend(blocks.and_then(|it| it.get(*block)));
                }
            }
            for (class, all) in values.iter_mut().enumerate() {
                for local in all.iter_mut() {
                    *local = self.told(class, local, &change.said);
                }
            }
            if let (Some((class, value)), Some((_, own))) = (acting, &change.own) {
                values[class][value].clone_from(own);
            }
            state = self.after(&state, choice, change);
        }
        named
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
