//! One automaton over a trace: finds the instances that an event concerns, creates those that it brings about, steps them.
//!
//! The instances that are kept are closed under union: where two of them agree, the one that binds what either binds is
//! kept too. So what is known about any binding stands in one instance, the greatest that is contained in it. An event
//! that changes nothing creates nothing, unless it binds all parameters at once.

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::automaton::{Automaton, Mask, Plan, Role, Scope, Shape};
use crate::engine::candidate::{Candidate, add, bind, bindings, joint_shapes, unions};
use crate::engine::death::forgettable;
use crate::engine::history::History;
use crate::engine::store::{Store, UNBOUND};
use crate::engine::{Limits, Options};
use crate::evaluate::{Overlap, Position, act, enabled, shape_matches};
use crate::facts::Facts;
use crate::verdict::{Fault, PropertyVerdict, UnitEnd, UnitVerdict, Verdict, Violation};

/// Counts for one unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    bindings: u64,
    violated: u64,
    exercised: bool,
    events: u64,
}

/// Lists that are used again for each event.
#[derive(Clone, Debug, Default)]
struct Scratch {
    bound: Vec<Candidate>,
    candidates: Vec<Candidate>,
    concerned: Vec<u32>,
}

/// One event, and what is known when it comes.
struct Moment<'a, F> {
    automaton: &'a Automaton,
    plan: &'a Plan,
    unit: UnitId,
    /// The place of the unit's counts.
    tally: usize,
    event: &'a Event,
    facts: &'a F,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Slicer {
    /// The place of the automaton in the monitor's list.
    property: usize,
    limits: Limits,
    options: Options,
    store: Store,
    forgettable: Vec<Vec<bool>>,
    initial_registers: Vec<i64>,
    units: HashMap<UnitId, usize>,
    tallies: Vec<(UnitId, Tally)>,
    last_unit: usize,
    /// Counts events, from 1.
    now: u64,
    work: u64,
    /// How many violations were handed out.
    reported: usize,
    scratch: Scratch,
    pub(super) fault: Option<Fault>,
}

impl Slicer {
    pub(super) fn new(automaton: &Automaton, property: usize, limits: Limits, options: Options) -> Slicer {
        let shapes = joint_shapes(automaton);
        let masks = unions(&shapes);
        let forgettable = forgettable(automaton);
        let mortal: Vec<bool> =
            forgettable.iter().map(|by_state| options.collect && by_state.contains(&true)).collect();
        Slicer {
            store: Store::new(automaton, masks, &shapes, &mortal),
            property,
            limits,
            options,
            forgettable,
            initial_registers: automaton.registers.iter().map(|it| it.initial).collect(),
            units: HashMap::new(),
            tallies: Vec::new(),
            last_unit: 0,
            now: 0,
            work: 0,
            reported: 0,
            scratch: Scratch::default(),
            fault: None,
        }
    }

    /// Lets all instances that the event concerns take their step.
    #[inline]
    pub(super) fn step<F: Facts>(
        &mut self,
        automaton: &Automaton,
        plan: &Plan,
        event: &Event,
        facts: &F,
        out: &mut Vec<Violation>,
    ) {
        if self.fault.is_some() {
            return;
        }
        self.now += 1;
        let unit = if automaton.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        let tally = self.tally(unit);
        self.tallies[tally].1.events += 1;
        let moment = Moment { automaton, plan, unit, tally, event, facts };
        let stepped = match plan.shapes.as_slice() {
            [shape] if shape.mask == automaton.all_params() && self.options.index => {
                self.step_exact(&moment, shape, out)
            }
            _ => {
                let mut scratch = std::mem::take(&mut self.scratch);
                let stepped = self.step_joins(&moment, &mut scratch, out);
                self.scratch = scratch;
                stepped
            }
        };
        if let Err(Overlap(first, second)) = stepped {
            let state = automaton.states[automaton.transitions[first].from].name.clone();
            self.fault =
                Some(Fault::Overlap { state, transitions: (first, second), event: Box::new(*event) });
        }
    }

