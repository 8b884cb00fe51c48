//! The letters that the automaton of a formula reads.

use rvcheck_event::kind::EventKind;

use crate::compilation::machine::feasible::{Facts, feasible};
use crate::model::fluent::Only;
use crate::model::machine::{Atom, Unsteppable};
use crate::model::pattern::Pattern;

/// How many atoms that do not contradict each other may speak of one kind of event.
const MATCHING: usize = 12;

/// The atoms that are true at an event.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    /// The kind of event, as a place in [`Alphabet::kinds`]. `None` if no event atom is true.
    pub(super) kind: Option<usize>,
    /// Bit `i` says that atom `i` is true of those of the kind, or of the live ones if there is no kind.
    pub(super) bits: usize,
    /// The same as places in [`crate::compilation::machine::Machine::atoms`].
    pub(super) atoms: Vec<usize>,
}

/// All letters that there can be.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// The kinds of events that some atom speaks of, with the atoms that such an event can make true, the live ones last.
    pub(super) kinds: Vec<(EventKind, Vec<usize>)>,
    /// First those in which no event atom is true, by their bits; then by kind and bits.
    pub(super) letters: Vec<Letter>,
    /// How many atoms are live ones.
    pub(super) live: usize,
}

/// The letters over these atoms. At most `limit` of these may speak of one kind of event.
pub(super) fn alphabet(atoms: &[Atom], facts: &Facts, limit: usize) -> Result<Alphabet, Unsteppable> {
    let live: Vec<usize> = places(atoms, |it| matches!(it, Atom::Live(..)));
    let mut kinds: Vec<EventKind> = atoms.iter().filter_map(|it| event(it).map(|(it, _)| it.kind)).collect();
    kinds.sort_unstable_by_key(|kind| *kind as u8);
    kinds.dedup();
    let kinds: Vec<(EventKind, Vec<usize>)> = kinds
        .into_iter()
        .map(|kind| {
            let mut able = places(atoms, |it| event(it).is_some_and(|(it, _)| it.kind == kind));
            able.extend(&live);
            (kind, able)
        })
        .collect();
    if kinds.iter().any(|(_, able)| able.len() > limit) || live.len() > limit {
        return Err(Unsteppable::Letters { limit });
    }
    let letter = |kind: Option<usize>, able: &[usize], bits: usize| Letter {
        kind,
        bits,
        atoms: able
            .iter()
            .enumerate()
            .filter(|(bit, _)| bits >> bit & 1 != 0)
            .map(|(_, atom)| *atom)
            .collect(),
    };
    let mut letters: Vec<Letter> = (0..1 << live.len()).map(|bits| letter(None, &live, bits)).collect();
    for (kind, (_, able)) in kinds.iter().enumerate() {
        let patterns: Vec<(&Pattern, Only)> = able.iter().filter_map(|atom| event(&atoms[*atom])).collect();
        let together = MATCHING - live.len().min(MATCHING);
        let sets =
            feasible(&patterns, facts, 1 << together).ok_or(Unsteppable::Letters { limit: together })?;
        for lives in 0..1_usize << live.len() {
            let sets = sets.iter().filter(|set| **set != 0);
            letters.extend(sets.map(|set| letter(Some(kind), able, lives << patterns.len() | set)));
        }
    }
    Ok(Alphabet { kinds, letters, live: live.len() })
}

fn event(atom: &Atom) -> Option<(&Pattern, Only)> {
    match atom {
        Atom::Event(pattern, only) => Some((pattern, *only)),
        Atom::Live(..) => None,
    }
}

fn places(atoms: &[Atom], wanted: impl Fn(&Atom) -> bool) -> Vec<usize> {
    atoms.iter().enumerate().filter(|(_, it)| wanted(it)).map(|(index, _)| index).collect()
}
