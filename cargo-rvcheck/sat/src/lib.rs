//! Decides by a SAT solver whether a word of callbacks violates a model, where there are too many states to search them one by one.
//!
//! The problem becomes a transition system over bits, and property-directed reachability (Bradley 2011; Eén, Mishchenko and Brayton 2011)
//! finds either a shortest word or an inductive invariant, which proves that there is none. It ends at a bound on the solver's work.

mod circuit;
mod encoding;
mod reach;

use rvcheck_spec::evaluation::lifestate::problem::{Problem, Solution, Solver};

/// How much work the solver does for one problem, where nobody says so: some seconds to a minute.
pub const WORK: u64 = 1 << 28;

/// A SAT solver with a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sat {
    /// How many literals can be propagated for one problem. Beyond that it is unknown.
    pub work: u64,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat { work: WORK }
    }
}

impl Solver for Sat {
    fn solve(&self, problem: &Problem<'_>) -> Solution {
        let Some(system) = encoding::System::new(problem, self.work) else { return Solution::Unknown };
        match reach::Reach::new(system).run() {
            Ok(Some(callbacks)) => Solution::Word { callbacks, is_shortest: true },
            Ok(None) => Solution::Absence,
            Err(circuit::TooMuch) => Solution::Unknown,
        }
    }
}