    #[inline]
    fn tally(&mut self, unit: UnitId) -> usize {
        if self.tallies.get(self.last_unit).is_none_or(|(it, _)| *it != unit) {
            self.last_unit = *self.units.entry(unit).or_insert_with(|| {
                self.tallies.push((unit, Tally::default()));
                self.tallies.len() - 1
            });
        }
        self.last_unit
    }

    /// The event binds all parameters, and in one way only.
    #[inline]
    fn step_exact<F: Facts>(
        &mut self,
        moment: &Moment<'_, F>,
        shape: &Shape,
        out: &mut Vec<Violation>,
    ) -> Result<(), Overlap> {
        let Moment { automaton, unit, tally, event, facts, .. } = *moment;
        let mut binding = UNBOUND;
        if !bind(shape, event, facts, &mut binding) {
            return Ok(());
        }
        let found = self.store.find(unit, shape.mask, &binding);
        let known = found.is_some_and(|id| self.store.get(id).covered == shape.mask);
        if !known || !self.tallies[tally].1.exercised {
            if !shape_matches(automaton, shape, event, facts) {
                return Ok(());
            }
            self.tallies[tally].1.exercised = true;
        }
        let id = match found {
            Some(id) => id,
            None => {
                let base = self.base(unit, shape.mask, &binding);
                let Some(id) = self.create(moment, shape.mask, &binding, base) else { return Ok(()) };
                id
            }
        };
        self.store.get_mut(id).covered = shape.mask;
        self.advance(moment, id, true, out)
    }

    /// The event binds some of the parameters, or some in several ways.
    fn step_joins<F: Facts>(
        &mut self,
        moment: &Moment<'_, F>,
        scratch: &mut Scratch,
        out: &mut Vec<Violation>,
    ) -> Result<(), Overlap> {
        let Moment { automaton, unit, .. } = *moment;
        bindings(automaton, moment.plan, moment.event, moment.facts, &mut scratch.bound);
        if scratch.bound.is_empty() {
            return Ok(());
        }
        self.tallies[moment.tally].1.exercised = true;
        self.candidates(unit, scratch);
        for candidate in &scratch.candidates {
            self.bring_about(moment, candidate)?;
        }
        scratch.concerned.clear();
        for bound in &scratch.bound {
            if bound.whole
                && bound.mask == automaton.all_params()
                && let Some(id) = self.store.find(unit, bound.mask, &bound.binding)
            {
                self.store.get_mut(id).covered = bound.mask;
            }
            for mask in self.store.masks().iter().filter(|mask| *mask & bound.mask == bound.mask) {
                self.store.collect(unit, *mask, bound.mask, &bound.binding, &mut scratch.concerned);
            }
        }
        self.work += scratch.concerned.len() as u64 + scratch.candidates.len() as u64;
        if self.work > self.limits.work {
            self.fault = Some(Fault::Work { limit: self.limits.work });
            return Ok(());
        }
        for id in &scratch.concerned {
            if self.store.get(*id).stepped != self.now {
                self.store.get_mut(*id).stepped = self.now;
                self.advance(moment, *id, false, out)?;
            }
        }
        Ok(())
    }

    /// What the event binds, joined with what is known: the bindings that are not kept yet, the smaller ones first.
    fn candidates(&mut self, unit: UnitId, scratch: &mut Scratch) {
        let Scratch { bound, candidates, concerned } = scratch;
        candidates.clear();
        for one in bound.iter() {
            add(candidates, *one, &self.store, unit);
            for mask in self.store.masks() {
                if mask & one.mask == one.mask {
                    continue;
                }
                concerned.clear();
                self.store.collect(unit, *mask, mask & one.mask, &one.binding, concerned);
                self.work += concerned.len() as u64;
                for id in concerned.iter() {
                    let mut binding = one.binding;
                    for (param, value) in self.store.binding(*id).iter().enumerate() {
                        if mask & 1 << param != 0 {
                            binding[param] = *value;
                        }
                    }
                    let joined = Candidate { mask: mask | one.mask, binding, whole: false };
                    add(candidates, joined, &self.store, unit);
                }
            }
        }
        candidates.sort_by_key(|it| it.mask.count_ones());
    }

