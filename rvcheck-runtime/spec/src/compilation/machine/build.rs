//! From what is left of a formula after each event to the tables of its machine.

use std::collections::{HashMap, VecDeque};

use crate::compilation::machine::Options;
use crate::compilation::machine::alphabet::{Alphabet, Letter, alphabet};
use crate::compilation::machine::arena::FormId;
use crate::compilation::machine::feasible::Facts;
use crate::compilation::machine::hoist::Hoisted;
use crate::compilation::machine::lower::Lowered;
use crate::compilation::machine::minimal::classes;
use crate::compilation::machine::progress::{Progress, State};
use crate::model::automaton::Role;
use crate::model::formula::Steps;
use crate::model::machine::{Letters, Machine, MachineState, Unsteppable};

/// How many entries the tables may have before the machine is made as small as possible.
const ENTRIES: usize = 1 << 22;

/// A machine before its tables are laid out. State 0 is the first one.
struct Graph {
    /// By state: whether the formula holds if the trace ends there (bit `i`: where the conditions in `i` hold).
    holds: Vec<usize>,
    /// By state and letter.
    next: Vec<Vec<u32>>,
}

/// The machine of the formula `root` behind quantifiers.
pub(super) fn build(
    hoisted: Hoisted,
    lowered: Lowered,
    root: FormId,
    steps: Steps,
    options: Options,
) -> Result<Machine, Unsteppable> {
    let facts = Facts::of(&hoisted.prefix);
    let mut alphabet = alphabet(&lowered.atoms, &facts, options.atoms)?;
    let only_leading = hoisted.prefix.len() == hoisted.written;
    if steps == Steps::Slice && only_leading && alphabet.live == 0 {
        // What matches nothing is no position.
        alphabet.letters.retain(|it| it.kind.is_some());
    }
    let valuations = 1 << lowered.conditions.len();
    let mut progress = Progress::new(lowered, root, options.effort);
    let widths = alphabet.kinds.iter().map(|(_, able)| 1_usize << able.len());
    let width = widths.sum::<usize>().max(alphabet.letters.len());
    let limit = options.states.min(ENTRIES / width.max(1)).max(1);
    let mut graph =
        explore(&mut progress, &alphabet.letters, valuations, Options { states: limit, ..options })?;
    if options.minimal {
        graph = minimised(&graph);
    }
    let roles = roles(&graph, valuations);
    let Lowered { atoms, conditions, .. } = progress.into_lowered();
    let state = |(state, roles)| MachineState { roles, idle: idle(&graph, &alphabet, state) };
    let states: Vec<MachineState> = roles.into_iter().enumerate().map(state).collect();
    let letters = (0..alphabet.kinds.len()).map(|kind| letters(&graph, &alphabet, &states, kind)).collect();
    Ok(Machine { prefix: hoisted.prefix, written: hoisted.written, atoms, conditions, letters, states })
}

/// All states that words lead to, the nearest first.
fn explore(
    progress: &mut Progress,
    letters: &[Letter],
    valuations: usize,
    options: Options,
) -> Result<Graph, Unsteppable> {
    let start = progress.start();
    let mut places: HashMap<State, u32> = HashMap::from([(start.clone(), 0)]);
    let mut open = VecDeque::from([start]);
    let mut graph = Graph { holds: Vec::new(), next: Vec::new() };
    while let Some(state) = open.pop_front() {
        let holds = (0..valuations).filter(|it| progress.holds_at_end(&state, *it));
        graph.holds.push(holds.fold(0, |set, it| set | 1 << it));
        let relevant = progress.relevant(&state);
        // Letters that differ in what does not matter lead to the same state.
        let mut known: HashMap<Vec<usize>, u32> = HashMap::new();
        let mut next = Vec::with_capacity(letters.len());
        for letter in letters {
            let atoms: Vec<usize> = letter.atoms.iter().copied().filter(|atom| relevant[*atom]).collect();
            if let Some(place) = known.get(&atoms) {
                next.push(*place);
                continue;
            }
            let after = progress.next(&state, &atoms);
            if progress.is_exhausted() {
                return Err(Unsteppable::Effort { limit: options.effort });
            }
            let count = places.len();
            let place = *places.entry(after.clone()).or_insert(count as u32);
            if place as usize == count {
                if count >= options.states {
                    return Err(Unsteppable::States { limit: options.states });
                }
                open.push_back(after);
            }
            known.insert(atoms, place);
            next.push(place);
        }
        graph.next.push(next);
    }
    Ok(graph)
}

