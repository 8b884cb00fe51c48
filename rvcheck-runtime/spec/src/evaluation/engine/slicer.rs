//! One property over a trace: finds the instances that an event concerns, creates those that it brings about, steps them.
//!
//! The instances that are kept are closed under union: where two of them agree, the one that binds what either binds is
//! kept too. So what is known about any binding stands in one instance, the greatest that is contained in it. An event
//! that changes nothing creates nothing, unless it binds all parameters at once.
//!
//! Where events matter that concern no instance, what is known about the bindings of which no event spoke yet stands in an
//! instance that binds nothing, and the instances that any event moves are kept in a list.

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::evaluation::engine::Options;
use crate::evaluation::engine::candidate::{bindings, joint_shapes, unions, whole_bindings};
use crate::evaluation::engine::death::Settled;
use crate::evaluation::engine::rules::{Bound, Rules, Seen, Situation};
use crate::evaluation::engine::store::{Instance, Store, UNBOUND};
use crate::evaluation::limits::Limits;
use crate::model::automaton::{Role, Scope};
use crate::semantics::emission::Emitted;
use crate::semantics::facts::Facts;
use crate::verdict::{Doubt, DoubtKind, Fault, Violation};

/// Counts for one unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) bindings: u64,
    pub(super) violated: u64,
    pub(super) exercised: bool,
    pub(super) events: u64,
    /// The first reason for doubt.
    pub(super) doubt: Option<Doubt>,
    /// Some message is missing, so that nothing which looks like a violation is one.
    pub(super) lost: bool,
}

impl Tally {
    /// Takes note of a reason for doubt.
    #[cold]
    pub(super) fn doubts(&mut self, kind: DoubtKind, event: &Event) {
        self.lost |= kind.is_lasting();
        self.doubt.get_or_insert(Doubt { kind, event: *event });
    }
}

/// Lists that are used again for each event.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) bound: Vec<Bound>,
    pub(super) candidates: Vec<Bound>,
    pub(super) concerned: Vec<u32>,
}

/// One event, and what is known when it comes.
pub(super) struct Moment<'a, R: Rules, F> {
    pub(super) rules: &'a R,
    pub(super) plan: &'a R::Plan,
    pub(super) unit: UnitId,
    /// The place of the unit's counts.
    pub(super) tally: usize,
    pub(super) event: &'a Event,
    /// The event of the trace that the event is, or that caused it.
    pub(super) cause: &'a Event,
    pub(super) facts: &'a F,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Slicer {
    /// The place of the property in the monitor's list.
    property: usize,
    pub(super) limits: Limits,
    pub(super) options: Options,
    pub(super) store: Store,
    /// By parameter and state: see [`crate::evaluation::engine::death`].
    forgettable: Vec<Vec<Settled>>,
    pub(super) initial_registers: Vec<Value>,
    /// By plan: each of its shapes binds all parameters.
    direct: Vec<bool>,
    units: HashMap<UnitId, usize>,
    pub(super) tallies: Vec<(UnitId, Tally)>,
    /// By unit, as its counts are: the instances that are moved by events which do not concern them, and when they were born.
    pub(super) restless: Vec<Vec<(u32, u64)>>,
    last_unit: usize,
    /// Counts events, from 1.
    pub(super) now: u64,
    pub(super) work: u64,
    /// Instances are forgotten that are back in the state of a smaller one; and the event created instances or moved some, so
    /// that there may be such ones.
    pub(super) rejoins: bool,
    pub(super) moved: bool,
    /// How many violations were handed out.
    pub(super) reported: usize,
    pub(super) scratch: Scratch,
    /// What was emitted because of the last event.
    pub(super) emitted: Vec<Emitted>,
    pub(super) fault: Option<Fault>,
}

impl Slicer {
    pub(super) fn new<R: Rules>(
        rules: &R,
        forgettable: Vec<Vec<Settled>>,
        property: usize,
        limits: Limits,
        options: Options,
    ) -> Slicer {
        let shapes = joint_shapes(rules);
        let mut masks = unions(&shapes);
        if rules.is_restless() && !masks.contains(&0) {
            masks.push(0);
        }
        let mortal: Vec<bool> = forgettable
            .iter()
            .map(|by_state| options.collect && by_state.iter().any(|it| *it != Settled::Never))
            .collect();
        let direct = rules.plans().iter().map(|plan| R::masks(plan).all(|mask| mask == rules.all()));
        let registers = rules.registers();
        let mut store = Store::new(rules.params(), registers.len(), masks, &shapes, &mortal);
        if options.listen {
            store.leave_out(rules.all(), |by| rules.heard(by));
        }
        Slicer {
            store,
            property,
            limits,
            options,
            forgettable,
            initial_registers: registers,
            direct: direct.map(|it| it && options.index).collect(),
            units: HashMap::new(),
            tallies: Vec::new(),
            restless: Vec::new(),
            last_unit: 0,
            now: 0,
            work: 0,
            moved: false,
            rejoins: options.rejoin && rules.rejoins(),
            reported: 0,
            scratch: Scratch::default(),
            emitted: Vec::new(),
            fault: None,
        }
    }

