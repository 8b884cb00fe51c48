//! What an event binds, alone and together with what is known.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::automaton::{Automaton, Mask, Plan, Shape};
use crate::engine::store::{Binding, Store, UNBOUND};
use crate::evaluate::{read, shape_matches};
use crate::facts::Facts;

/// A binding that an event may concern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mask: Mask,
    pub(super) binding: Binding,
    /// One pattern that matches the event binds all of this.
    pub(super) whole: bool,
}

/// Sets what an event binds in a shape. False where something that it should bind is not known.
#[inline]
pub(super) fn bind<F: Facts>(shape: &Shape, event: &Event, facts: &F, binding: &mut Binding) -> bool {
    shape.sources.iter().all(|(param, source)| {
        let value = read(*source, event, facts);
        binding[*param] = value;
        value != Value::Absent
    })
}

/// What the patterns that match the event bind, and what several of them bind together.
pub(super) fn bindings<F: Facts>(
    automaton: &Automaton,
    plan: &Plan,
    event: &Event,
    facts: &F,
    out: &mut Vec<Candidate>,
) {
    out.clear();
    for shape in &plan.shapes {
        let mut binding = UNBOUND;
        if !bind(shape, event, facts, &mut binding) || !shape_matches(automaton, shape, event, facts) {
            continue;
        }
        let one = Candidate { mask: shape.mask, binding, whole: true };
        let before = out.len();
        for index in 0..before {
            if let Some(joined) = join(&out[index], &one) {
                push(out, joined);
            }
        }
        push(out, one);
    }
}

fn join(left: &Candidate, right: &Candidate) -> Option<Candidate> {
    let mut binding = left.binding;
    for (param, value) in right.binding.iter().enumerate() {
        if right.mask & 1 << param != 0 {
            if left.mask & 1 << param != 0 && left.binding[param] != *value {
                return None;
            }
            binding[param] = *value;
        }
    }
    Some(Candidate { mask: left.mask | right.mask, binding, whole: false })
}

fn push(out: &mut Vec<Candidate>, one: Candidate) {
    match out.iter_mut().find(|it| it.mask == one.mask && it.binding == one.binding) {
        Some(same) => same.whole |= one.whole,
        None => out.push(one),
    }
}

pub(super) fn add(out: &mut Vec<Candidate>, one: Candidate, store: &Store, unit: UnitId) {
    if store.find(unit, one.mask, &one.binding).is_none() {
        push(out, one);
    }
}

/// The sets of parameters that one event can bind, by one pattern or by several together.
pub(super) fn joint_shapes(automaton: &Automaton) -> Vec<Mask> {
    let mut all = Vec::new();
    for plan in &automaton.plans {
        all.extend(unions(&plan.shapes.iter().map(|it| it.mask).collect::<Vec<_>>()));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// All unions of one or more of these sets.
pub(super) fn unions(sets: &[Mask]) -> Vec<Mask> {
    let mut found: Vec<Mask> = Vec::new();
    for set in sets {
        let joined: Vec<Mask> = found.iter().map(|it| it | set).chain([*set]).collect();
        for union in joined {
            if !found.contains(&union) {
                found.push(union);
            }
        }
    }
    found
}
