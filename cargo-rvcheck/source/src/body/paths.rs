//! Paths through a body without a panic: what can be reached from where, and what lies in which loop. A suspension leads to where
//! the state machine goes on.

use crate::body::{Function, walk};
use crate::mir::BlockId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The paths through a body.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    next: Vec<Vec<BlockId>>,
    before: Vec<Vec<BlockId>>,
    /// By block: the number of the loop that it is in.
    loops: OnceLock<Vec<Option<usize>>>,
}

impl Paths {
    /// The paths through this body.
    pub(crate) fn of(function: &Function) -> &Paths {
        function.paths.get_or_init(|| Paths::found(function))
    }

    fn found(function: &Function) -> Paths {
        let next: Vec<Vec<BlockId>> = function.blocks().map(|(id, _)| function.successors(id)).collect();
        let mut before = vec![Vec::new(); next.len()];
        for (from, targets) in next.iter().enumerate() {
            for to in targets {
                if let Some(it) = before.get_mut(to.0 as usize) {
                    it.push(BlockId(from as u32));
                }
            }
        }
        Paths { next, before, loops: OnceLock::new() }
    }

    /// The blocks that come next.
    pub(crate) fn next(&self, id: BlockId) -> &[BlockId] {
        self.next.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The blocks that come right before.
    pub(crate) fn before(&self, id: BlockId) -> &[BlockId] {
        self.before.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The blocks that are reached from these, themselves included, without going through one to avoid.
    pub(crate) fn from(&self, starts: &[BlockId], avoid: &dyn Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
        let next = |id| self.next(id).iter().copied().filter(|it| !avoid(*it));
        walk::reached(starts.iter().copied().filter(|it| !avoid(*it)), next)
    }

    /// Whether one that is looked for is reached from these, themselves included, without going through one to avoid.
    pub(crate) fn reach(
        &self,
        starts: &[BlockId],
        avoid: &dyn Fn(BlockId) -> bool,
        is_it: &dyn Fn(BlockId) -> bool,
    ) -> bool {
        let next = |id| self.next(id).iter().copied().filter(|it| !avoid(*it));
        walk::reaches(starts.iter().copied().filter(|it| !avoid(*it)), next, |it| is_it(*it))
    }

    /// The blocks from which one of these is reached, themselves included, without going through one to avoid.
    pub(crate) fn to(&self, ends: &[BlockId], avoid: &dyn Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
        let before = |id| self.before(id).iter().copied().filter(|it| !avoid(*it));
        walk::reached(ends.iter().copied().filter(|it| !avoid(*it)), before)
    }

    /// The blocks that are reached from behind this one.
    pub(crate) fn after(&self, id: BlockId) -> BTreeSet<BlockId> {
        self.from(self.next(id), &|_| false)
    }

    /// Whether the first is followed by the second on some path.
    pub(crate) fn leads(&self, from: BlockId, to: BlockId) -> bool {
        walk::reaches(self.next(from).iter().copied(), |id| self.next(id).iter().copied(), |it| *it == to)
    }

    /// Whether every path from there to the end of the body comes by one of these blocks.
    pub(crate) fn pass(
        &self,
        function: &Function,
        from: &[BlockId],
        through: &dyn Fn(BlockId) -> bool,
    ) -> bool {
        let next = |it: BlockId| self.next(it).iter().copied().filter(|it| !through(*it));
        let starts = from.iter().copied().filter(|it| !through(*it));
        !walk::reaches(starts, next, |it| function.returns_at(*it))
    }

    /// Whether the first is followed by the second on some path, before a loop that the second is in begins its next iteration.
    pub(crate) fn leads_in_iteration(&self, from: BlockId, to: BlockId) -> bool {
        let mut again = self.back_edges();
        let is_in = |first: BlockId| {
            let lasts: Vec<BlockId> =
                again.iter().filter(|(_, it)| *it == first).map(|(last, _)| *last).collect();
            to == first || self.to(&lasts, &|it| it == first).contains(&to)
        };
        let firsts: BTreeSet<BlockId> = again.iter().map(|(_, it)| *it).filter(|it| is_in(*it)).collect();
        again.retain(|(_, first)| firsts.contains(first));
        let next = |id: BlockId| {
            let again = &again;
            self.next(id).iter().copied().filter(move |it| !again.contains(&(id, *it)))
        };
        walk::reaches(next(from), next, |it| *it == to)
    }

    /// The edges by which loops begin their next iteration: from the last block to the first.
    fn back_edges(&self) -> Vec<(BlockId, BlockId)> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::from([BlockId(0)]);
        let mut way: Vec<(BlockId, usize)> = vec![(BlockId(0), 0)];
        while let Some((at, number)) = way.pop() {
            let Some(&to) = self.next(at).get(number) else { continue };
            way.push((at, number + 1));
            if way.iter().any(|(it, _)| *it == to) {
                found.push((at, to));
            } else if seen.insert(to) {
                way.push((to, 0));
            }
        }
        found
    }

    /// Whether the body can come back from behind the block to it.
    pub(crate) fn repeats(&self, id: BlockId) -> bool {
        self.loop_of(id).is_some()
    }

    /// The blocks of the outermost loop that the block is in; empty if it is in none.
    pub(crate) fn loop_around(&self, id: BlockId) -> BTreeSet<BlockId> {
        let Some(number) = self.loop_of(id) else { return BTreeSet::new() };
        let loops = self.loops.get().into_iter().flatten();
        (0..).map(BlockId).zip(loops).filter(|(_, it)| **it == Some(number)).map(|(id, _)| id).collect()
    }

    /// The blocks of each loop that is left where nothing goes through the blocks to avoid: the outermost ones.
    pub(crate) fn loops_without(&self, avoid: &dyn Fn(BlockId) -> bool) -> Vec<BTreeSet<BlockId>> {
        let edges = |of: &[Vec<BlockId>]| -> Vec<Vec<BlockId>> {
            let kept = |(from, ends): (BlockId, &Vec<BlockId>)| {
                ends.iter().copied().filter(|it| !avoid(from) && !avoid(*it)).collect()
            };
            (0..).map(BlockId).zip(of).map(kept).collect()
        };
        let mut found: BTreeMap<usize, BTreeSet<BlockId>> = BTreeMap::new();
        for (id, number) in (0..).map(BlockId).zip(loops(&edges(&self.next), &edges(&self.before))) {
            if let Some(number) = number {
                found.entry(number).or_default().insert(id);
            }
        }
        found.into_values().collect()
    }

    fn loop_of(&self, id: BlockId) -> Option<usize> {
        self.loops.get_or_init(|| loops(&self.next, &self.before)).get(id.0 as usize).copied().flatten()
    }

    /// Where control leaves these blocks: the last block inside and the first one outside.
    pub(crate) fn exits(&self, of: &BTreeSet<BlockId>) -> Vec<(BlockId, BlockId)> {
        let edges = of.iter().flat_map(|&from| self.next(from).iter().map(move |&to| (from, to)));
        edges.filter(|(_, to)| !of.contains(to)).collect()
    }
}

/// By block: the number of the strongly connected component that it is in, if it is in a cycle.
fn loops(next: &[Vec<BlockId>], before: &[Vec<BlockId>]) -> Vec<Option<usize>> {
    let mut found = vec![None; next.len()];
    let after = |at: usize| next[at].iter().map(|it| it.0 as usize);
    let parts = walk::components(next.len(), after, |at| before[at].iter().map(|it| it.0 as usize));
    for (number, part) in parts.into_iter().enumerate() {
        let is_cycle = part.len() > 1 || part.iter().any(|at| after(*at).any(|it| it == *at));
        for at in part.into_iter().filter(|_| is_cycle) {
            found[at] = Some(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paths(next: Vec<Vec<u32>>) -> Paths {
        let count = next.len() as u32;
        let next: Vec<Vec<BlockId>> =
            next.into_iter().map(|it| it.into_iter().map(|it| BlockId(it % count)).collect()).collect();
        let mut before = vec![Vec::new(); next.len()];
        for (from, targets) in (0..).zip(&next) {
            for to in targets {
                before[to.0 as usize].push(BlockId(from));
            }
        }
        Paths { next, before, loops: OnceLock::new() }
    }

    proptest! {
        #[test]
        fn a_loop_is_what_is_reached_from_a_block_and_reaches_it(
            next in prop::collection::vec(prop::collection::vec(0_u32..12, 0..3), 1..12)
        ) {
            let paths = paths(next);
            for id in (0..paths.next.len() as u32).map(BlockId) {
                let (after, before) = (paths.after(id), paths.to(&[id], &|_| false));
                let expected = if after.contains(&id) { &after & &before } else { BTreeSet::new() };
                prop_assert_eq!(paths.loop_around(id), expected);
                prop_assert_eq!(paths.repeats(id), after.contains(&id));
                for to in (0..paths.next.len() as u32).map(BlockId) {
                    prop_assert_eq!(paths.leads(id, to), after.contains(&to));
                    prop_assert!(!paths.leads_in_iteration(id, to) || paths.leads(id, to));
                }
            }
        }
    }

    #[test]
    fn a_loop_inside_is_what_is_left_without_the_head_of_the_outer_one() {
        let paths = paths(vec![vec![1, 4], vec![2], vec![1, 3], vec![0], vec![]]);
        let without = |head: u32| paths.loops_without(&|it| it == BlockId(head));
        assert_eq!(paths.loops_without(&|_| false), [(0..4).map(BlockId).collect()]);
        assert_eq!(without(0), [BTreeSet::from([BlockId(1), BlockId(2)])]);
        assert!(without(1).is_empty());
    }

    #[test]
    fn an_iteration_ends_where_the_loop_begins_again() {
        // 0: the head; 1: one half or the other, 2 and 3; 4: behind the loop.
        let paths = paths(vec![vec![1, 4], vec![2, 3], vec![0], vec![0], vec![]]);
        let leads = |from, to| paths.leads_in_iteration(BlockId(from), BlockId(to));
        assert!(leads(1, 2) && leads(2, 4));
        assert!(!leads(2, 3) && !leads(2, 1));
    }
}
