//! Instances come about: which bindings an event could bring about, which of them it does, and what they go on from.

use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::evaluation::engine::history::History;
use crate::evaluation::engine::rules::{Bound, Like, Rules, Situation};
use crate::evaluation::engine::slicer::{Moment, Scratch, Slicer};
use crate::model::automaton::Mask;
use crate::semantics::facts::Facts;
use crate::verdict::Fault;

impl Slicer {
    /// What the event binds, alone and joined with what is known. Some are kept already, and some come twice.
    pub(super) fn candidates<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        scratch: &mut Scratch,
    ) {
        let Scratch { bound, candidates, concerned } = scratch;
        candidates.clear();
        for one in bound.iter() {
            candidates.push(*one);
            for mask in self.store.masks() {
                // With a part of what the event binds, and with more than that, there is nothing to join.
                if mask & one.mask == one.mask || mask & one.mask == *mask {
                    continue;
                }
                concerned.clear();
                self.store.collect(moment.unit, *mask, mask & one.mask, &one.binding, concerned);
                self.work += concerned.len() as u64;
                for id in concerned.iter() {
                    let mut binding = one.binding;
                    for (param, value) in self.store.binding(*id).iter().enumerate() {
                        if mask & 1 << param != 0 {
                            binding[param] = *value;
                        }
                    }
                    let joined = Bound { mask: mask | one.mask, binding, letter: 0, whole: false };
                    if moment.rules.choice(joined.mask, &joined.binding, moment.facts).is_some() {
                        candidates.push(joined);
                    }
                }
            }
        }
    }

    /// Creates the instance of a binding if the event makes it differ from what it is contained in.
    pub(super) fn bring_about<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        candidate: &Bound,
        bounds: &[Bound],
    ) -> Result<(), R::Clash> {
        let Moment { rules, plan, unit, event, facts, .. } = *moment;
        if self.store.find(unit, candidate.mask, &candidate.binding).is_some() {
            return Ok(());
        }
        let (base, contains_new) = self.within(unit, candidate);
        // Where instances come and go, being touched is no reason for one.
        let whole = candidate.whole && candidate.mask == rules.all() && !self.rejoins;
        let needed = whole || contains_new || {
            let binding = &candidate.binding[..rules.params()];
            let (state, mask, registers) = match base {
                Some(base) => {
                    let it = self.store.get(base);
                    (usize::from(it.state), Some(it.mask), self.store.registers(base))
                }
                None => (rules.initial(), None, self.initial_registers.as_slice()),
            };
            let at = Situation { state, unit, mask: candidate.mask, binding };
            rules.parts_from(plan, at, Like { mask, registers }, bounds, event, facts)?
        };
        if needed {
            self.create(moment, candidate.mask, &candidate.binding, base);
        }
        Ok(())
    }

    /// The greatest instance from before this event that binds a part of what the candidate binds, and whether this event created
    /// one that does.
    fn within(&self, unit: UnitId, candidate: &Bound) -> (Option<u32>, bool) {
        let (mut base, mut contains_new) = (None, false);
        for part in self.parts(candidate.mask) {
            match self.store.find(unit, part, &candidate.binding) {
                Some(id) if self.store.get(id).born == self.now => contains_new = true,
                Some(id) => base = base.or(Some(id)),
                None => {}
            }
            if contains_new && base.is_some() {
                break;
            }
        }
        (base, contains_new)
    }

    /// The greatest instance from before this event that binds a part of these parameters to these values.
    pub(super) fn base(&self, unit: UnitId, mask: Mask, binding: &[Value]) -> Option<u32> {
        let mut parts = self.parts(mask);
        parts.find_map(|part| {
            self.store.find(unit, part, binding).filter(|id| self.store.get(*id).born != self.now)
        })
    }

    /// The proper parts of a set that instances can bind, the larger ones first.
    pub(super) fn parts(&self, mask: Mask) -> impl Iterator<Item = Mask> {
        self.store.masks().iter().rev().copied().filter(move |part| part & mask == *part && *part != mask)
    }

    /// A new instance that goes on from `base`, or from the beginning. `None` where there is no room, or it is of no interest.
    pub(super) fn create<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        mask: Mask,
        binding: &[Value],
        base: Option<u32>,
    ) -> Option<u32> {
        let rules = moment.rules;
        let choice = rules.choice(mask, binding, moment.facts)?;
        if self.store.alive >= self.limits.instances {
            self.fault = Some(Fault::Instances { limit: self.limits.instances });
            return None;
        }
        let id = self.store.create(moment.unit, mask, binding, rules.initial() as u16, self.now);
        self.store.get_mut(id).choice = choice;
        self.moved = true;
        let Some(base) = base else {
            self.store.parts(id).1.copy_from_slice(&self.initial_registers);
            return Some(id);
        };
        let old = *self.store.get(base);
        let history: History = self.store.pool.copy(&old.history);
        let new = self.store.get_mut(id);
        (new.covered, new.history) = (old.covered, history);
        self.store.change(id, old.state);
        for register in 0..self.initial_registers.len() {
            let value = self.store.registers(base)[register];
            self.store.parts(id).1[register] = value;
        }
        Some(id)
    }
}
