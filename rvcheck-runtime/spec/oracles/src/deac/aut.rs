//! `aut(ψ)`: the automaton of a safety formula, by keeping which obligations each way of meeting the formula leaves.

use std::collections::{BTreeMap, BTreeSet};

use crate::deac::automaton::{Action, Channel, Deac, Guard, Message, Transition};
use crate::deac::{Reached, Safe};

/// An automaton with more states than this is not built.
pub const STATES: usize = 100;
/// Nor one with more atoms.
const ATOMS: usize = 6;

/// When an automaton knows, as Kupferman and Vardi distinguish it (*Model Checking of Safety Properties*, section 2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Detection {
    /// When the events so far tell it by themselves: nothing is left to meet, or nothing can be met.
    Informative,
    /// As soon as it is certain: no infinite trace that goes on from here can still be true, or false. Any set of atoms counts
    /// as possible at any position.
    Tight,
}

/// The ways in which a formula can still be met, each a set of formulas that the rest of the trace has to satisfy. No way is
/// a part of another. The empty set is `false`; the empty way is `true`.
type Ways = BTreeSet<BTreeSet<Safe>>;

/// The states and steps of `aut(ψ)`, the same for all objects.
pub(super) struct Scheme {
    /// By state.
    roles: Vec<Reached>,
    /// By state and letter: the next state. The first state is 0.
    next: Vec<Vec<usize>>,
}

/// `None` where it is too large.
pub(super) fn scheme(body: &Safe, atoms: usize, detection: Detection) -> Option<Scheme> {
    if atoms > ATOMS {
        return None;
    }
    let letters = 1_u32 << atoms;
    let first = Ways::from([BTreeSet::from([body.clone()])]);
    let mut numbers = BTreeMap::from([(first.clone(), 0)]);
    let mut all = vec![first];
    let mut next: Vec<Vec<usize>> = Vec::new();
    while let Some(ways) = all.get(next.len()).cloned() {
        let mut row = Vec::new();
        for letter in 0..letters {
            let number = *numbers.entry(after(&ways, letter)).or_insert_with_key(|ways| {
                all.push(ways.clone());
                all.len() - 1
            });
            row.push(number);
        }
        next.push(row);
        if all.len() > STATES {
            return None;
        }
    }
    let roles = match detection {
        Detection::Informative => all.iter().map(plainly).collect(),
        Detection::Tight => certainly(&all, &next),
    };
    Some(Scheme { roles, next })
}

impl Scheme {
    /// `aut(ψ)[x/n]`: the automaton for the object of this channel.
    pub(super) fn aut(&self, channel: Channel) -> Deac {
        let verdict = |state: usize| match self.roles[state] {
            Reached::Accepting => Some(true),
            Reached::Bad => Some(false),
            Reached::Neither => None,
        };
        let leaving = |state: usize| -> Vec<Transition> {
            let entering = |(letter, to): (u32, &usize)| Transition {
                guard: Guard::Atoms(channel, letter),
                out: verdict(*to).map(|verdict| Message { verdict, channel }).into_iter().collect(),
                action: Action(Vec::new()),
                to: *to,
            };
            (0..).zip(&self.next[state]).map(entering).collect()
        };
        let count = self.roles.len();
        let settled = |state| if verdict(state).is_none() { leaving(state) } else { Vec::new() };
        // Verdicts are sent on transitions, so that the first state has none yet. Nothing leads back to it.
        let transitions = (0..count).map(settled).chain([leaving(0)]).collect();
        let states = self.roles.iter().copied().chain([Reached::Neither]).collect();
        Deac { receives: BTreeSet::new(), initial: count, states, transitions }
    }
}

/// What is left after a position at which these atoms are true.
fn after(ways: &Ways, letter: u32) -> Ways {
    let each = ways
        .iter()
        .map(|way| way.iter().fold(met(), |ways, formula| both(&ways, &unfolded(formula, letter))));
    each.fold(Ways::new(), either)
}

fn unfolded(formula: &Safe, letter: u32) -> Ways {
    match formula {
        Safe::Constant(truth) => constant(*truth),
        Safe::Literal(atom, positive) => constant((letter >> atom & 1 == 1) == *positive),
        Safe::And(left, right) => both(&unfolded(left, letter), &unfolded(right, letter)),
        Safe::Or(left, right) => either(unfolded(left, letter), unfolded(right, letter)),
        Safe::Next(inner) => Ways::from([BTreeSet::from([(**inner).clone()])]),
        Safe::WeakUntil(left, right) => {
            let again = Ways::from([BTreeSet::from([formula.clone()])]);
            either(unfolded(right, letter), both(&unfolded(left, letter), &again))
        }
    }
}

fn met() -> Ways {
    Ways::from([BTreeSet::new()])
}

fn constant(truth: bool) -> Ways {
    if truth { met() } else { Ways::new() }
}

fn both(left: &Ways, right: &Ways) -> Ways {
    let pairs = left.iter().flat_map(|one| right.iter().map(move |other| one | other));
    least(&pairs.collect())
}

fn either(mut left: Ways, right: Ways) -> Ways {
    left.extend(right);
    least(&left)
}

/// Without the ways that ask for more than another one.
fn least(ways: &Ways) -> Ways {
    let asks_more = |way: &BTreeSet<Safe>| ways.iter().any(|other| other != way && other.is_subset(way));
    ways.iter().filter(|way| !asks_more(way)).cloned().collect()
}

fn plainly(ways: &Ways) -> Reached {
    match ways.first() {
        None => Reached::Bad,
        Some(way) if way.is_empty() => Reached::Accepting,
        Some(_) => Reached::Neither,
    }
}

/// A state is bad if all ways lead to `false`, and accepting if none does.
fn certainly(all: &[Ways], next: &[Vec<usize>]) -> Vec<Reached> {
    let refuted: Vec<bool> = all.iter().map(|ways| plainly(ways) == Reached::Bad).collect();
    let spread = |mut known: Vec<bool>, leads: &dyn Fn(&[usize], &[bool]) -> bool| loop {
        let wider: Vec<bool> =
            (0..next.len()).map(|state| known[state] || leads(&next[state], &known)).collect();
        if wider == known {
            return known;
        }
        known = wider;
    };
    let bad = spread(refuted.clone(), &|next, known| next.iter().all(|it| known[*it]));
    let may_fail = spread(refuted, &|next, known| next.iter().any(|it| known[*it]));
    let role = |(bad, may_fail): (&bool, &bool)| match (bad, may_fail) {
        (true, _) => Reached::Bad,
        (_, false) => Reached::Accepting,
        _ => Reached::Neither,
    };
    bad.iter().zip(&may_fail).map(role).collect()
}
