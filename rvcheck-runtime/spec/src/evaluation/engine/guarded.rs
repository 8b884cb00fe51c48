//! Guarded automata as the slicer runs them, and their verdicts.

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::evaluation::engine::rules::{Bound, Like, Move, Rules, Seen, Situation};
use crate::evaluation::engine::slicer::{Slicer, Tally};
use crate::evaluation::engine::store::Binding;
use crate::model::automaton::{Assertion, Automaton, Mask, Plan, Role, Scope};
use crate::semantics::emission::Emitted;
use crate::semantics::evaluate::{
    Instance, Overlap, Position, act, enabled, holds_assertion, read, shape_matches,
};
use crate::semantics::facts::Facts;
use crate::verdict::{Fault, Outcome, Outlook, PropertyVerdict, UnitEnd, UnitVerdict, Violation};

impl Rules for Automaton {
    type Plan = Plan;
    type Clash = Overlap;

    const BINDINGS_COME_ABOUT: bool = true;
    const LETTERS: bool = false;

    fn params(&self) -> usize {
        self.params.len()
    }

    fn reported(&self) -> usize {
        self.params.len()
    }

    fn scope(&self) -> Scope {
        self.scope
    }

    fn initial(&self) -> usize {
        self.initial
    }

    fn registers(&self) -> Vec<Value> {
        self.registers.iter().map(|it| it.initial).collect()
    }

    fn plans(&self) -> &[Plan] {
        &self.plans
    }

    fn kind(plan: &Plan) -> EventKind {
        plan.kind
    }

    fn masks(plan: &Plan) -> impl ExactSizeIterator<Item = Mask> {
        plan.shapes.iter().map(|it| it.mask)
    }

    #[inline]
    fn bind<F: Facts>(
        &self,
        plan: &Plan,
        shape: usize,
        event: &Event,
        facts: &F,
        binding: &mut Binding,
    ) -> bool {
        plan.shapes[shape].sources.iter().all(|(param, source)| {
            let value = read(*source, event, facts);
            binding[*param] = value;
            value != Value::Absent
        })
    }

    #[inline]
    fn letter<F: Facts>(
        &self,
        plan: &Plan,
        shape: usize,
        _: &Binding,
        event: &Event,
        facts: &F,
    ) -> Option<u32> {
        shape_matches(self, &plan.shapes[shape], event, facts).then_some(0)
    }

    #[inline]
    fn step<F: Facts>(
        &self,
        plan: &Plan,
        at: Situation<'_>,
        registers: &mut [Value],
        seen: Seen<'_>,
        (event, facts): (&Event, &F),
        emitted: &mut Vec<Emitted>,
    ) -> Result<Option<Move>, Overlap> {
        let bound = matches!(seen, Seen::Exactly(_));
        let position = Position { state: at.state, registers, binding: at.binding };
        let Some(index) = enabled(self, plan, position, bound, event, facts)? else { return Ok(None) };
        let transition = &self.transitions[index];
        let covers = plan.shapes[transition.shape].mask;
        let mut in_doubt = false;
        if let Some(Assertion { condition, otherwise }) = &transition.assertion {
            match holds_assertion(transition, condition, event, registers, at.binding, facts) {
                Some(true) => {}
                Some(false) => return Ok(Some(Move { to: *otherwise, covers, in_doubt })),
                None => in_doubt = true,
            }
        }
        act(self, index, Instance { registers, binding: at.binding }, event, facts, emitted);
        Ok(Some(Move { to: transition.to, covers, in_doubt }))
    }

    fn fault(&self, Overlap(first, second): Overlap, event: &Event) -> Fault {
        let state = self.states[self.transitions[first].from].name.clone();
        Fault::Overlap { state, transitions: (first, second), event: Box::new(*event) }
    }

    fn parts_from<F: Facts>(
        &self,
        plan: &Plan,
        at: Situation<'_>,
        like: Like<'_>,
        _: &[Bound],
        event: &Event,
        facts: &F,
    ) -> Result<bool, Overlap> {
        let position = Position { state: at.state, registers: like.registers, binding: at.binding };
        Ok(enabled(self, plan, position, false, event, facts)?.is_some())
    }

