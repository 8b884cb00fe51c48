//! Summaries: what each body does, with all that it runs.
//!
//! They are found bottom-up over the strongly connected components of the call graph, and inside a component in iterations up to a fixpoint. An
//! iteration sees what the one before it found, so that a summary does not depend on the order of the bodies.

use crate::body::walk::{Lattice, components};
use crate::body::{Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::drops::drops;
use crate::program::runs::Run;
use std::collections::BTreeSet;

/// What is asked of each body.
pub(crate) trait Domain {
    /// What a body does, in its own terms.
    type Summary: Lattice;
    /// A call: what tells the terms of the caller from those of the callee.
    type Call;

    /// What a body does itself.
    fn own(&self, body: FunctionId) -> Self::Summary;

    /// What a body calls.
    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)>;

    /// What a callee does, in the terms of the body that calls it.
    fn at_call(&self, body: FunctionId, call: &Self::Call, callee: &Self::Summary) -> Self::Summary;
}

/// The summaries of that many bodies, by their numbers.
pub(crate) fn solve<D: Domain + ?Sized>(domain: &D, count: usize) -> Vec<D::Summary> {
    let bodies = || (0..count as u32).map(FunctionId);
    let calls: Vec<Vec<(FunctionId, D::Call)>> = bodies().map(|it| domain.calls(it)).collect();
    let mut callers = vec![Vec::new(); count];
    for (caller, calls) in calls.iter().enumerate() {
        for (callee, _) in calls {
            callers[callee.0 as usize].push(caller);
        }
    }
    let callees = |at: usize| calls[at].iter().map(|(it, _)| it.0 as usize);
    let components = components(count, callees, |at| callers[at].iter().copied());
    let mut known: Vec<D::Summary> = bodies().map(|it| domain.own(it)).collect();
    for component in components.into_iter().rev() {
        // In the first iteration, whatever is called is news.
        let mut news: Option<BTreeSet<FunctionId>> = None;
        while news.as_ref().is_none_or(|it| !it.is_empty()) {
            let grown = component.iter().filter_map(|at| {
                let is_news =
                    |it: &&(FunctionId, D::Call)| news.as_ref().is_none_or(|new| new.contains(&it.0));
                let mut calls = calls[*at].iter().filter(is_news).peekable();
                calls.peek()?;
                let (body, mut summary) = (FunctionId(*at as u32), known[*at].clone());
                let grows = |grows, (callee, call): &(FunctionId, D::Call)| {
                    summary.join(&domain.at_call(body, call, &known[callee.0 as usize])) || grows
                };
                calls.fold(false, grows).then_some((body, summary))
            });
            let grown: Vec<(FunctionId, D::Summary)> = grown.collect();
            news = Some(grown.iter().map(|it| it.0).collect());
            for (body, summary) in grown {
                known[body.0 as usize] = summary;
            }
        }
    }
    known
}

/// The most facts of a summary. A recursion along a list does the same to another node with each call, and there is no end of them.
const MOST: usize = 64;

/// A set of facts, in the order in which they were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FactSet<F>(pub(crate) Vec<F>);

impl<F: Clone + PartialEq> Lattice for FactSet<F> {
    fn join(&mut self, other: &FactSet<F>) -> bool {
        let before = self.0.len();
        for it in &other.0 {
            if self.0.len() < MOST && !self.0.contains(it) {
                self.0.push(it.clone());
            }
        }
        self.0.len() != before
    }
}

impl<F: Clone + PartialEq> FromIterator<F> for FactSet<F> {
    fn from_iter<I: IntoIterator<Item = F>>(facts: I) -> FactSet<F> {
        let mut found = FactSet(Vec::new());
        found.join(&FactSet(facts.into_iter().collect()));
        found
    }
}

/// The first fact of its sort that is found.
impl<F: Clone> Lattice for Option<F> {
    fn join(&mut self, other: &Option<F>) -> bool {
        let is_new = self.is_none() && other.is_some();
        if is_new {
            self.clone_from(other);
        }
        is_new
    }
}

/// What a body runs by its calls, as `runs` has them.
pub(crate) fn calls(
    program: &Program,
    function: &Function,
    runs: fn(&Program, &Function, BlockId) -> Vec<Run>,
) -> Vec<(FunctionId, (BlockId, Run))> {
    let run = |at| runs(program, function, at).into_iter().map(move |it| (it.body, (at, it)));
    function.calls().flat_map(|(at, ..)| run(at)).collect()
}

/// What a body runs where it drops values, and by its calls.
pub(crate) fn drops_and_calls(
    program: &Program,
    function: &Function,
    runs: fn(&Program, &Function, BlockId) -> Vec<Run>,
) -> Vec<(FunctionId, (BlockId, Run))> {
    let dropped = drops(program, function).into_iter().map(|(at, it)| (it.body, (at, it)));
    dropped.chain(calls(program, function, runs)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::walk;
    use proptest::prelude::*;

    /// Which bodies are run, and by way of how many calls modulo three.
    struct Ran<'a>(&'a [Vec<u32>]);

    impl Domain for Ran<'_> {
        type Summary = FactSet<(u32, u32)>;
        type Call = ();

        fn own(&self, body: FunctionId) -> FactSet<(u32, u32)> {
            FactSet(vec![(body.0, 0)])
        }

        fn calls(&self, body: FunctionId) -> Vec<(FunctionId, ())> {
            self.0[body.0 as usize].iter().map(|it| (FunctionId(*it), ())).collect()
        }

        fn at_call(&self, _: FunctionId, (): &(), callee: &FactSet<(u32, u32)>) -> FactSet<(u32, u32)> {
            callee.0.iter().map(|(body, steps)| (*body, (steps + 1) % 3)).collect()
        }
    }

    proptest! {
        #[test]
        fn a_summary_has_what_is_reached(next in prop::collection::vec(prop::collection::vec(0_u32..9, 0..3), 9)) {
            for (at, found) in (0..).zip(solve(&Ran(&next), 9)) {
                let expected = walk::reached([(at, 0)], |(body, steps)| {
                    next[body as usize].iter().map(move |it| (*it, (steps + 1) % 3))
                });
                prop_assert_eq!(BTreeSet::from_iter(found.0), expected);
            }
        }

        #[test]
        fn the_order_of_bodies_does_not_matter(next in prop::collection::vec(prop::collection::vec(0_u32..9, 0..3), 9)) {
            let turned: Vec<Vec<u32>> =
                next.iter().rev().map(|it| it.iter().map(|it| 8 - it).collect()).collect();
            let turn = |it: FactSet<(u32, u32)>| it.0.into_iter().map(|(body, steps)| (8 - body, steps)).collect();
            let back: Vec<FactSet<(u32, u32)>> = solve(&Ran(&turned), 9).into_iter().rev().map(turn).collect();
            prop_assert_eq!(solve(&Ran(&next), 9), back);
        }
    }

    /// How often a body calls itself, without end.
    struct Endless;

    impl Domain for Endless {
        type Summary = FactSet<usize>;
        type Call = ();

        fn own(&self, _: FunctionId) -> FactSet<usize> {
            FactSet(vec![0])
        }

        fn calls(&self, body: FunctionId) -> Vec<(FunctionId, ())> {
            vec![(body, ())]
        }

        fn at_call(&self, _: FunctionId, (): &(), callee: &FactSet<usize>) -> FactSet<usize> {
            callee.0.iter().map(|it| it + 1).collect()
        }
    }

    #[test]
    fn a_recursion_comes_to_an_end() {
        assert_eq!(solve(&Endless, 1), [FactSet((0..MOST).collect())]);
    }
}
