//! A formula behind its quantifiers as a deterministic automaton, which is stepped event by event.
//!
//! The automaton reads *letters*: the set of atoms that the present event, or the state of a fluent, makes true under the
//! binding of one instance. At any event only the atoms of its kind can be true, and [`Atom::Live`] ones, so that a state
//! has one small table for each kind of event and one successor for the letter in which nothing is true.

mod class;
mod unsteppable;

use rvcheck_event::kind::EventKind;

use crate::model::automaton::{Expr, Role};
use crate::model::fluent::{Fluent, Only};
use crate::model::formula::Quantified;
use crate::model::pattern::{Pattern, Wanted};

pub use class::Class;
pub use unsteppable::Unsteppable;

/// Something that is true or false at a position under a binding of the prefix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// The event matches, and it meets the restriction. Variables that no quantifier of [`Machine::prefix`] binds stand for any
    /// value that is known.
    Event(Pattern, Only),
    /// A fluent holds for some values of those of its parameters that are `None`. Whoever steps the automaton keeps the
    /// values for which it holds.
    Live(Fluent, Vec<Option<Wanted>>),
}

/// What a state does on events of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letters {
    /// The kind of event.
    pub kind: EventKind,
    /// The atoms that can be true at such an event, as places in [`Machine::atoms`]: [`Atom::Event`] ones of this kind, and
    /// then all [`Atom::Live`] ones. Bit `i` of a letter says that atom `atoms[i]` is true.
    pub atoms: Vec<usize>,
    /// By state and letter: the next state, at `state << atoms.len() | letter`. A letter that can never come, because its atoms
    /// contradict each other or entail another one, leads where it would without its event atoms.
    pub next: Vec<u32>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineState {
    /// `Bad`: false whatever comes. `Good`: true whatever comes. `EndBad`: false if the trace ends here. `Neutral`: true if it
    /// ends here. By the set of conditions that hold under the binding (bit `i` for the `i`th in [`Machine::conditions`]); one
    /// entry where there are none.
    pub roles: Vec<Role>,
    /// By the set of live atoms that are true (bit `i` for the `i`th [`Atom::Live`] in [`Machine::atoms`]): the next state on an
    /// event that matches no other atom. One entry where there are no such atoms. Where only events that match are positions
    /// ([`Steps::Slice`](crate::model::formula::Steps::Slice)), a state stays on others.
    pub idle: Vec<u32>,
}

/// See the module. Everything in it is consistent, and the same formula gives the same machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The quantifiers in front, outermost first: those that lead the formula and those that could be moved there. Their bodies
    /// are just `true`: what they quantify is the automaton.
    pub prefix: Vec<Quantified>,
    /// How many of [`Machine::prefix`] lead the formula as it is written.
    pub written: usize,
    /// The atoms. One with a restriction stands behind the same one without, so that an event exercises the formula, and is a
    /// position of a slice, exactly where some atom matches or a [`Atom::Live`] fluent begins or ends.
    pub atoms: Vec<Atom>,
    /// The conditions on variables alone that the formula has beside its events. A binding decides them once and for all, so that
    /// they are no part of letters: they choose among the roles of a state.
    pub conditions: Vec<Expr>,
    /// By kind of event, in the order of their numbers.
    pub letters: Vec<Letters>,
    /// The states; 0 is the first one, before any event, and its role is that of the empty trace.
    pub states: Vec<MachineState>,
}

impl Machine {
    /// The state after an event of this kind at which exactly these atoms, as places in [`Machine::atoms`], are true.
    pub fn after(&self, state: usize, kind: EventKind, holds: impl Fn(usize) -> bool) -> usize {
        let letter = |atoms: &mut dyn Iterator<Item = usize>| {
            atoms.enumerate().fold(0, |letter, (bit, atom)| letter | usize::from(holds(atom)) << bit)
        };
        let next = match self.letters.iter().find(|it| it.kind == kind) {
            Some(it) => it.next[state << it.atoms.len() | letter(&mut it.atoms.iter().copied())],
            None => self.states[state].idle[letter(&mut self.live())],
        };
        next as usize
    }

    /// Whether a quantifier in front binds the variable.
    pub fn binds(&self, variable: usize) -> bool {
        self.prefix.iter().any(|it| it.variables.iter().any(|(it, _)| *it == variable))
    }

    /// The places of [`Atom::Live`] atoms.
    pub fn live(&self) -> impl Iterator<Item = usize> {
        self.atoms.iter().enumerate().filter(|(_, it)| matches!(it, Atom::Live(..))).map(|(index, _)| index)
    }
}
