//! Which letters there can be: atoms that demand the same of an event come together, and atoms that contradict each other do not.
//!
//! Patterns are equations between what an event has and variables or constants. A letter can be excluded if the equations of
//! its atoms make two constants equal, or entail an atom that is not in it. Where conditions leave it open, the letter stays.

use crate::automaton::{Expr, Source};
use crate::ltl::fluent::Only;
use crate::ltl::machine::lower::{conjuncts, wanted};
use crate::ltl::node::{Pattern, Quantified, Wanted};
use crate::syntax::tree::Operator;

/// What the restrictions of quantifiers say of variables.
#[derive(Default)]
pub(super) struct Facts {
    equal: Vec<(Wanted, Wanted)>,
    different: Vec<(Wanted, Wanted)>,
}

impl Facts {
    /// What all of the restrictions say together.
    pub(super) fn of(prefix: &[Quantified]) -> Facts {
        let mut facts = Facts::default();
        for part in prefix.iter().filter_map(|it| it.restriction.as_ref()).flat_map(conjuncts) {
            if let Expr::Binary(operator @ (Operator::Equal | Operator::Unequal), left, right) = part
                && let (Some(left), Some(right)) = (wanted(left), wanted(right))
            {
                let list = if *operator == Operator::Equal { &mut facts.equal } else { &mut facts.different };
                list.push((left, right));
            }
        }
        facts
    }
}

/// Whether an event can match exactly those of the atoms of its kind that are `chosen`, for some binding that meets the restrictions.
pub(super) fn is_feasible(atoms: &[(&Pattern, Only)], chosen: impl Fn(usize) -> bool, facts: &Facts) -> bool {
    let mut equations = Equations::default();
    for (left, right) in &facts.equal {
        equations.add(Term::Wanted(left.clone()), Term::Wanted(right.clone()));
    }
    for (index, (pattern, _)) in atoms.iter().enumerate() {
        for (source, wanted) in pattern.arguments.iter().filter(|_| chosen(index)) {
            equations.add(Term::Source(*source), Term::Wanted(wanted.clone()));
        }
    }
    if equations.are_contradictory()
        || facts
            .different
            .iter()
            .any(|(left, right)| equations.entail(&Term::Wanted(left.clone()), &Term::Wanted(right.clone())))
    {
        return false;
    }
    let with = |wanted: &dyn Fn(&(&Pattern, Only)) -> bool| {
        atoms.iter().enumerate().any(|(index, it)| chosen(index) && wanted(it))
    };
    let entailed = |(pattern, only): &(&Pattern, Only)| {
        let meets = |(source, wanted): &(Source, Wanted)| {
            equations.entail(&Term::Source(*source), &Term::Wanted(wanted.clone()))
        };
        pattern.arguments.iter().all(meets)
            && (pattern.condition.is_none() || with(&|(it, _)| it.condition == pattern.condition))
            && (*only == Only::Anywhere || with(&|(_, it)| it == only))
    };
    !atoms.iter().enumerate().any(|(index, it)| !chosen(index) && entailed(it))
}

#[derive(Clone, PartialEq)]
enum Term {
    Source(Source),
    Wanted(Wanted),
}

/// Classes of terms that are equal.
#[derive(Default)]
struct Equations(Vec<Vec<Term>>);

impl Equations {
    fn add(&mut self, left: Term, right: Term) {
        let mut joined = vec![left, right];
        let (touched, mut rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|it| it.iter().any(|term| joined.contains(term)));
        joined.extend(touched.into_iter().flatten());
        rest.push(joined);
        self.0 = rest;
    }

    fn entail(&self, left: &Term, right: &Term) -> bool {
        left == right || self.0.iter().any(|it| it.contains(left) && it.contains(right))
    }

    fn are_contradictory(&self) -> bool {
        let is_constant = |it: &&Term| matches!(it, Term::Wanted(Wanted::Constant(_)));
        self.0.iter().any(|class| {
            let mut constants = class.iter().filter(is_constant);
            constants.next().is_some_and(|first| constants.any(|it| it != first))
        })
    }
}