    /// Lets the instances that the event concerns take their step, and those that every event moves. Without a plan the event
    /// concerns none.
    #[inline]
    pub(super) fn step<R: Rules, F: Facts>(
        &mut self,
        rules: &R,
        plan: Option<usize>,
        event: &Event,
        facts: &F,
        out: &mut Vec<Violation>,
    ) {
        self.step_because(rules, plan, event, event, facts, out);
    }

    /// The same for an event that was emitted because of another one. It is that one which violations tell.
    #[inline]
    pub(super) fn step_because<R: Rules, F: Facts>(
        &mut self,
        rules: &R,
        plan: Option<usize>,
        event: &Event,
        cause: &Event,
        facts: &F,
        out: &mut Vec<Violation>,
    ) {
        if self.fault.is_some() {
            return;
        }
        self.now += 1;
        if self.rejoins {
            self.moved = false;
            self.scratch.concerned.clear();
        }
        let unit = if rules.scope() == Scope::Process { UnitId::PROCESS } else { event.unit };
        let tally = self.tally(rules, unit);
        if let Some(place) = plan {
            self.tallies[tally].1.events += 1;
            let moment = Moment { rules, plan: &rules.plans()[place], unit, tally, event, cause, facts };
            if let Err(clash) = self.step_concerned(&moment, place, out) {
                self.fault = Some(rules.fault(clash, event));
                return;
            }
        }
        if rules.is_restless() && !(self.options.watch && self.restless[tally].is_empty()) {
            self.step_restless(rules, tally, event, out);
        }
        if self.rejoins && self.moved {
            self.rejoin(rules);
        }
    }

