//! All bindings of some parameters, in classes: what no instance tells apart is one class, and is counted without being
//! enumerated.

use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::evaluation::engine::domain::Values;
use crate::evaluation::engine::lettered::Block;
use crate::evaluation::engine::reading::needs;
use crate::evaluation::engine::store::{Binding, Part, UNBOUND};
use crate::evaluation::tables::table::Exhausted;
use crate::language::syntax::tree::Operator;
use crate::model::automaton::{Expr, Mask};
use crate::semantics::evaluate::holds;
use crate::semantics::facts::Facts;

use std::cell::Cell;
use std::collections::BTreeMap;

/// A class of bindings.
pub(super) struct Class<'a> {
    /// The values that all of them have; [`Value::Absent`] for a parameter in which they differ.
    pub(super) binding: Binding,
    /// For these parameters: the values that none of them has.
    pub(super) others: &'a [Vec<Value>],
    /// How many they are.
    pub(super) count: u64,
    /// What is contained in them.
    pub(super) parts: &'a [Part],
}

/// The bindings of the first parameters, and what restricts them.
pub(super) struct Space<'a> {
    sorts: Vec<Sort>,
    /// Pairs of parameters that have to differ, and the depth at which that is asked.
    unequal: Vec<(usize, usize, usize)>,
    /// Other restrictions, and the depths at which they are asked.
    restrictions: Vec<(&'a Expr, usize)>,
    /// The parameters whose values are all told apart.
    pub(super) distinguished: Mask,
    domain: &'a Values,
    facts: &'a dyn Facts,
    /// How many more steps may be taken.
    left: &'a Cell<u64>,
}

