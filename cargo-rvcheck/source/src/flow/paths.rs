//! Paths through a body without a panic: what can be reached from where, and what lies in which loop. A suspension leads to where
//! the state machine goes on.

use super::Function;
use crate::mir::BlockId;
use std::collections::BTreeSet;

/// The paths through a body.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    next: Vec<Vec<BlockId>>,
    before: Vec<Vec<BlockId>>,
}

impl Paths {
    /// The paths through this body.
    pub(crate) fn of(function: &Function) -> Paths {
        let next: Vec<Vec<BlockId>> = function.blocks().map(|(id, _)| function.successors(id)).collect();
        let mut before = vec![Vec::new(); next.len()];
        for (from, targets) in next.iter().enumerate() {
            for to in targets {
                if let Some(it) = before.get_mut(to.0 as usize) {
                    it.push(BlockId(from as u32));
                }
            }
        }
        Paths { next, before }
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
        closure(&self.next, starts, avoid)
    }

    /// The blocks from which one of these is reached, themselves included, without going through one to avoid.
    pub(crate) fn to(&self, ends: &[BlockId], avoid: &dyn Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
        closure(&self.before, ends, avoid)
    }

    /// The blocks that are reached from behind this one.
    pub(crate) fn after(&self, id: BlockId) -> BTreeSet<BlockId> {
        self.from(self.next(id), &|_| false)
    }

    /// Whether the first is followed by the second on some path.
    pub(crate) fn leads(&self, from: BlockId, to: BlockId) -> bool {
        self.after(from).contains(&to)
    }

    /// Whether the body can come back from behind the block to it.
    pub(crate) fn repeats(&self, id: BlockId) -> bool {
        self.leads(id, id)
    }

    /// The blocks of the outermost loop that the block is in; empty if it is in none.
    pub(crate) fn loop_around(&self, id: BlockId) -> BTreeSet<BlockId> {
        if !self.repeats(id) {
            return BTreeSet::new();
        }
        let after = self.after(id);
        let before = self.to(&[id], &|_| false);
        after.intersection(&before).copied().collect()
    }

    /// Where control leaves these blocks: the last block inside and the first one outside.
    pub(crate) fn exits(&self, of: &BTreeSet<BlockId>) -> Vec<(BlockId, BlockId)> {
        let edges = of.iter().flat_map(|&from| self.next(from).iter().map(move |&to| (from, to)));
        edges.filter(|(_, to)| !of.contains(to)).collect()
    }
}

fn closure(next: &[Vec<BlockId>], starts: &[BlockId], avoid: &dyn Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<BlockId> = starts.to_vec();
    while let Some(id) = open.pop() {
        if !avoid(id) && found.insert(id) {
            open.extend(next.get(id.0 as usize).into_iter().flatten());
        }
    }
    found
}
