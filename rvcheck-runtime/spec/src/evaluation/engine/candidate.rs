//! What an event binds, alone and together with what is known.

use rvcheck_event::event::Event;

use crate::evaluation::engine::rules::{Bound, Rules};
use crate::evaluation::engine::store::UNBOUND;
use crate::model::automaton::Mask;
use crate::semantics::facts::Facts;

/// What the patterns that match the event bind, and what several of them bind together.
pub(super) fn bindings<R: Rules, F: Facts>(
    rules: &R,
    plan: &R::Plan,
    event: &Event,
    facts: &F,
    out: &mut Vec<Bound>,
) {
    out.clear();
    for (shape, mask) in R::masks(plan).enumerate() {
        let mut binding = UNBOUND;
        if !rules.bind(plan, shape, event, facts, &mut binding) {
            continue;
        }
        let Some(letter) = rules.letter(plan, shape, &binding, event, facts) else { continue };
        let one = Bound { mask, binding, letter, whole: true };
        let before = out.len();
        for index in 0..before {
            // Where both bind the same parameters, they are the same or do not agree.
            if out[index].mask == mask {
                continue;
            }
            if let Some(joined) = join(&out[index], &one)
                && rules.choice(joined.mask, &joined.binding, facts).is_some()
            {
                push(out, joined);
            }
        }
        push(out, one);
    }
}

/// The same where each pattern binds all parameters, so that no two of them bind more together than each by itself.
#[inline]
pub(super) fn whole_bindings<R: Rules, F: Facts>(
    rules: &R,
    plan: &R::Plan,
    event: &Event,
    facts: &F,
    out: &mut Vec<Bound>,
) {
    out.clear();
    for (shape, mask) in R::masks(plan).enumerate() {
        out.push(Bound { mask, binding: UNBOUND, letter: 0, whole: true });
        let Some((new, before)) = out.split_last_mut() else { continue };
        let bound = rules.bind(plan, shape, event, facts, &mut new.binding);
        let letter = if bound { rules.letter(plan, shape, &new.binding, event, facts) } else { None };
        if let Some(letter) = letter {
            match before.iter_mut().find(|it| it.binding == new.binding) {
                Some(same) => same.letter |= letter,
                None => {
                    new.letter = letter;
                    continue;
                }
            }
        }
        out.pop();
    }
}

fn join(left: &Bound, right: &Bound) -> Option<Bound> {
    let mut binding = left.binding;
    for (param, value) in right.binding.iter().enumerate() {
        if right.mask & 1 << param != 0 {
            if left.mask & 1 << param != 0 && left.binding[param] != *value {
                return None;
            }
            binding[param] = *value;
        }
    }
    Some(Bound { mask: left.mask | right.mask, binding, letter: 0, whole: false })
}

fn push(out: &mut Vec<Bound>, one: Bound) {
    match out.iter_mut().find(|it| it.mask == one.mask && it.binding == one.binding) {
        Some(same) => {
            same.whole |= one.whole;
            same.letter |= one.letter;
        }
        None => out.push(one),
    }
}

/// The sets of parameters that one event can bind, by one pattern or by several together.
pub(super) fn joint_shapes<R: Rules>(rules: &R) -> Vec<Mask> {
    let mut all = Vec::new();
    for plan in rules.plans() {
        all.extend(unions(&R::masks(plan).collect::<Vec<_>>()));
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
