//! Whether the order of concurrent events matters to a formula: the trace has them in one order, and they could have come in the other.

use rvcheck_event::kind::EventKind;

use crate::model::automaton::Source;
use crate::model::machine::{Atom, Machine};
use crate::model::pattern::Wanted;

/// Where more atoms than this speak of one kind of event, only events are tried that make at most two of them true.
const ALL_SETS: usize = 8;

/// An event as a formula sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happening {
    /// The kind, if an atom speaks of it.
    pub kind: Option<EventKind>,
    /// The atoms that it makes true, as places in [`Machine::atoms`].
    pub atoms: Vec<usize>,
}

/// Two events next to each other that can be concurrent, and whose order can change the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swap {
    /// The one that comes first.
    pub first: Happening,
    /// The one that comes second.
    pub second: Happening,
}

impl Machine {
    /// An example of why the formula is not closed under reordering; `None` if it is.
    ///
    /// Events that name one object, or one task, by the same variable count as ordered, and so does the beginning of a test. That
    /// leaves out the few that are not, such as `abort(t, u)` and `poll(u)`. Any others count as concurrent. Fluents with `_` count
    /// as true or false at both events. Of events that many patterns match at once, not all are tried.
    pub fn swap(&self) -> Option<Swap> {
        let happenings = self.happenings();
        let live: Vec<usize> = self.live().collect();
        for state in 0..self.states.len() {
            for bits in 0..1_usize << live.len() {
                let lives =
                    |atom| live.iter().position(|it| *it == atom).is_some_and(|bit| bits >> bit & 1 != 0);
                let after = |state: usize, it: &Happening| {
                    let holds = |atom| it.atoms.contains(&atom) || lives(atom);
                    match it.kind {
                        Some(kind) => self.after(state, kind, holds),
                        None => self.states[state].idle[bits] as usize,
                    }
                };
                for (index, first) in happenings.iter().enumerate() {
                    for second in &happenings[..index] {
                        let (one, other) =
                            (after(after(state, first), second), after(after(state, second), first));
                        if one != other && self.are_concurrent(first, second) {
                            return Some(Swap { first: first.clone(), second: second.clone() });
                        }
                    }
                }
            }
        }
        None
    }

    /// All events as the formula sees them, without its live atoms.
    fn happenings(&self) -> Vec<Happening> {
        let mut found = vec![Happening { kind: None, atoms: Vec::new() }];
        for letters in &self.letters {
            let able: Vec<usize> = letters
                .atoms
                .iter()
                .copied()
                .filter(|it| matches!(self.atoms[*it], Atom::Event(..)))
                .collect();
            let few = |bits: &usize| able.len() <= ALL_SETS || bits.count_ones() <= 2;
            found.extend((1..1_usize << able.len()).filter(few).map(|bits| {
                Happening {
                    kind: Some(letters.kind),
                    atoms: able
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| bits >> bit & 1 != 0)
                        .map(|(_, it)| *it)
                        .collect(),
                }
            }));
        }
        found
    }

    fn are_concurrent(&self, first: &Happening, second: &Happening) -> bool {
        let begins = |it: &Happening| it.kind == Some(EventKind::TestBegin);
        let (ours, theirs) = (self.objects(first), self.objects(second));
        !begins(first) && !begins(second) && !ours.iter().any(|it| theirs.contains(it))
    }

    /// The variables that stand for the task or the object of an event.
    fn objects(&self, it: &Happening) -> Vec<usize> {
        let patterns = it.atoms.iter().filter_map(|atom| match &self.atoms[*atom] {
            Atom::Event(pattern, _) => Some(pattern),
            Atom::Live(..) => None,
        });
        let variables =
            patterns.flat_map(|it| &it.arguments).filter_map(|(source, wanted)| match (source, wanted) {
                (Source::Actor | Source::Object(_), Wanted::Variable(variable)) if self.binds(*variable) => {
                    Some(*variable)
                }
                _ => None,
            });
        variables.collect()
    }
}
