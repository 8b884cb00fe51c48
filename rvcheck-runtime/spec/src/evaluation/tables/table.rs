//! The truth of a formula at all positions at once, in time that grows with the trace and not with its square wherever
//! there is no interval. It agrees with the oracle `ltl::meaning` on traces that are over.
//!
//! On a trace that may go on, a formula is true or false only where no continuation, with new objects or not, changes that.

use std::cell::Cell;

use rvcheck_event::value::Value;

use crate::evaluation::tables::view::View;
use crate::language::formula::tree::{Binary, Interval, Quantifier, Unary};
use crate::model::fluent::Fluent;
use crate::model::formula::{Node, Quantified};
use crate::model::pattern::Wanted;

/// What is known of a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    /// It does not hold, whatever comes.
    False,
    /// What comes decides.
    Open,
    /// It holds, whatever comes.
    True,
}

impl Truth {
    /// Of something that is known.
    pub const fn of(truth: bool) -> Truth {
        if truth { Truth::True } else { Truth::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Open => Truth::Open,
            Truth::True => Truth::False,
        }
    }
}

/// The work that was allowed is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

/// How many steps an entry of a table takes, or looking at an event for a match: as long as so many steps of slicing.
pub(super) const ENTRY: u64 = 8;

/// The table of a formula under a binding.
type Body<'b> = dyn FnMut(&mut Vec<Value>) -> Result<Vec<Truth>, Exhausted> + 'b;

/// Computes truth tables over one trace.
pub struct Tables<'a> {
    view: &'a View<'a>,
    /// More events may come.
    open: bool,
    /// How many more steps may be taken.
    left: &'a Cell<u64>,
}

