//! The instances that every event of their unit moves, whatever it says.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;

use crate::evaluation::engine::rules::{Rules, Situation};
use crate::evaluation::engine::slicer::Slicer;
use crate::evaluation::engine::store::Instance;
use crate::verdict::Violation;

impl Slicer {
    /// Puts an instance on the list of those that every event moves, if it is one.
    #[inline]
    pub(super) fn watch<R: Rules>(&mut self, rules: &R, tally: usize, id: u32) {
        let instance = self.store.get(id);
        if self.options.watch && !instance.restless && self.idle(rules, id) != usize::from(instance.state) {
            let born = instance.born;
            self.store.get_mut(id).restless = true;
            self.restless[tally].push((id, born));
        }
    }

    fn idle<R: Rules>(&self, rules: &R, id: u32) -> usize {
        let Instance { state, unit, mask, .. } = *self.store.get(id);
        rules.idle(Situation { state: state.into(), unit, mask, binding: self.store.binding(id) })
    }

    fn all_of(&self, unit: UnitId) -> Vec<(u32, u64)> {
        let of_unit = self.store.ids().filter(|id| self.store.get(*id).unit == unit);
        of_unit.map(|id| (id, self.store.get(id).born)).collect()
    }

    /// Moves the instances that every event moves and that this one does not concern.
    pub(super) fn step_restless<R: Rules>(
        &mut self,
        rules: &R,
        tally: usize,
        event: &Event,
        out: &mut Vec<Violation>,
    ) {
        let mut list = if self.options.watch {
            std::mem::take(&mut self.restless[tally])
        } else {
            self.all_of(self.tallies[tally].0)
        };
        self.spend(list.len());
        list.retain(|(id, born)| {
            let instance = self.store.get(*id);
            if !instance.alive || instance.born != *born {
                return false;
            }
            if instance.stepped != self.now {
                let (from, to) = (usize::from(instance.state), self.idle(rules, *id));
                self.store.get_mut(*id).stepped = self.now;
                if to != from {
                    self.enter(rules, *id, to, event);
                    self.look(rules, tally, *id, out);
                }
                if self.rejoins {
                    self.scratch.concerned.push(*id);
                }
            }
            let restless = self.idle(rules, *id) != usize::from(self.store.get(*id).state);
            self.store.get_mut(*id).restless = restless;
            restless
        });
        self.restless[tally] = list;
    }
}
