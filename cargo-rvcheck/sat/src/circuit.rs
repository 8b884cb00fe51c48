//! Boolean terms as literals of a SAT solver, with gates that are made once.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Not;

use batsat::callbacks::Callbacks;
use batsat::{Lit, Solver, SolverInterface as _, lbool};

/// The bound on the work is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMuch;

/// A term over literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    False,
    True,
    Is(Lit),
}

impl Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        match self {
            Term::False => Term::True,
            Term::True => Term::False,
            Term::Is(lit) => Term::Is(!lit),
        }
    }
}

/// How many conflicts one question can have, as a part of the bound on propagations: there are hundreds of these for each.
const PROPAGATIONS_OF_CONFLICT: u64 = 256;

/// Ends a question that has too many conflicts. The solver asks before each.
struct Bound {
    conflicts: Cell<u64>,
}

impl Callbacks for Bound {
    fn stop(&self) -> bool {
        let left = self.conflicts.get();
        self.conflicts.set(left.saturating_sub(1));
        left == 0
    }
}

/// See the module.
pub(crate) struct Circuit {
    solver: Solver<Bound>,
    gates: HashMap<(Lit, Lit), Lit>,
    work: u64,
}

impl Circuit {
    pub(crate) fn new(work: u64) -> Circuit {
        let bound = Bound { conflicts: Cell::new(0) };
        Circuit { solver: Solver::new(batsat::SolverOpts::default(), bound), gates: HashMap::new(), work }
    }

    /// A fresh literal.
    pub(crate) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// One of these literals is true.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause_reuse(&mut lits.to_vec());
    }

    /// One of these terms is true.
    pub(crate) fn clause_of(&mut self, terms: &[Term]) {
        let mut lits = Vec::new();
        for term in terms {
            match term {
                Term::True => return,
                Term::False => {}
                Term::Is(lit) => lits.push(*lit),
            }
        }
        self.clause(&lits);
    }

    pub(crate) fn and(&mut self, left: Term, right: Term) -> Term {
        let (a, b) = match (left, right) {
            (Term::False, _) | (_, Term::False) => return Term::False,
            (Term::True, other) | (other, Term::True) => return other,
            (Term::Is(a), Term::Is(b)) if a == b => return left,
            (Term::Is(a), Term::Is(b)) if a == !b => return Term::False,
            (Term::Is(a), Term::Is(b)) => (a.min(b), a.max(b)),
        };
        if let Some(known) = self.gates.get(&(a, b)) {
            return Term::Is(*known);
        }
        let both = self.fresh();
        self.clause(&[!both, a]);
        self.clause(&[!both, b]);
        self.clause(&[both, !a, !b]);
        self.gates.insert((a, b), both);
        Term::Is(both)
    }

    pub(crate) fn or(&mut self, left: Term, right: Term) -> Term {
        !self.and(!left, !right)
    }

    /// Whether any of these terms is true.
    pub(crate) fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut lits = Vec::new();
        for term in terms {
            match term {
                Term::True => return Term::True,
                Term::False => {}
                Term::Is(lit) => lits.push(lit),
            }
        }
        match lits[..] {
            [] => Term::False,
            [only] => Term::Is(only),
            _ => {
                let any = self.fresh();
                for lit in &lits {
                    self.clause(&[any, !*lit]);
                }
                lits.push(!any);
                self.clause(&lits);
                Term::Is(any)
            }
        }
    }

    /// Whether all that was said can be so under these assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, TooMuch> {
        let left = self.work.saturating_sub(self.solver.num_propagations());
        if left == 0 {
            return Err(TooMuch);
        }
        self.solver.cb().conflicts.set(left / PROPAGATIONS_OF_CONFLICT + 1);
        match self.solver.solve_limited(assumptions) {
            it if it == lbool::TRUE => Ok(true),
            it if it == lbool::FALSE => Ok(false),
            _ => Err(TooMuch),
        }
    }

    /// Whether a literal is true where the last question was answered by yes.
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// The same of a term.
    pub(crate) fn holds(&self, term: Term) -> bool {
        match term {
            Term::False => false,
            Term::True => true,
            Term::Is(lit) => self.is_true(lit),
        }
    }

    /// Whether the answer no needed this assumption.
    pub(crate) fn needed(&self, assumption: Lit) -> bool {
        // The solver has the core as a clause: that not all of these can be.
        self.solver.unsat_core_contains_lit(!assumption)
    }
}