impl<'a> Tables<'a> {
    /// Tables over this view. `open` if more events may come; `left` is how many steps may be taken.
    pub fn new(view: &'a View<'a>, open: bool, left: &'a Cell<u64>) -> Tables<'a> {
        Tables { view, open, left }
    }

    /// The truth of the formula for the trace as a whole.
    pub fn at_start(&self, node: &Node, binding: &mut Vec<Value>) -> Result<Truth, Exhausted> {
        if !self.view.is_empty() {
            return Ok(self.table(node, binding)?[0]);
        }
        if self.open { Ok(Truth::Open) } else { self.on_nothing(node, binding) }
    }

    /// The truth on the empty trace.
    fn on_nothing(&self, node: &Node, binding: &mut Vec<Value>) -> Result<Truth, Exhausted> {
        Ok(match node {
            Node::Constant(truth) => Truth::of(*truth),
            Node::Event(_) | Node::Fluent(..) | Node::Condition(_) => Truth::False,
            Node::Unary(Unary::Not, _, inner) => !self.on_nothing(inner, binding)?,
            Node::Unary(operator, ..) => {
                Truth::of(matches!(operator, Unary::WeakNext | Unary::Globally | Unary::Historically))
            }
            Node::Binary(operator, ..) if operator.is_temporal() => {
                Truth::of(matches!(operator, Binary::WeakUntil | Binary::Release))
            }
            Node::Binary(operator, _, left, right) => {
                connected(*operator, self.on_nothing(left, binding)?, self.on_nothing(right, binding)?)
            }
            Node::Quantified(it) => self
                .quantified(it, binding, 1, &mut |binding| Ok(vec![self.on_nothing(&it.body, binding)?]))?[0],
        })
    }

    /// The truth at each position under a binding of the variables.
    pub fn table(&self, node: &Node, binding: &mut Vec<Value>) -> Result<Vec<Truth>, Exhausted> {
        let n = self.view.len();
        self.spend(ENTRY * n as u64)?;
        let at_end = |weak: bool| if self.open { Truth::Open } else { Truth::of(weak) };
        Ok(match node {
            Node::Constant(truth) => vec![Truth::of(*truth); n],
            Node::Condition(condition) => vec![Truth::of(self.view.holds(condition, binding)); n],
            Node::Event(pattern) => {
                (0..n).map(|at| Truth::of(self.view.matches(pattern, at, binding))).collect()
            }
            Node::Fluent(fluent, arguments, condition) => {
                if condition.as_ref().is_some_and(|it| !self.view.holds(it, binding)) {
                    vec![Truth::False; n]
                } else {
                    self.fluent(fluent, arguments, binding)?
                }
            }
            Node::Unary(operator, interval, inner) => {
                let mut inner = self.table(inner, binding)?;
                let all = vec![Truth::True; n];
                let negated = |mut table: Vec<Truth>| {
                    for it in &mut table {
                        *it = !*it;
                    }
                    table
                };
                match operator {
                    Unary::Not => negated(inner),
                    Unary::Next | Unary::WeakNext => {
                        inner.push(at_end(*operator == Unary::WeakNext));
                        inner.remove(0);
                        inner
                    }
                    Unary::Previous => {
                        inner.insert(0, Truth::False);
                        inner.pop();
                        inner
                    }
                    Unary::Eventually => self.until(*interval, &all, &inner)?,
                    Unary::Globally => negated(self.until(*interval, &all, &negated(inner))?),
                    Unary::Once => self.since(*interval, &all, &inner)?,
                    Unary::Historically => negated(self.since(*interval, &all, &negated(inner))?),
                }
            }
            Node::Binary(operator, interval, left, right) => {
                let (left, right) = (self.table(left, binding)?, self.table(right, binding)?);
                let opposite = |table: &[Truth]| table.iter().map(|it| !*it).collect::<Vec<_>>();
                match operator {
                    Binary::Until => self.until(*interval, &left, &right)?,
                    Binary::WeakUntil => {
                        let all = vec![Truth::True; n];
                        let until = self.until(*interval, &left, &right)?;
                        let sometime_not = self.until(*interval, &all, &opposite(&left))?;
                        until.into_iter().zip(sometime_not).map(|(until, not)| until.max(!not)).collect()
                    }
                    Binary::Release => {
                        opposite(&self.until(*interval, &opposite(&left), &opposite(&right))?)
                    }
                    Binary::Since => self.since(*interval, &left, &right)?,
                    connective => {
                        left.into_iter().zip(right).map(|(l, r)| connected(*connective, l, r)).collect()
                    }
                }
            }
            Node::Quantified(it) => {
                self.quantified(it, binding, n, &mut |binding| self.table(&it.body, binding))?
            }
        })
    }

    /// Takes so many steps off what is allowed.
    pub(super) fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.left.set(self.left.get().checked_sub(steps).ok_or(Exhausted)?);
        Ok(())
    }

    fn until(
        &self,
        interval: Option<Interval>,
        first: &[Truth],
        second: &[Truth],
    ) -> Result<Vec<Truth>, Exhausted> {
        let n = self.view.len();
        let beyond = if self.open { Truth::Open } else { Truth::False };
        let mut table = vec![beyond; n];
        for i in (0..n).rev() {
            table[i] = match interval {
                None => second[i].max(first[i].min(table.get(i + 1).copied().unwrap_or(beyond))),
                Some(interval) => {
                    let (mut found, mut kept) = (Truth::False, Truth::True);
                    let mut j = i;
                    while j < n && kept > Truth::False && found < Truth::True {
                        if interval.contains(self.view.distance(i, j)) {
                            found = found.max(kept.min(second[j]));
                        }
                        kept = kept.min(first[j]);
                        j += 1;
                    }
                    self.spend(ENTRY * (j - i) as u64)?;
                    found.max(kept.min(beyond))
                }
            };
        }
        Ok(table)
    }