impl<'a> Space<'a> {
    /// The bindings of these parameters that meet the restrictions of `blocks`.
    pub(super) fn new(
        sorts: Vec<Sort>,
        blocks: &'a [Block],
        domain: &'a Values,
        facts: &'a dyn Facts,
        left: &'a Cell<u64>,
    ) -> Space<'a> {
        let (mut unequal, mut restrictions, mut distinguished) = (Vec::new(), Vec::new(), 0);
        let mut start = 0;
        for block in blocks {
            let mut terms: Vec<&Expr> = block.restriction.iter().map(|(expr, _)| expr).collect();
            while let Some(term) = terms.pop() {
                let needs = needs(term);
                // The depth of the last parameter that it needs, and not before the quantifier that it belongs to.
                let depth = (needs.checked_ilog2().unwrap_or(0) as usize).max(start);
                match term {
                    Expr::Binary(Operator::And, left, right) => terms.extend([&**left, &**right]),
                    Expr::Binary(Operator::Unequal, left, right) => match (&**left, &**right) {
                        (Expr::Param(left), Expr::Param(right)) => unequal.push((*left, *right, depth)),
                        _ => {
                            distinguished |= needs;
                            restrictions.push((term, depth));
                        }
                    },
                    _ => {
                        distinguished |= needs;
                        restrictions.push((term, depth));
                    }
                }
            }
            start = block.end;
        }
        Space { sorts, unequal, restrictions, distinguished, domain, facts, left }
    }

    /// Tells all values of the parameters apart that a restriction speaks of.
    pub(super) fn tell_restricted_apart(&mut self) {
        for (left, right, _) in &self.unequal {
            self.distinguished |= 1 << left | 1 << right;
        }
    }

    /// Tells all values of the parameters apart that a condition speaks of.
    pub(super) fn tell_apart(&mut self, condition: &Expr) {
        self.distinguished |= needs(condition);
    }

    /// Takes so many steps off what is allowed.
    pub(super) fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.left.set(self.left.get().checked_sub(steps).ok_or(Exhausted)?);
        Ok(())
    }

    /// How many bindings there are.
    pub(super) fn count(&self) -> Result<u64, Exhausted> {
        let mut sum = 0_u64;
        self.classes(&[], &mut |class| {
            sum = sum.saturating_add(class.count);
            Ok(())
        })?;
        Ok(sum)
    }

    /// Calls `visit` with each class. Some can have no bindings so far.
    pub(super) fn classes(
        &self,
        parts: &[Part],
        visit: &mut dyn FnMut(&Class<'_>) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        self.go(0, UNBOUND, &mut vec![Vec::new(); self.sorts.len()], parts, visit)
    }

    fn go(
        &self,
        depth: usize,
        binding: Binding,
        others: &mut Vec<Vec<Value>>,
        parts: &[Part],
        visit: &mut dyn FnMut(&Class<'_>) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        if depth == self.sorts.len() {
            let count = self.multiplicity(&binding, others)?;
            return visit(&Class { binding, others, count, parts });
        }
        let branches = self.branches(depth, parts)?;
        for (value, parts) in &branches.known {
            let mut binding = binding;
            binding[depth] = *value;
            if self.allows(depth, &binding) {
                self.go(depth + 1, binding, others, parts, visit)?;
            }
        }
        if self.distinguished & 1 << depth == 0 && self.allows(depth, &binding) {
            others[depth] = branches.known.into_iter().map(|(value, _)| value).collect();
            self.go(depth + 1, binding, others, &branches.rest, visit)?;
            others[depth].clear();
        }
        Ok(())
    }

    /// The values of a parameter that are told apart with the parts that are contained in them, and the parts that say nothing
    /// of that parameter.
    pub(super) fn branches(&self, depth: usize, parts: &[Part]) -> Result<Branches, Exhausted> {
        let (mut known, mut rest): (BTreeMap<Value, Vec<Part>>, Vec<Part>) = (BTreeMap::new(), Vec::new());
        for part in parts {
            if part.mask & 1 << depth == 0 {
                rest.push(*part);
            } else {
                known.entry(part.binding[depth]).or_default().push(*part);
            }
        }
        if self.distinguished & 1 << depth != 0 {
            for value in self.domain.of(self.sorts[depth]) {
                self.spend(1)?;
                known.entry(value).or_default();
            }
        }
        self.spend((parts.len() + known.len() * (1 + rest.len())) as u64)?;
        for parts in known.values_mut() {
            parts.extend_from_slice(&rest);
        }
        Ok(Branches { known: known.into_iter().collect(), rest })
    }

    /// How many values of a parameter there are besides those that are told apart.
    pub(super) fn rest(&self, depth: usize, branches: &Branches) -> u64 {
        self.domain.count(self.sorts[depth]).saturating_sub(branches.known.len() as u64)
    }

    /// Whether the restrictions hold that are decided by the parameter at this depth and those before.
    pub(super) fn allows(&self, depth: usize, binding: &Binding) -> bool {
        let known = |param: usize| binding[param] != Value::Absent;
        let differ = self.unequal.iter().all(|(left, right, at)| {
            *at != depth || !known(*left) || !known(*right) || binding[*left] != binding[*right]
        });
        let mut others = self.restrictions.iter().filter(|(_, at)| *at == depth);
        differ && others.all(|(expr, _)| holds(expr, binding, self.facts))
    }

    /// The same where parameters without a value are those of which the value is still to come. `None` where it depends on these.
    pub(super) fn counts(&self, depth: usize, binding: &Binding) -> Option<bool> {
        let known = |param: usize| binding[param] != Value::Absent;
        if !self
            .unequal
            .iter()
            .all(|(left, right, at)| *at != depth || binding[*left] != binding[*right] || !known(*left))
        {
            return Some(false);
        }
        let both_come =
            self.unequal.iter().any(|(left, right, at)| *at == depth && !known(*left) && !known(*right));
        let mut sum = (!both_come).then_some(true);
        for (expr, _) in self.restrictions.iter().filter(|(_, at)| *at == depth) {
            if (0..self.sorts.len()).any(|param| needs(expr) & 1 << param != 0 && !known(param)) {
                sum = None;
            } else if !holds(expr, binding, self.facts) {
                return Some(false);
            }
        }
        sum
    }

    /// How many bindings a class has.
    fn multiplicity(&self, binding: &Binding, others: &[Vec<Value>]) -> Result<u64, Exhausted> {
        let open = |param: usize| binding[param] == Value::Absent;
        let pairs = self.unequal.iter().filter(|(left, right, _)| open(*left) || open(*right));
        let pairs: Vec<(usize, usize)> = pairs.map(|(left, right, _)| (*left, *right)).collect();
        // Those in which some pairs are equal, added and subtracted.
        let mut sum = 0_i128;
        for equal in 0..1_u32 << pairs.len() {
            let mut group: Vec<usize> = (0..self.sorts.len()).collect();
            for (at, (left, right)) in pairs.iter().enumerate() {
                if equal & 1 << at != 0 {
                    let (old, new) = (group[*left], group[*right]);
                    group.iter_mut().filter(|it| **it == old).for_each(|it| *it = new);
                }
            }
            let mut product = 1_i128;
            for leader in 0..self.sorts.len() {
                let members: Vec<usize> = (0..group.len()).filter(|it| group[*it] == leader).collect();
                if product != 0 && members.iter().any(|it| open(*it)) {
                    product *= i128::from(self.common(&members, binding, others)?);
                }
            }
            sum += if equal.count_ones() % 2 == 0 { product } else { -product };
        }
        Ok(u64::try_from(sum.max(0)).unwrap_or(u64::MAX))
    }

    /// How many values all of these parameters can have together.
    fn common(&self, members: &[usize], binding: &Binding, others: &[Vec<Value>]) -> Result<u64, Exhausted> {
        let open: Vec<usize> = members.iter().copied().filter(|it| binding[*it] == Value::Absent).collect();
        let mut given = members.iter().map(|it| binding[*it]).filter(|it| *it != Value::Absent);
        let fits = |value: Value, sort: Sort| sort == Sort::Any || value.sort() == Some(sort);
        if let Some(value) = given.next() {
            let same = given.all(|it| it == value);
            let free =
                |it: &usize| others[*it].binary_search(&value).is_err() && fits(value, self.sorts[*it]);
            return Ok(u64::from(same && open.iter().all(free)));
        }
        // Sorts that can be compared are the same, but for those that are any.
        let sort = open.iter().map(|it| self.sorts[*it]).find(|it| *it != Sort::Any).unwrap_or(Sort::Any);
        let all = self.domain.count(sort);
        let gone = match open.as_slice() {
            [one] => others[*one].len() as u64,
            _ => {
                let mut gone: Vec<Value> = open.iter().flat_map(|it| others[*it].iter().copied()).collect();
                self.spend(gone.len() as u64)?;
                gone.retain(|it| fits(*it, sort));
                gone.sort_unstable();
                gone.dedup();
                gone.len() as u64
            }
        };
        Ok(all.saturating_sub(gone))
    }

    /// Calls `visit` with the bindings of a class, until it says that it has enough.
    pub(super) fn members(
        &self,
        class: &Class<'_>,
        visit: &mut dyn FnMut(Binding) -> bool,
    ) -> Result<(), Exhausted> {
        self.members_from(0, class.binding, class, visit).map(|_| ())
    }

    fn members_from(
        &self,
        depth: usize,
        binding: Binding,
        class: &Class<'_>,
        visit: &mut dyn FnMut(Binding) -> bool,
    ) -> Result<bool, Exhausted> {
        if depth == self.sorts.len() {
            return Ok(visit(binding));
        }
        if class.binding[depth] != Value::Absent {
            return Ok(!self.allows(depth, &binding) || self.members_from(depth + 1, binding, class, visit)?);
        }
        for value in self.domain.of(self.sorts[depth]) {
            self.spend(1)?;
            let mut binding = binding;
            binding[depth] = value;
            if class.others[depth].binary_search(&value).is_err()
                && self.allows(depth, &binding)
                && !self.members_from(depth + 1, binding, class, visit)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// See [`Space::branches`].
pub(super) struct Branches {
    /// In order.
    pub(super) known: Vec<(Value, Vec<Part>)>,
    pub(super) rest: Vec<Part>,
}
