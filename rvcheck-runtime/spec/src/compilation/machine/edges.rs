//! Where the states of a machine lead, in few words: letters that lead to the same state become one condition on atoms.

use std::collections::BTreeMap;

use rvcheck_event::kind::EventKind;

use crate::compilation::machine::feasible::{Facts, feasible};
use crate::model::machine::{Atom, Letters, Machine};

/// A way out of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The kind of event; `None` for all events that no other edge takes.
    pub kind: Option<EventKind>,
    /// Atoms, as places in [`Machine::atoms`], and whether they have to be true.
    pub atoms: Vec<(usize, bool)>,
    /// The state behind it.
    pub to: usize,
}

/// A table over sets of atoms: by set, where it leads; `None` if it never comes.
struct Table<'a> {
    atoms: &'a [usize],
    entries: Vec<Option<usize>>,
}

impl Machine {
    /// The edges that leave a state: those of events that some atom matches, unless they lead where all others lead, and then those
    /// of all other events. No two of them are taken together.
    pub fn edges(&self, state: usize) -> Vec<Edge> {
        let live: Vec<usize> = self.live().collect();
        let idle: Vec<usize> = self.states[state].idle.iter().map(|it| *it as usize).collect();
        let mut edges = Vec::new();
        let facts = Facts::of(&self.prefix);
        for letters in &self.letters {
            let table = self.table(letters, state, live.len(), &facts);
            // Where they lead to the same state as any other event, they are other events.
            let as_idle = |set: usize| idle[set >> (letters.atoms.len() - live.len())];
            let own = table.cubes(&|set| table.entries[set].filter(|to| *to != as_idle(set)));
            edges.extend(own.into_iter().map(|(atoms, to)| Edge { kind: Some(letters.kind), atoms, to }));
        }
        let others = Table { atoms: &live, entries: idle.iter().copied().map(Some).collect() };
        let cubes = others.cubes(&|set| others.entries[set]);
        edges.extend(cubes.into_iter().map(|(atoms, to)| Edge { kind: None, atoms, to }));
        edges
    }

    fn table<'a>(&self, letters: &'a Letters, state: usize, live: usize, facts: &Facts) -> Table<'a> {
        let patterns: Vec<_> = letters
            .atoms
            .iter()
            .filter_map(|it| match &self.atoms[*it] {
                Atom::Event(pattern, only) => Some((pattern, *only)),
                Atom::Live(..) => None,
            })
            .collect();
        let events = 1_usize << (letters.atoms.len() - live);
        let known = feasible(&patterns, facts, usize::MAX).unwrap_or_default();
        let row = &letters.next[state << letters.atoms.len()..];
        let entry = |set: usize| {
            let own = set % events;
            (own == 0 || known.binary_search(&own).is_ok()).then(|| row[set] as usize)
        };
        Table { atoms: &letters.atoms, entries: (0..1 << letters.atoms.len()).map(entry).collect() }
    }
}

impl Table<'_> {
    /// Conditions on atoms that exclude each other, with what `leads` says of the sets that meet them; those of which it says
    /// nothing are left out. Sets that never come fall wherever they make conditions shorter.
    fn cubes(&self, leads: &dyn Fn(usize) -> Option<usize>) -> Vec<(Vec<(usize, bool)>, usize)> {
        let all: Vec<usize> = (0..self.entries.len()).filter(|set| self.entries[*set].is_some()).collect();
        let mut cubes = Vec::new();
        self.split(&all, 0, &mut Vec::new(), leads, &mut cubes);
        cubes
    }

    fn split(
        &self,
        sets: &[usize],
        from: usize,
        taken: &mut Vec<(usize, bool)>,
        leads: &dyn Fn(usize) -> Option<usize>,
        cubes: &mut Vec<(Vec<(usize, bool)>, usize)>,
    ) {
        let Some(first) = sets.first().map(|set| leads(*set)) else { return };
        if sets.iter().all(|set| leads(*set) == first) {
            cubes.extend(first.map(|to| (taken.clone(), to)));
            return;
        }
        let mut known = BTreeMap::new();
        let later_decide =
            sets.iter().all(|set| *known.entry(set >> (from + 1)).or_insert(leads(*set)) == leads(*set));
        if later_decide {
            return self.split(sets, from + 1, taken, leads, cubes);
        }
        for truth in [true, false] {
            let half: Vec<usize> =
                sets.iter().copied().filter(|set| (set >> from & 1 != 0) == truth).collect();
            let decides = half.len() < sets.len();
            taken.extend(decides.then_some((self.atoms[from], truth)));
            self.split(&half, from + 1, taken, leads, cubes);
            taken.truncate(taken.len() - usize::from(decides));
        }
    }
}