    #[inline]
    fn step_concerned<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        place: usize,
        out: &mut Vec<Violation>,
    ) -> Result<(), R::Clash> {
        if self.direct[place] && R::masks(moment.plan).len() == 1 {
            return self.step_one(moment, out);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let Moment { rules, plan, event, facts, .. } = *moment;
        if self.direct[place] {
            whole_bindings(rules, plan, event, facts, &mut scratch.bound);
        } else {
            bindings(rules, plan, event, facts, &mut scratch.bound);
        }
        let mut stepped = Ok(());
        if scratch.bound.is_empty() {
            self.pass_over(moment);
        } else {
            self.tallies[moment.tally].1.exercised = true;
            stepped = if self.direct[place] {
                self.step_whole(moment, &mut scratch, out)
            } else {
                self.step_joins(moment, &mut scratch, out)
            };
        }
        self.scratch = scratch;
        stepped
    }

    /// The event binds nothing, though its plan has patterns for it.
    #[cold]
    fn pass_over<R: Rules, F: Facts>(&mut self, moment: &Moment<'_, R, F>) {
        if moment.rules.needs_instance() {
            self.tallies[moment.tally].1.doubts(DoubtKind::Instance, moment.cause);
        }
    }

    /// Takes note of a reason for doubt in the unit of an event.
    #[cold]
    pub(super) fn doubts<R: Rules>(&mut self, rules: &R, kind: DoubtKind, event: &Event) {
        let unit = if rules.scope() == Scope::Process { UnitId::PROCESS } else { event.unit };
        self.tally_of(rules, unit).doubts(kind, event);
    }

    /// The counts of a unit.
    pub(super) fn tally_of<R: Rules>(&mut self, rules: &R, unit: UnitId) -> &mut Tally {
        let tally = self.tally(rules, unit);
        &mut self.tallies[tally].1
    }

    #[inline]
    fn tally<R: Rules>(&mut self, rules: &R, unit: UnitId) -> usize {
        if self.tallies.get(self.last_unit).is_none_or(|(it, _)| *it != unit) {
            self.last_unit = match self.units.get(&unit) {
                Some(place) => *place,
                None => self.begin(rules, unit),
            };
        }
        self.last_unit
    }

    /// The first event of a unit comes.
    #[cold]
    fn begin<R: Rules>(&mut self, rules: &R, unit: UnitId) -> usize {
        let place = self.tallies.len();
        self.units.insert(unit, place);
        self.tallies.push((unit, Tally::default()));
        self.restless.push(Vec::new());
        if rules.is_restless() {
            let id = self.store.create(unit, 0, &UNBOUND, rules.initial() as u16, 0);
            self.store.parts(id).1.copy_from_slice(&self.initial_registers);
            self.watch(rules, place, id);
        }
        place
    }

    /// The event binds all parameters, and in one way only.
    #[inline]
    fn step_one<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        out: &mut Vec<Violation>,
    ) -> Result<(), R::Clash> {
        let Moment { rules, plan, unit, tally, event, facts, .. } = *moment;
        let mut binding = UNBOUND;
        if !rules.bind(plan, 0, event, facts, &mut binding) {
            self.pass_over(moment);
            return Ok(());
        }
        let all = rules.all();
        let found = self.store.find(unit, all, &binding);
        let known = found.is_some_and(|id| self.store.get(id).covered == all);
        let mut letter = 0;
        if R::LETTERS || !known || !self.tallies[tally].1.exercised {
            match rules.letter(plan, 0, &binding, event, facts) {
                Some(it) => letter = it,
                None => return Ok(()),
            }
            self.tallies[tally].1.exercised = true;
        }
        let id = match found {
            Some(id) => id,
            None => {
                let base = self.base(unit, all, &binding);
                let Some(id) = self.create(moment, all, &binding, base) else { return Ok(()) };
                id
            }
        };
        if self.rejoins {
            self.scratch.concerned.push(id);
        }
        let instance = self.store.get_mut(id);
        (instance.covered, instance.stepped) = (all, self.now);
        self.advance(moment, id, Seen::Exactly(letter), out)
    }

    /// The event binds all parameters, and in several ways.
    fn step_whole<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        scratch: &mut Scratch,
        out: &mut Vec<Violation>,
    ) -> Result<(), R::Clash> {
        let all = moment.rules.all();
        scratch.concerned.clear();
        for bound in &scratch.bound {
            let found = self.store.find(moment.unit, all, &bound.binding).or_else(|| {
                let base = self.base(moment.unit, all, &bound.binding);
                self.create(moment, all, &bound.binding, base)
            });
            let Some(id) = found else { continue };
            scratch.concerned.push(id);
            let instance = self.store.get_mut(id);
            (instance.covered, instance.stepped) = (all, self.now);
            // No other way to bind all parameters agrees with this one.
            let seen = if R::LETTERS { Seen::Exactly(bound.letter) } else { Seen::Among(&scratch.bound) };
            self.advance(moment, id, seen, out)?;
        }
        Ok(())
    }

    /// The event binds some of the parameters, or some in several ways.
    fn step_joins<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        scratch: &mut Scratch,
        out: &mut Vec<Violation>,
    ) -> Result<(), R::Clash> {
        let Moment { rules, unit, .. } = *moment;
        self.candidates(moment, scratch);
        // What contains others comes after them.
        for size in 0..=rules.params() as u32 {
            for candidate in scratch.candidates.iter().filter(|it| it.mask.count_ones() == size) {
                self.bring_about(moment, candidate, &scratch.bound)?;
            }
        }
        scratch.concerned.clear();
        for bound in &scratch.bound {
            if bound.whole
                && bound.mask == rules.all()
                && let Some(id) = self.store.find(unit, bound.mask, &bound.binding)
            {
                self.store.get_mut(id).covered = bound.mask;
            }
            for mask in self.store.masks().iter().filter(|mask| *mask & bound.mask == bound.mask) {
                self.store.collect(unit, *mask, bound.mask, &bound.binding, &mut scratch.concerned);
            }
        }
        self.spend(scratch.concerned.len() + scratch.candidates.len());
        for id in &scratch.concerned {
            if self.fault.is_none() && self.store.get(*id).stepped != self.now {
                self.store.get_mut(*id).stepped = self.now;
                self.advance(moment, *id, Seen::Among(&scratch.bound), out)?;
            }
        }
        Ok(())
    }

    /// Takes note of work that relates bindings to each other.
    pub(super) fn spend(&mut self, steps: usize) {
        self.work += steps as u64;
        if self.work > self.limits.work {
            self.fault = Some(Fault::Work { limit: self.limits.work });
        }
    }

    /// One instance takes its step.
    #[inline]
    fn advance<R: Rules, F: Facts>(
        &mut self,
        moment: &Moment<'_, R, F>,
        id: u32,
        seen: Seen<'_>,
        out: &mut Vec<Violation>,
    ) -> Result<(), R::Clash> {
        let Moment { rules, plan, unit, tally, event, cause, facts } = *moment;
        let Instance { state, mask, counted, .. } = *self.store.get(id);
        let state = usize::from(state);
        let (binding, registers) = self.store.parts(id);
        let at = Situation { state, unit, mask, binding };
        let before = self.emitted.len();
        if let Some(step) = rules.step(plan, at, registers, seen, (event, facts), &mut self.emitted)? {
            self.enter(rules, id, step.to, cause);
            if step.in_doubt && mask == rules.all() {
                self.tallies[tally].1.doubts(DoubtKind::Assertion, cause);
            }
            let instance = self.store.get_mut(id);
            instance.covered |= step.covers;
            // Else it goes the way of a smaller one, which emits the same with what is known.
            if self.emitted.len() > before && instance.covered != mask {
                self.emitted.truncate(before);
            }
        } else if counted || mask != rules.all() {
            // Nothing was said of it that was not looked at before; what holds beside it may be different.
            if rules.is_restless() {
                self.watch(rules, tally, id);
            }
            return Ok(());
        }
        let instance = self.store.get_mut(id);
        if instance.mask == rules.all() && instance.covered == rules.all() && !instance.counted {
            instance.counted = true;
            self.tallies[tally].1.bindings += 1;
        }
        self.look(rules, tally, id, out);
        if rules.is_restless() {
            self.watch(rules, tally, id);
        }
        Ok(())
    }

    /// An instance enters a state because of an event.
    #[inline]
    pub(super) fn enter<R: Rules>(&mut self, rules: &R, id: u32, state: usize, event: &Event) {
        self.store.change(id, state as u16);
        self.moved = true;
        // Back where it began, it is as if nothing had happened.
        let kept = &self.initial_registers;
        if rules.is_pristine(state) && (kept.is_empty() || self.store.registers(id) == kept) {
            self.store.forget(id);
        } else {
            self.store.remember(id, event);
        }
    }

    /// Reports an instance that broke the property.
    #[inline]
    pub(super) fn look<R: Rules>(&mut self, rules: &R, tally: usize, id: u32, out: &mut Vec<Violation>) {
        let instance = self.store.get_mut(id);
        let exists = instance.counted || !R::BINDINGS_COME_ABOUT;
        if instance.mask == rules.all()
            && exists
            && !instance.reported
            && rules.role(usize::from(instance.state), instance.choice) == Role::Bad
            && rules.breaks_at_once()
            && !self.tallies[tally].1.lost
        {
            instance.reported = true;
            self.tallies[tally].1.violated += 1;
            self.report(rules, id, false, out);
        }
    }

    /// Hands out the violation of an instance.
    pub(super) fn report<R: Rules>(&mut self, rules: &R, id: u32, at_end: bool, out: &mut Vec<Violation>) {
        if self.reported >= self.limits.violations {
            return;
        }
        self.reported += 1;
        let instance = self.store.get(id);
        out.push(Violation {
            property: self.property,
            unit: instance.unit,
            binding: self.store.binding(id)[..rules.reported()].to_vec(),
            // People know the states of an automaton, and not those of a formula.
            state: if R::BINDINGS_COME_ABOUT { usize::from(instance.state) } else { 0 },
            registers: self.store.registers(id).to_vec(),
            at_end,
            witness: self.store.pool.witness(&instance.history),
        });
    }

    /// Forgets the instances that a death settles.
    ///
    /// One that goes on from a smaller one which is about the dead object too, and is not settled, has to stay: else it
    /// would come up again in the smaller one's state.
    pub(super) fn bury(&mut self, value: Value) {
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
                let settled = match self.forgettable[param][state] {
                    Settled::Never => false,
                    Settled::OnceReported => instance.reported,
                    Settled::Always => true,
                };
                let stays = |part| self.store.find(instance.unit, part, self.store.binding(*id)).is_some();
                let carried = self.parts(instance.mask).any(|part| part & 1 << param != 0 && stays(part));
                if settled && !carried {
                    self.store.remove(*id);
                }
            }
        }
        self.scratch.concerned = found;
    }

    /// Whether a message is missing in a unit, so that nothing can be said of it.
    pub(super) fn is_lost(&self, unit: UnitId) -> bool {
        self.units.get(&unit).is_some_and(|place| self.tallies[*place].1.lost)
    }

    /// How many instances are alive.
    pub(super) fn alive(&self) -> usize {
        self.store.alive
    }
}
