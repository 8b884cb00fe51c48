//! Branches by which a body leaves without a notification that its other paths reach.

use super::Change;
use crate::body::failing::failing;
use crate::body::provenance::{is_given, source};
use crate::body::{Definition, Function, Slot, feasible};
use crate::facts::signals::How;
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Terminator};
use std::collections::BTreeSet;

impl Change<'_> {
    /// The branches by shared state of which one side leads to a notification and to the end of the body, and another to the change; each
    /// with what is on the side of the notification.
    fn deciding(&self, notifies: &BTreeSet<BlockId>) -> Vec<(BlockId, BTreeSet<BlockId>)> {
        let shared = self.signals.decisions(self.id).into_iter();
        let shared = shared.filter(|it| it.reads.iter().any(|it| it.how != How::Bare));
        let decides = |branch: BlockId| {
            let sides = self.paths.next(branch).iter();
            let sides: Vec<_> = sides.map(|it| self.paths.from(&[*it], &|it| it == branch)).collect();
            let changes = |it: &BTreeSet<BlockId>| it.contains(&self.write.block);
            // A loop that notifies all of them ends on the other side.
            let ends = |it: &BTreeSet<BlockId>| it.iter().any(|at| self.function.returns_at(*at));
            let notified = |it: &&BTreeSet<BlockId>| !changes(it) && !it.is_disjoint(notifies) && ends(it);
            let notified = sides.iter().find(notified).filter(|_| sides.iter().any(changes))?;
            Some((branch, notified.clone()))
        };
        shared.filter_map(|it| decides(it.block)).collect()
    }

    /// Whether a branch that goes by shared state leads to a notification on one side, and to the change on the other.
    pub(super) fn is_decided(&self, notifies: &BTreeSet<BlockId>) -> bool {
        !self.deciding(notifies).is_empty()
    }

    /// A notification that comes before the change. One of another iteration, after which nobody was found to wait, is none.
    pub(super) fn notified_before(&self, notifies: &BTreeSet<BlockId>) -> Option<BlockId> {
        let deciding = self.deciding(notifies);
        let comes_to_it = |it: &BlockId| {
            let asks = |at: BlockId| {
                deciding.iter().any(|(branch, notified)| *branch == at && notified.contains(it))
            };
            self.paths.reach(self.paths.next(*it), &asks, &|at| at == self.write.block)
        };
        notifies.iter().copied().find(comes_to_it)
    }

    /// The error by which a path leaves the body after the change without a notification that the other path comes to.
    pub(super) fn left_by_error(&self, notifies: &BTreeSet<BlockId>) -> Option<(BlockId, BlockId)> {
        // What the change itself answers tells whether there was one.
        let answers = |on: &Place| source(self.function, &Slot::at(on)) == Some(self.write.block);
        let silent =
            feasible::from(self.function, self.paths.next(self.write.block), &|it| notifies.contains(&it));
        silent.iter().chain([&self.write.block]).find_map(|at| {
            let branch = failing(self.function, *at).filter(|it| !answers(it.on))?;
            let good = self.paths.from(&[branch.well], &|_| false);
            let notified = good.iter().find(|it| notifies.contains(it))?;
            let bad = self.paths.from(&[branch.failed], &|_| false);
            let leaves = bad.iter().any(|it| self.function.returns_at(*it));
            (leaves && !bad.iter().any(|it| notifies.contains(it))).then_some((*at, *notified))
        })
    }

    /// A branch behind the change that goes by nothing that is shared, and of which one side leaves without a notification.
    pub(super) fn left_otherwise(&self, notifying: &BTreeSet<BlockId>) -> Option<(BlockId, BlockId)> {
        let shared: BTreeSet<BlockId> = self
            .signals
            .decisions(self.id)
            .into_iter()
            .filter(|it| it.reads.iter().any(|it| it.how != How::Bare))
            .map(|it| it.block)
            .collect();
        let silent =
            feasible::from(self.function, self.paths.next(self.write.block), &|it| notifying.contains(&it));
        silent.into_iter().chain([self.write.block]).find_map(|at| {
            let Terminator::Switch { on, .. } = &self.function.body.block(at)?.terminator else {
                return None;
            };
            let answers = source(self.function, &Slot::at(on.place()?)) == Some(self.write.block);
            let given = is_given(self.function, on) && !is_of_self(self.function, on.place()?);
            if answers || shared.contains(&at) || given {
                return None;
            }
            // A flag that says what is still there to drop tells nothing about the program.
            let definitions = self.function.definitions(&Slot::at(on.place()?));
            let is_constant = |it: &Definition| {
                matches!(self.function.assigned(*it), Some(Rvalue::Use(Operand::Constant(_))))
            };
            let by_constants = !definitions.is_empty() && definitions.iter().all(is_constant);
            let notifies = |it: &BlockId| {
                let reached = self.paths.from(&[*it], &|_| false);
                reached.into_iter().find(|it| notifying.contains(it))
            };
            let leaves = |it: &BlockId| {
                self.paths.from(&[*it], &|_| false).iter().any(|it| self.function.returns_at(*it))
            };
            let next = self.paths.next(at);
            let notified = next.iter().find_map(notifies)?;
            (!by_constants && next.iter().any(|it| notifies(it).is_none() && leaves(it)))
                .then_some((at, notified))
        })
    }
}

/// Whether a value is a field of `self`, or made of that alone.
fn is_of_self(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..8 {
        if slot.local == Local(1) {
            return function.body.variables.iter().any(|(name, it)| name == "self" && it.local == Local(1));
        }
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => from,
            value => match value.and_then(Rvalue::negated) {
                Some(from) => from,
                None => return false,
            },
        };
        slot = Slot::at(from);
    }
    false
}
