//! Instances go again that are no longer told apart from a smaller one.
//!
//! What is known of a binding stands in the greatest instance that is contained in it. Where an instance is in the state of
//! the greatest one that it contains, it adds nothing, and can be forgotten as if it had not come about. But those that are
//! kept stay closed under union: where it contains two others neither of which contains the other, it may be their union.

use crate::evaluation::engine::rules::{Rules, Situation};
use crate::evaluation::engine::slicer::Slicer;
use crate::evaluation::engine::store::Instance;

impl Slicer {
    /// Forgets those of the instances that the last event concerned which are back in the state of a smaller one.
    pub(super) fn rejoin<R: Rules>(&mut self, rules: &R) {
        let mut concerned = std::mem::take(&mut self.scratch.concerned);
        // What a smaller one contains goes first.
        concerned.sort_unstable_by_key(|id| (self.store.get(*id).mask.count_ones(), *id));
        concerned.dedup();
        for id in &concerned {
            if self.is_back(rules, *id) {
                self.store.remove(*id);
            }
        }
        self.scratch.concerned = concerned;
    }

    /// Whether an instance tells nothing that a smaller one does not.
    fn is_back<R: Rules>(&self, rules: &R, id: u32) -> bool {
        let Instance { state, unit, mask, reported, .. } = *self.store.get(id);
        if mask == 0 || reported {
            return false;
        }
        let binding = self.store.binding(id);
        let mut smaller = self.parts(mask).filter_map(|part| self.store.find(unit, part, binding));
        let base = smaller.next().map(|it| self.store.get(it));
        let (like, within) = base.map_or((rules.initial(), 0), |it| (usize::from(it.state), it.mask));
        usize::from(state) == like
            && rules.is_like(Situation { state: like, unit, mask, binding }, within)
            && smaller.all(|it| self.store.get(it).mask & !within == 0)
    }
}