    fn since(
        &self,
        interval: Option<Interval>,
        first: &[Truth],
        second: &[Truth],
    ) -> Result<Vec<Truth>, Exhausted> {
        let mut table = Vec::with_capacity(self.view.len());
        let mut before = Truth::False;
        for i in 0..self.view.len() {
            before = match interval {
                None => second[i].max(first[i].min(before)),
                Some(interval) => {
                    let (mut found, mut kept) = (Truth::False, Truth::True);
                    for j in (0..=i).rev() {
                        if kept == Truth::False || found == Truth::True {
                            break;
                        }
                        self.spend(ENTRY)?;
                        if interval.contains(self.view.distance(i, j)) {
                            found = found.max(kept.min(second[j]));
                        }
                        kept = kept.min(first[j]);
                    }
                    found
                }
            };
            table.push(before);
        }
        Ok(table)
    }

    fn fluent(
        &self,
        fluent: &Fluent,
        arguments: &[Option<Wanted>],
        binding: &[Value],
    ) -> Result<Vec<Truth>, Exhausted> {
        let agrees = |values: &[Value]| {
            let mut pairs = arguments.iter().zip(values);
            pairs.all(|(it, value)| it.as_ref().is_none_or(|it| self.view.is_wanted(*value, it, binding)))
        };
        // The values for which it holds.
        let mut live: Vec<Vec<Value>> = Vec::new();
        let mut table = Vec::with_capacity(self.view.len());
        for at in 0..self.view.len() {
            self.spend(live.len() as u64)?;
            live.retain(|values| !fluent.to.iter().any(|to| self.view.matches(to, at, values)));
            if self.view.positions[at].allows(fluent.only) {
                for from in &fluent.from {
                    let values = self.view.bound(from, at, fluent.params.len());
                    if let Some(values) = values.filter(|it| agrees(it) && !live.contains(it)) {
                        live.push(values);
                    }
                }
            }
            table.push(Truth::of(!live.is_empty()));
        }
        Ok(table)
    }

    fn quantified(
        &self,
        it: &Quantified,
        binding: &mut Vec<Value>,
        length: usize,
        body: &mut Body<'_>,
    ) -> Result<Vec<Truth>, Exhausted> {
        let forall = it.quantifier == Quantifier::Forall;
        // On a trace that may go on, values may come of which nothing is known yet.
        let mut decided = vec![if self.open { Truth::Open } else { Truth::of(forall) }; length];
        each_binding(self.view, it, binding, &mut |binding| {
            for (sum, truth) in decided.iter_mut().zip(body(binding)?) {
                *sum = if forall { (*sum).min(truth) } else { (*sum).max(truth) };
            }
            Ok(())
        })?;
        Ok(decided)
    }
}

/// Calls `visit` with every binding of the quantifier's variables that meets its restriction. The variables have no value
/// afterwards.
pub(super) fn each_binding<E>(
    view: &View<'_>,
    it: &Quantified,
    binding: &mut Vec<Value>,
    visit: &mut dyn FnMut(&mut Vec<Value>) -> Result<(), E>,
) -> Result<(), E> {
    fn go<E>(
        view: &View<'_>,
        it: &Quantified,
        depth: usize,
        binding: &mut Vec<Value>,
        visit: &mut dyn FnMut(&mut Vec<Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some((variable, sort)) = it.variables.get(depth) else {
            let counts = it.restriction.as_ref().is_none_or(|restriction| view.holds(restriction, binding));
            return if counts { visit(binding) } else { Ok(()) };
        };
        for value in view.values(*sort) {
            binding[*variable] = *value;
            go(view, it, depth + 1, binding, visit)?;
        }
        binding[*variable] = Value::Absent;
        Ok(())
    }
    go(view, it, 0, binding, visit)
}

fn connected(connective: Binary, left: Truth, right: Truth) -> Truth {
    match connective {
        Binary::Iff => left.min(right).max((!left).min(!right)),
        Binary::Implies => (!left).max(right),
        Binary::Or => left.max(right),
        // The temporal ones are no connectives and do not come here.
        _ => left.min(right),
    }
}