    /// Creates the instance of a binding if the event makes it differ from what it is contained in.
    fn bring_about<F: Facts>(
        &mut self,
        moment: &Moment<'_, F>,
        candidate: &Candidate,
    ) -> Result<(), Overlap> {
        let Moment { automaton, plan, unit, event, facts, .. } = *moment;
        let base = self.base(unit, candidate.mask, &candidate.binding);
        let all = candidate.whole && candidate.mask == automaton.all_params();
        let needed = all || self.contains_new(unit, candidate) || {
            let (state, registers) = match base {
                Some(base) => (usize::from(self.store.get(base).state), self.store.registers(base)),
                None => (automaton.initial, self.initial_registers.as_slice()),
            };
            let position = Position { state, registers, binding: &candidate.binding };
            enabled(automaton, plan, position, false, event, facts)?.is_some()
        };
        if needed {
            self.create(moment, candidate.mask, &candidate.binding, base);
        }
        Ok(())
    }

    /// Whether an instance that this event created binds a part of what the candidate binds.
    fn contains_new(&self, unit: UnitId, candidate: &Candidate) -> bool {
        self.parts(candidate.mask).any(|part| {
            self.store
                .find(unit, part, &candidate.binding)
                .is_some_and(|id| self.store.get(id).born == self.now)
        })
    }

    /// The greatest instance from before this event that binds a part of these parameters to these values.
    fn base(&self, unit: UnitId, mask: Mask, binding: &[Value]) -> Option<u32> {
        let mut parts = self.parts(mask);
        parts.find_map(|part| {
            self.store.find(unit, part, binding).filter(|id| self.store.get(*id).born != self.now)
        })
    }

    /// The proper parts of a set that instances can bind, the larger ones first.
    fn parts(&self, mask: Mask) -> impl Iterator<Item = Mask> {
        self.store.masks().iter().rev().copied().filter(move |part| part & mask == *part && *part != mask)
    }

    /// A new instance that goes on from `base`, or from the beginning. `None` where there is no room.
    fn create<F>(
        &mut self,
        moment: &Moment<'_, F>,
        mask: Mask,
        binding: &[Value],
        base: Option<u32>,
    ) -> Option<u32> {
        if self.store.alive >= self.limits.instances {
            self.fault = Some(Fault::Instances { limit: self.limits.instances });
            return None;
        }
        let id = self.store.create(moment.unit, mask, binding, moment.automaton.initial as u16, self.now);
        let Some(base) = base else {
            self.store.parts(id).1.copy_from_slice(&self.initial_registers);
            return Some(id);
        };
        let old = *self.store.get(base);
        let history: History = self.store.pool.copy(&old.history);
        let new = self.store.get_mut(id);
        (new.state, new.covered, new.history) = (old.state, old.covered, history);
        for register in 0..self.initial_registers.len() {
            let value = self.store.registers(base)[register];
            self.store.parts(id).1[register] = value;
        }
        Some(id)
    }

    /// One instance takes its step. `bound` says that the event is known to agree with its binding in every pattern.
    #[inline]
    fn advance<F: Facts>(
        &mut self,
        moment: &Moment<'_, F>,
        id: u32,
        bound: bool,
        out: &mut Vec<Violation>,
    ) -> Result<(), Overlap> {
        let Moment { automaton, plan, tally, event, facts, .. } = *moment;
        let state = usize::from(self.store.get(id).state);
        let (binding, registers) = self.store.parts(id);
        let position = Position { state, registers, binding };
        if let Some(index) = enabled(automaton, plan, position, bound, event, facts)? {
            let transition = &automaton.transitions[index];
            act(transition, registers, binding, event, facts);
            let instance = self.store.get_mut(id);
            instance.state = transition.to as u16;
            instance.covered |= plan.shapes[transition.shape].mask;
            // Back where it began, it is as if nothing had happened.
            if transition.to == automaton.initial
                && self.store.registers(id).iter().eq(&self.initial_registers)
            {
                self.store.forget(id);
            } else {
                self.store.remember(id, event);
            }
        }
        let instance = self.store.get_mut(id);
        let all = automaton.all_params();
        if instance.mask == all && instance.covered == all {
            if !instance.counted {
                instance.counted = true;
                self.tallies[tally].1.bindings += 1;
            }
            if automaton.states[usize::from(instance.state)].role == Role::Bad && !instance.reported {
                instance.reported = true;
                self.tallies[tally].1.violated += 1;
                self.report(id, false, out);
            }
        }
        Ok(())
    }

