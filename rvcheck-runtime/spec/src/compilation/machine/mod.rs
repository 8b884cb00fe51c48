//! From a formula to its automaton, see [`crate::model::machine`].

mod alphabet;
mod arena;
mod build;
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
mod vacuous;

pub use edges::Edge;
pub use swap::{Happening, Swap};
pub use vacuous::{Vacuous, vacuous};

use crate::compilation::machine::hoist::Hoisted;
use crate::compilation::machine::lower::Lowered;
use crate::model::automaton::MAX_PARAMS;
use crate::model::formula::{Node, Steps};
use crate::model::ltl::Ltl;
use crate::model::machine::{Machine, Unsteppable};

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
