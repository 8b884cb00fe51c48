//! Which letters there can be: atoms that demand the same of an event come together, and atoms that contradict each other do not.
//!
//! Patterns are equations between what an event has and variables or constants. A letter can be excluded if the equations of
//! its atoms make two constants equal, or entail an atom that is not in it. Where conditions leave it open, the letter stays.
//! What restrictions of quantifiers say of variables counts as well: bindings that do not meet them do not matter.

use crate::compilation::machine::lower::{conjuncts, wanted};
use crate::language::syntax::tree::Operator;
use crate::model::automaton::{Expr, Source};
use crate::model::fluent::Only;
use crate::model::formula::Quantified;
use crate::model::pattern::{Pattern, Wanted};

/// What the restrictions of quantifiers say of variables.
#[derive(Default)]
pub(super) struct Facts {
    equal: Vec<(Wanted, Wanted)>,
    different: Vec<(Wanted, Wanted)>,
    /// The variables that have a value. Others stand for any value, wherever they are.
    bound: Vec<usize>,
}

impl Facts {
    /// What all of the restrictions say together.
    pub(super) fn of(prefix: &[Quantified]) -> Facts {
        let bound = prefix.iter().flat_map(|it| &it.variables).map(|(variable, _)| *variable);
        let mut facts = Facts { bound: bound.collect(), ..Facts::default() };
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

impl Facts {
    /// What has to be equal; `None` if any value will do.
    fn demand(&self, wanted: &Wanted) -> Option<Term> {
        match wanted {
            Wanted::Variable(variable) if !self.bound.contains(variable) => None,
            _ => Some(Term::Wanted(wanted.clone())),
        }
    }
}

/// The sets of atoms of one kind of event, as bits, that exactly those atoms can be true at an event, for some binding that meets
/// the restrictions. `None` if there are more than `limit`.
pub(super) fn feasible(atoms: &[(&Pattern, Only)], facts: &Facts, limit: usize) -> Option<Vec<usize>> {
    let mut consistent = Vec::new();
    grow(atoms, facts, (0, 0), limit, &mut consistent).then_some(())?;
    consistent.retain(|set| is_complete(atoms, *set, facts));
    consistent.sort_unstable();
    Some(consistent)
}

/// Finds the sets of atoms that do not contradict each other which have `set` and some of those from number `from` on. Whether
/// there are at most `limit`.
fn grow(
    atoms: &[(&Pattern, Only)],
    facts: &Facts,
    (set, from): (usize, usize),
    limit: usize,
    found: &mut Vec<usize>,
) -> bool {
    if found.len() == limit {
        return false;
    }
    found.push(set);
    (from..atoms.len()).all(|next| {
        let larger = set | 1 << next;
        !Equations::of(atoms, larger, facts).are_consistent(facts)
            || grow(atoms, facts, (larger, next + 1), limit, found)
    })
}

/// Whether the set has all atoms that those in it entail.
fn is_complete(atoms: &[(&Pattern, Only)], set: usize, facts: &Facts) -> bool {
    let equations = Equations::of(atoms, set, facts);
    let has = |index: usize| set >> index & 1 != 0;
    let one_has = |wanted: &dyn Fn(&(&Pattern, Only)) -> bool| {
        atoms.iter().enumerate().any(|(index, it)| has(index) && wanted(it))
    };
    let entailed = |(pattern, only): &(&Pattern, Only)| {
        let meets = |(source, wanted): &(Source, Wanted)| match facts.demand(wanted) {
            Some(wanted) => equations.entail(&Term::Source(*source), &wanted),
            None => equations.has(&Term::Source(*source)),
        };
        pattern.arguments.iter().all(meets)
            && (pattern.condition.is_none() || one_has(&|(it, _)| it.condition == pattern.condition))
            && (*only == Only::Anywhere || one_has(&|(_, it)| it == only))
    };
    !atoms.iter().enumerate().any(|(index, it)| !has(index) && entailed(it))
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
    /// What holds if an event matches all atoms of a set.
    fn of(atoms: &[(&Pattern, Only)], set: usize, facts: &Facts) -> Equations {
        let mut equations = Equations::default();
        for (left, right) in &facts.equal {
            equations.add(Term::Wanted(left.clone()), Term::Wanted(right.clone()));
        }
        for (_, (pattern, _)) in atoms.iter().enumerate().filter(|(index, _)| set >> index & 1 != 0) {
            for (source, wanted) in &pattern.arguments {
                let source = Term::Source(*source);
                equations.add(source.clone(), facts.demand(wanted).unwrap_or(source));
            }
        }
        equations
    }

    fn add(&mut self, left: Term, right: Term) {
        let mut joined = vec![left, right];
        let (touched, mut rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|it| it.iter().any(|term| joined.contains(term)));
        joined.extend(touched.into_iter().flatten());
        rest.push(joined);
        self.0 = rest;
    }

    /// Whether the value of a term is known.
    fn has(&self, term: &Term) -> bool {
        self.0.iter().any(|it| it.contains(term))
    }

    fn entail(&self, left: &Term, right: &Term) -> bool {
        left == right || self.0.iter().any(|it| it.contains(left) && it.contains(right))
    }

    /// Whether no two constants are equal, nor what restrictions say is different.
    fn are_consistent(&self, facts: &Facts) -> bool {
        let is_constant = |it: &&Term| matches!(it, Term::Wanted(Wanted::Constant(_)));
        let clash = |class: &Vec<Term>| {
            let mut constants = class.iter().filter(is_constant);
            constants.next().is_some_and(|first| constants.any(|it| it != first))
        };
        let same = |(left, right): &(Wanted, Wanted)| {
            self.entail(&Term::Wanted(left.clone()), &Term::Wanted(right.clone()))
        };
        !self.0.iter().any(clash) && !facts.different.iter().any(same)
    }
}