/// The same with as few states as can be, in the order in which words lead to them.
fn minimised(graph: &Graph) -> Graph {
    let classes = classes(&graph.holds, &graph.next);
    let mut places: HashMap<u32, u32> = HashMap::from([(classes[0], 0)]);
    let mut open = VecDeque::from([0_usize]);
    let mut small = Graph { holds: Vec::new(), next: Vec::new() };
    while let Some(state) = open.pop_front() {
        small.holds.push(graph.holds[state]);
        let next = graph.next[state].iter().map(|after| {
            let count = places.len() as u32;
            let place = *places.entry(classes[*after as usize]).or_insert(count);
            if place == count {
                open.push_back(*after as usize);
            }
            place
        });
        small.next.push(next.collect());
    }
    small
}

/// By state and by which conditions hold.
fn roles(graph: &Graph, valuations: usize) -> Vec<Vec<Role>> {
    let all = usize::MAX >> (usize::BITS as usize - valuations);
    let can_hold = reached(&graph.next, graph.holds.clone());
    let can_fail = reached(&graph.next, graph.holds.iter().map(|holds| !holds & all).collect());
    let role = |state: usize, valuation: usize| {
        let has = |set: usize| set >> valuation & 1 != 0;
        match (has(can_hold[state]), has(can_fail[state])) {
            (false, _) => Role::Bad,
            (_, false) => Role::Good,
            _ if has(graph.holds[state]) => Role::Neutral,
            _ => Role::EndBad,
        }
    };
    (0..graph.holds.len()).map(|state| (0..valuations).map(|it| role(state, it)).collect()).collect()
}

/// By state: what it and all states behind it have together.
fn reached(next: &[Vec<u32>], mut sets: Vec<usize>) -> Vec<usize> {
    loop {
        let mut changed = false;
        // States mostly lead to later ones, so that this order needs few rounds.
        for state in (0..sets.len()).rev() {
            let together = next[state].iter().fold(sets[state], |set, after| set | sets[*after as usize]);
            changed |= std::mem::replace(&mut sets[state], together) != together;
        }
        if !changed {
            return sets;
        }
    }
}

/// Where a state goes if no event atom is true, by the set of live atoms that are.
fn idle(graph: &Graph, alphabet: &Alphabet, state: usize) -> Vec<u32> {
    // What is no position changes nothing.
    let mut idle = vec![state as u32; 1 << alphabet.live];
    for (letter, after) in alphabet.letters.iter().zip(&graph.next[state]) {
        if letter.kind.is_none() {
            idle[letter.bits] = *after;
        }
    }
    idle
}

/// The table for one kind of event. Letters that never come are like those of events that match nothing.
fn letters(graph: &Graph, alphabet: &Alphabet, states: &[MachineState], kind: usize) -> Letters {
    let (event, atoms) = alphabet.kinds[kind].clone();
    let events = atoms.len() - alphabet.live;
    let mut next = Vec::with_capacity(states.len() << atoms.len());
    for (state, successors) in states.iter().zip(&graph.next) {
        let mut row: Vec<u32> = (0..1_usize << atoms.len()).map(|bits| state.idle[bits >> events]).collect();
        for (letter, after) in alphabet.letters.iter().zip(successors) {
            if letter.kind == Some(kind) {
                row[letter.bits] = *after;
            }
        }
        next.extend(row);
    }
    Letters { kind: event, atoms, next }
}
