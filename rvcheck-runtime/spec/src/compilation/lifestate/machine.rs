//! From a regex to the smallest machine that says of each message whether the history that ends with it is accepted.

use std::collections::HashMap;

use crate::compilation::lifestate::derivative::{Arena, Id};
use crate::compilation::lifestate::letters::letters;
use crate::model::lifestate::{Histories, Machine, Move, Pattern};

/// How many states a machine can have before it is made small, and how many regexes there can be on the way.
pub(super) const MOST_STATES: usize = 1 << 12;
const MOST_NODES: usize = 1 << 18;

/// Why there is no machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TooLarge {
    /// It has too many messages of one function.
    Letters,
    /// It has too many states.
    States,
}

/// The histories of this regex.
pub(super) fn histories(
    arena: &mut Arena,
    regex: Id,
    atoms: Vec<Pattern>,
    variables: usize,
) -> Result<Histories, TooLarge> {
    let letters = letters(&atoms).ok_or(TooLarge::Letters)?;
    let mut states: Vec<Id> = vec![regex];
    let mut places: HashMap<Id, u32> = HashMap::from([(regex, 0)]);
    let mut moves: Vec<Move> = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get(at).copied() {
        at += 1;
        for letter in &letters {
            let next = arena.derivative(state, *letter);
            let to = *places.entry(next).or_insert_with(|| {
                states.push(next);
                states.len() as u32 - 1
            });
            moves.push(Move { to, accepts: arena.is_nullable(next) });
            if states.len() > MOST_STATES || arena.len() > MOST_NODES {
                return Err(TooLarge::States);
            }
        }
    }
    let accepts_empty = arena.is_nullable(regex);
    let machine = smallest(&Machine { letters, moves, accepts_empty });
    Ok(Histories { variables, atoms, machine })
}

/// The same with as few states as can be, numbered in the order in which they are reached.
fn smallest(machine: &Machine) -> Machine {
    let letters = machine.letters.len();
    let states = machine.states();
    let mut class: Vec<u32> = vec![0; states];
    let mut count = 1;
    loop {
        let mut seen: HashMap<Vec<(u32, bool)>, u32> = HashMap::new();
        let next: Vec<u32> = (0..states)
            .map(|state| {
                let row = &machine.moves[state * letters..][..letters];
                // The class of the state itself, so that classes are only ever divided.
                let own = std::iter::once((class[state], false));
                let row = own.chain(row.iter().map(|it| (class[it.to as usize], it.accepts))).collect();
                let fresh = seen.len() as u32;
                *seen.entry(row).or_insert(fresh)
            })
            .collect();
        class = next;
        if seen.len() == count {
            break;
        }
        count = seen.len();
    }
    let mut order: Vec<usize> = vec![0];
    let mut number: HashMap<u32, u32> = HashMap::from([(class[0], 0)]);
    let mut moves = Vec::new();
    let mut at = 0;
    while let Some(state) = order.get(at).copied() {
        at += 1;
        for it in &machine.moves[state * letters..][..letters] {
            let to = *number.entry(class[it.to as usize]).or_insert_with(|| {
                order.push(it.to as usize);
                order.len() as u32 - 1
            });
            moves.push(Move { to, accepts: it.accepts });
        }
    }
    Machine { letters: machine.letters.clone(), moves, accepts_empty: machine.accepts_empty }
}
