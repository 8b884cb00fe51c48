//! Search over the states of a program, for the word with the fewest callbacks that has a violation (Dijkstra 1959: a poll can stand for
//! several; where none does, it is breadth first).
//!
//! Values that can be exchanged are told apart by their states alone: a state says how many of them are in which. So callbacks of values
//! in the same state are tried once.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::evaluation::lifestate::cone::Grounding;
use crate::evaluation::lifestate::program::{Ask, Callback, Class, Instance, Place, Program, Who};
use crate::language::lifestate::Sign;
use crate::model::lifestate::Machine;

/// How many numbers the states of a search can have together, and how many it can copy: some hundred MiB, and some seconds.
const MOST_NUMBERS: u64 = 1 << 26;
const MOST_COPIED: u64 = 1 << 33;

/// What a search comes to.
pub(crate) enum Found {
    /// A word of callbacks of the ground; there may be a shorter one where not all states were searched.
    Word {
        blocks: Vec<usize>,
        is_shortest: bool,
    },
    /// No word, or none that is short enough.
    Nothing,
    Limit,
}

/// The states of instances, behind them a bit for each message that is allowed, and last how many polls of each task have been.
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
    /// The shared callbacks that can come again, and the polls of each task.
    repeatable: Vec<usize>,
    polls: Vec<Vec<usize>>,
    /// The same of each class, which has one task at most.
    own: Vec<(Vec<usize>, Vec<usize>)>,
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
        let (repeatable, polls) = parted(&program.blocks, program.tasks);
        let of_class = |class: &Class| {
            let (repeatable, mut polls) = parted(&class.blocks, 1);
            (repeatable, polls.pop().unwrap_or_default())
        };
        Search {
            program,
            machines: of(&program.instances),
            own_machines: program.classes.iter().map(|it| of(&it.instances)).collect(),
            is_conflict: program.instances.iter().map(|it| grounding.is_conflict(it.machine)).collect(),
            busy: (0..program.instances.len()).filter(|it| !inert(it)).collect(),
            repeatable,
            polls,
            own: program.classes.iter().map(of_class).collect(),
        }
    }

    /// The state before any callback.
    fn initial(&self) -> State {
        let local = |instances: usize, messages: usize, tasks: usize| {
            let mut local: Local = vec![Machine::INITIAL; instances + messages.div_ceil(32) + tasks].into();
            (0..messages).for_each(|it| set(&mut local[instances..], it, true));
            local
        };
        let shared = local(self.program.instances.len(), self.program.messages, self.polls.len());
        let mut change = Change { shared, own: None, said: Vec::new() };
        let accepted = |machines: &[&Machine]| -> Vec<usize> {
            (0..machines.len()).filter(|it| machines[*it].accepts_empty).collect()
        };
        let places: Vec<Place> = accepted(&self.machines).into_iter().map(Place::Shared).collect();
        self.say(&mut change, &places);
        let Change { mut shared, mut said, .. } = change;
        let mut classes = Vec::new();
        for (class, it) in self.program.classes.iter().enumerate() {
            let own = Some((class, local(it.instances.len(), it.messages, self.own_tasks(class))));
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

    /// How many tasks each value of a class has: one or none.
    fn own_tasks(&self, class: usize) -> usize {
        usize::from(!self.own[class].1.is_empty())
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
            let tasks_at = change.shared.len() - self.polls.len();
            change.shared[shared_at..tasks_at].fill(0);
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

    fn run_block(&self, change: &mut Change, block: &Callback, accepted: &mut Vec<Place>) -> Outcome {
        for step in &block.steps {
            match step.asks {
                Some(Ask::Goal) => return Outcome::Violated,
                Some(Ask::Target) if !self.is_allowed(change, Place::Shared(0)) => return Outcome::Violated,
                Some(Ask::Permitted(message)) if !self.is_allowed(change, message) => {
                    return Outcome::Impossible;
                }
                _ => {}
            }
            self.step(change, &step.moves, accepted);
        }
        if let Some((task, _)) = block.poll {
            let (local, tasks) = match &mut change.own {
                Some((class, own)) => (own, self.own_tasks(*class)),
                None => (&mut change.shared, self.polls.len()),
            };
            let at = local.len() - tasks + task;
            local[at] += 1;
        }
        Outcome::Next
    }

    fn begin(&self, state: &State, choice: &Choice) -> (Change, &'a Callback) {
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
    fn after_broadcast(&self, class: usize, local: &Local, said: &[(usize, usize, bool)]) -> Local {
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
                    *local = self.after_broadcast(class, local, &change.said);
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
        let next_polls = |local: &Local, polls: &[Vec<usize>]| -> Vec<usize> {
            let done = &local[local.len() - polls.len()..];
            polls.iter().zip(done).filter_map(|(polls, done)| polls.get(*done as usize).copied()).collect()
        };
        let polls = next_polls(&state.shared, &self.polls);
        let shared = self.repeatable.iter().copied().chain(polls).map(Choice::Shared);
        let own = state.classes.iter().enumerate().flat_map(|(class, all)| {
            let (repeatable, polls) = &self.own[class];
            all.iter().flat_map(move |(from, _)| {
                let polls = if polls.is_empty() { Vec::new() } else { vec![polls.clone()] };
                let all = repeatable.iter().copied().chain(next_polls(from, &polls));
                all.map(move |block| Choice::Own { class, block, from: from.clone() })
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
        let mut open = BinaryHeap::from([Reverse((0_u32, 0_u32))]);
        let mut accepted = Vec::new();
        // The shortest word so far: how long it is, from where, and by what.
        let mut best: Option<(usize, u32, Choice)> = None;
        let (mut kept, mut copied) = (states[0].size(), 0);
        let mut is_complete = true;
        'search: while let Some(Reverse((length, at))) = open.pop() {
            // What is reached by fewer has been there before.
            if ways[at as usize].2 < length {
                continue;
            }
            let no_more = best.as_ref().map_or(longest, |it| it.0 - 1);
            if length as usize >= no_more {
                break;
            }
            let state = states[at as usize].clone();
            let choices = self.choices(&state);
            copied += state.size() * choices.len() as u64;
            if copied > MOST_COPIED {
                is_complete = false;
                break;
            }
            for choice in choices {
                let (mut change, block) = self.begin(&state, &choice);
                let reached = length + block.count;
                match self.run_block(&mut change, block, &mut accepted) {
                    Outcome::Impossible => {}
                    Outcome::Violated => {
                        let no_more = best.as_ref().map_or(longest, |it| it.0 - 1);
                        if reached as usize <= no_more {
                            best = Some((reached as usize, at, choice));
                        }
                    }
                    Outcome::Next => {
                        let next = self.after(&state, &choice, change);
                        if let Some(known) = places.get(&next) {
                            let way = &mut ways[*known as usize];
                            if reached < way.2 {
                                *way = (at, Some(choice), reached);
                                open.push(Reverse((reached, *known)));
                            }
                            continue;
                        }
                        kept += next.size();
                        if states.len() >= most || kept > MOST_NUMBERS {
                            is_complete = false;
                            break 'search;
                        }
                        let number = states.len() as u32;
                        places.insert(next.clone(), number);
                        states.push(next);
                        ways.push((at, Some(choice), reached));
                        open.push(Reverse((reached, number)));
                    }
                }
                // Nothing from here is shorter.
                if best.as_ref().is_some_and(|it| it.0 == length as usize + 1) {
                    break 'search;
                }
            }
        }
        *count += states.len();
        let Some((_, mut from, choice)) = best else {
            return if is_complete { Found::Nothing } else { Found::Limit };
        };
        let mut word = vec![choice];
        while let (before, Some(choice), _) = &ways[from as usize] {
            word.push(choice.clone());
            from = *before;
        }
        word.reverse();
        Found::Word { blocks: self.named(who, &word), is_shortest: is_complete }
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
                Choice::Shared(block) => named.extend(who.shared.get(*block).into_iter().flatten()),
                Choice::Own { class, block, from } => {
                    acting = values[*class].iter().position(|it| it == from).map(|value| (*class, value));
                    let blocks = acting.and_then(|(class, value)| who.own[class].get(value));
                    named.extend(blocks.and_then(|it| it.get(*block)).into_iter().flatten());
                }
            }
            for (class, all) in values.iter_mut().enumerate() {
                for local in all.iter_mut() {
                    *local = self.after_broadcast(class, local, &change.said);
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

/// The callbacks that can come again, and the polls of so many tasks.
fn parted(blocks: &[Callback], tasks: usize) -> (Vec<usize>, Vec<Vec<usize>>) {
    let (mut repeatable, mut polls) = (Vec::new(), vec![Vec::new(); tasks]);
    for (at, block) in blocks.iter().enumerate() {
        match block.poll {
            Some((task, _)) => polls[task].push(at),
            None => repeatable.push(at),
        }
    }
    (repeatable, polls)
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