    fn needs_instance(&self) -> bool {
        self.grammar.as_ref().is_some_and(|it| it.group.is_none())
    }

    fn idle(&self, at: Situation<'_>) -> usize {
        at.state
    }

    fn heard(&self, by: Mask) -> Vec<bool> {
        let binds_these = |plan: &Plan, it: &usize| plan.shapes[self.transitions[*it].shape].mask == by;
        let hears = |state: usize| {
            self.plans.iter().any(|plan| plan.by_state[state].iter().any(|it| binds_these(plan, it)))
        };
        (0..self.states.len()).map(hears).collect()
    }

    fn is_restless(&self) -> bool {
        false
    }

    #[inline]
    fn is_pristine(&self, state: usize) -> bool {
        state == self.initial
    }

    fn choice<F: Facts>(&self, _: Mask, _: &[Value], _: &F) -> Option<u16> {
        Some(0)
    }

    #[inline]
    fn role(&self, state: usize, _: u16) -> Role {
        self.states[state].role
    }

    fn rejoins(&self) -> bool {
        false
    }

    fn is_like(&self, _: Situation<'_>, _: Mask) -> bool {
        false
    }

    fn breaks_at_once(&self) -> bool {
        true
    }
}

/// What is known of an automaton over a unit that goes on.
pub(super) fn outlook(slicer: &Slicer, automaton: &Automaton, unit: UnitId) -> Option<Outlook> {
    if slicer.fault.is_some() {
        return None;
    }
    if slicer.tallies.iter().any(|(it, tally)| *it == unit && tally.violated > 0) {
        return Some(Outlook::False);
    }
    if slicer.is_lost(unit) {
        return None;
    }
    let mut of_unit = slicer.store.ids().map(|id| slicer.store.get(id)).filter(|it| it.unit == unit);
    let stuck = of_unit.any(|it| it.counted && automaton.states[usize::from(it.state)].role == Role::EndBad);
    Some(if stuck { Outlook::PresumablyFalse } else { Outlook::PresumablyTrue })
}

/// The verdicts of an automaton, and the violations at the end. `ends` tells how units ended.
pub(super) fn finish(
    mut slicer: Slicer,
    automaton: &Automaton,
    ends: &HashMap<UnitId, UnitEnd>,
    out: &mut Vec<Violation>,
) -> PropertyVerdict {
    let complete = |unit: UnitId| ends.get(&unit) == Some(&UnitEnd::Complete);
    let store = &slicer.store;
    let mut stuck: Vec<u32> = store
        .ids()
        .filter(|id| {
            let instance = store.get(*id);
            slicer.fault.is_none()
                && !slicer.is_lost(instance.unit)
                && instance.counted
                && automaton.states[usize::from(instance.state)].role == Role::EndBad
                && complete(instance.unit)
        })
        .collect();
    stuck.sort_by(|left, right| {
        let place = |id: u32| (store.get(id).unit, store.binding(id));
        place(*left).cmp(&place(*right))
    });
    for id in stuck {
        let unit = slicer.store.get(id).unit;
        slicer.tally_of(automaton, unit).violated += 1;
        slicer.report(automaton, id, true, out);
    }
    // A unit without any event of the alphabet has a verdict too.
    let mut of_scope: Vec<UnitId> = match automaton.scope {
        Scope::Process => vec![UnitId::PROCESS],
        Scope::Test => ends.keys().copied().collect(),
    };
    of_scope.sort_unstable();
    for unit in of_scope {
        slicer.tally_of(automaton, unit);
    }
    let verdict = |unit: UnitId, tally: &Tally| {
        let complete = complete(unit) && slicer.fault.is_none() && tally.doubt.is_none();
        let exercised = u64::from(tally.exercised);
        Outcome { violated: tally.violated, exercised, complete, beside_tests: false }.verdict()
    };
    let mut units: Vec<UnitVerdict> = slicer
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
            doubt: tally.doubt,
            witness: Vec::new(),
        })
        .collect();
    units.sort_by_key(|unit| unit.unit);
    let fault = slicer.fault;
    PropertyVerdict { units, fault }
}
