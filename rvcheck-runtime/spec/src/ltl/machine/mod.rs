//! A formula behind its quantifiers as a deterministic automaton, which is stepped event by event.
//!
//! The automaton reads *letters*: the set of atoms that the present event, or the state of a fluent, makes true under the
//! binding of one instance. At any event only the atoms of its kind can be true, and [`Atom::Live`] ones, so that a state
//! has one small table for each kind of event and one successor for the letter in which nothing is true.

mod alphabet;
mod arena;
mod build;
mod class;
mod diagram;
mod edges;
mod feasible;
mod hoist;
mod lower;
mod minimal;
mod narrow;
mod progress;
mod swap;
mod text;
mod unsteppable;
mod vacuous;

pub use class::Class;
pub use edges::Edge;
pub use swap::{Happening, Swap};
pub use unsteppable::Unsteppable;
pub use vacuous::{Vacuous, vacuous};

use rvcheck_event::kind::EventKind;

use crate::automaton::{Expr, MAX_PARAMS, Role};
use crate::ltl::fluent::{Fluent, Only};
use crate::ltl::machine::hoist::Hoisted;
use crate::ltl::machine::lower::Lowered;
use crate::ltl::node::{Ltl, Node, Pattern, Quantified, Steps, Wanted};

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
    /// ([`Steps::Slice`]), a state stays on others.
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

/// How many conditions there can be at most: a state has a role for each set of them.
const MAX_CONDITIONS: usize = 6;

/// How deeply operators can nest, so that following them takes little of the stack. `a && b && c` nests twice.
const MAX_DEPTH: usize = 200;

/// What a machine may take, and how it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many states it may have before it is made as small as possible.
    pub states: usize,
    /// How many steps it may take to find the states; a million take about 0.2 s.
    pub effort: u64,
    /// How many of its atoms may speak of one kind of event.
    pub atoms: usize,
    /// How many conditions it may have.
    pub conditions: usize,
    /// How many variables its quantifiers may bind.
    pub variables: usize,
    /// Whether states that cannot be told apart become one.
    pub minimal: bool,
}

impl Options {
    /// What is enough for what people write.
    pub const DEFAULT: Options = Options {
        states: 4096,
        effort: 1 << 21,
        atoms: 16,
        conditions: 4,
        variables: MAX_PARAMS,
        minimal: true,
    };
}

impl Machine {
    /// The machine of a property.
    pub fn of(ltl: &Ltl, options: Options) -> Result<Machine, Unsteppable> {
        Machine::of_formula(&ltl.formula, ltl.steps, options)
    }

    /// The machine of a formula.
    pub fn of_formula(formula: &Node, steps: Steps, options: Options) -> Result<Machine, Unsteppable> {
        if is_deeper(formula, MAX_DEPTH) {
            return Err(Unsteppable::Depth { limit: MAX_DEPTH });
        }
        let (moved, written) = (hoist::hoist(formula), hoist::as_written(formula));
        // Slices are those of the leading quantifiers, so that it is best if there are no others.
        let (first, second) = if steps == Steps::Slice { (written, moved) } else { (moved, written) };
        let front =
            Machine::front(first, options).or_else(|why| Machine::front(second, options).map_err(|_| why))?;
        let mut lowered = Lowered::default();
        let root = lowered.node(&front.body)?;
        let limit = options.conditions.min(MAX_CONDITIONS);
        if lowered.conditions.len() > limit {
            return Err(Unsteppable::Conditions { limit });
        }
        build::build(front, lowered, root, steps, options)
    }

    /// The same formula with all quantifiers in front, if what is left can do without.
    fn front(hoisted: Hoisted, options: Options) -> Result<Hoisted, Unsteppable> {
        let bound: usize = hoisted.prefix.iter().map(|it| it.variables.len()).sum();
        if bound > options.variables {
            return Err(Unsteppable::Variables { limit: options.variables });
        }
        let body = narrow::narrow(&hoisted.body, &hoisted.present()).ok_or(Unsteppable::Quantifier)?;
        Ok(Hoisted { body, ..hoisted })
    }

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

/// Whether operators nest more deeply than this.
fn is_deeper(formula: &Node, limit: usize) -> bool {
    let mut open = vec![(formula, 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > limit {
            return true;
        }
        open.extend(node.parts().into_iter().map(|it| (it, depth + 1)));
    }
    false
}