    fn report(&mut self, id: u32, at_end: bool, out: &mut Vec<Violation>) {
        if self.reported >= self.limits.violations {
            return;
        }
        self.reported += 1;
        let instance = self.store.get(id);
        out.push(Violation {
            property: self.property,
            unit: instance.unit,
            binding: self.store.binding(id).to_vec(),
            state: usize::from(instance.state),
            at_end,
            witness: self.store.pool.witness(&instance.history),
        });
    }

    /// Forgets the instances that a death settles.
    ///
    /// One that goes on from a smaller one which is about the dead object too, and is not settled, has to stay: else it
    /// would come up again in the smaller one's state.
    pub(super) fn bury(&mut self, automaton: &Automaton, value: Value) {
        if !self.options.collect || self.fault.is_some() {
            return;
        }
        let mut found = std::mem::take(&mut self.scratch.concerned);
        for param in 0..self.forgettable.len() {
            found.clear();
            self.store.about(param, value, &mut found);
            if found.len() > 1 {
                found.sort_by_key(|id| self.store.get(*id).mask.count_ones());
            }
            for id in &found {
                let instance = self.store.get(*id);
                let state = usize::from(instance.state);
                let settled = self.forgettable[param][state]
                    && (instance.reported || automaton.states[state].role != Role::Bad);
                let stays = |part| self.store.find(instance.unit, part, self.store.binding(*id)).is_some();
                let carried = self.parts(instance.mask).any(|part| part & 1 << param != 0 && stays(part));
                if settled && !carried {
                    self.store.remove(*id);
                }
            }
        }
        self.scratch.concerned = found;
    }

    /// How many instances are alive.
    pub(super) fn alive(&self) -> usize {
        self.store.alive
    }

    /// The verdicts, and the violations at the end. `ends` tells how units ended.
    pub(super) fn finish(
        mut self,
        automaton: &Automaton,
        ends: &HashMap<UnitId, UnitEnd>,
        out: &mut Vec<Violation>,
    ) -> PropertyVerdict {
        let complete = |unit: UnitId| ends.get(&unit) == Some(&UnitEnd::Complete);
        let mut stuck: Vec<u32> = self
            .store
            .ids()
            .filter(|id| {
                let instance = self.store.get(*id);
                self.fault.is_none()
                    && instance.counted
                    && automaton.states[usize::from(instance.state)].role == Role::EndBad
                    && complete(instance.unit)
            })
            .collect();
        stuck.sort_by(|left, right| {
            let place = |id: u32| (self.store.get(id).unit, self.store.binding(id));
            place(*left).cmp(&place(*right))
        });
        for id in stuck {
            let unit = self.store.get(id).unit;
            let tally = self.tally(unit);
            self.tallies[tally].1.violated += 1;
            self.report(id, true, out);
        }
        // A unit without any event of the alphabet has a verdict too.
        let mut told: Vec<UnitId> = match automaton.scope {
            Scope::Process => vec![UnitId::PROCESS],
            Scope::Test => ends.keys().copied().collect(),
        };
        told.sort_unstable();
        for unit in told {
            self.tally(unit);
        }
        let verdict = |unit: UnitId, tally: &Tally| {
            if tally.violated > 0 {
                Verdict::Violated
            } else if self.fault.is_some() || !complete(unit) {
                Verdict::Inconclusive
            } else if tally.exercised {
                Verdict::Held
            } else {
                Verdict::NotExercised
            }
        };
        let mut units: Vec<UnitVerdict> = self
            .tallies
            .iter()
            .map(|(unit, tally)| UnitVerdict {
                unit: *unit,
                verdict: verdict(*unit, tally),
                bindings: tally.bindings,
                violated: tally.violated,
                // An instance exists only because an event matched.
                bindings_exercised: if tally.exercised { tally.bindings } else { 0 },
                exercised: tally.exercised,
                events: tally.events,
            })
            .collect();
        units.sort_by_key(|unit| unit.unit);
        PropertyVerdict { units, fault: self.fault }
    }
}
