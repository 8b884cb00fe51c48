//! A permit that one function forgets, and that another one gives back when its work is done, but not if it fails.
//!
//! Nothing is reported if anything else adds permits: that may be for the missing ones.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, source};
use crate::body::{Function, FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{Node, Thing};
use crate::facts::partial_updates::{Change, Effect, failure};
use crate::mir::{BlockId, Rvalue, Terminator};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::{BTreeMap, BTreeSet};

/// The field that a semaphore is in.
type Field = (String, u32);

/// Finds such functions.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut forgotten: BTreeMap<Field, Vec<(FunctionId, Effect)>> = BTreeMap::new();
    let mut given: BTreeMap<Field, Vec<(FunctionId, Effect)>> = BTreeMap::new();
    for (id, _) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        for effect in facts.effects().in_body(id).iter() {
            let field = effect.state.field.clone().or_else(|| kept_in(facts, id, effect.block));
            let Some(field) = field else { continue };
            match effect.change {
                Change::Forget => forgotten.entry(field).or_default().push((id, effect.clone())),
                Change::Release => given.entry(field).or_default().push((id, effect.clone())),
                _ => {}
            }
        }
    }
    let mut hits = Vec::new();
    for (field, given) in &given {
        let Some(forgets) = forgotten.get(field) else { continue };
        let forgetful: BTreeSet<FunctionId> = forgets.iter().map(|it| it.0).collect();
        for (id, effect) in given {
            if let Some(failing) = fails_without(facts, *id, effect, given, &forgetful) {
                let (_, forget) = &forgets[0];
                hits.push(hit(program, (*id, failing), effect, forget));
            }
            for (_, forget) in forgets.iter().filter(|(of, _)| of == id) {
                let failing = fails_between(facts, *id, forget, effect, given);
                hits.extend(failing.map(|it| hit(program, (*id, it), effect, forget)));
            }
        }
    }
    hits
}

/// The field that keeps the semaphore on which a block calls something, as where a task has a handle of it.
fn kept_in(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> Option<Field> {
    let (program, objects) = (facts.program, facts.objects());
    let (call, _) = program.function(id).call(block)?;
    let things = objects.at(program, id, call.place(0)?);
    let is_kept = |it: &Field| *objects.in_node(&Node::Field(it.0.clone(), it.1)) == things;
    let made = things.first().filter(|it| things.len() == 1 && matches!(it, Thing::Permits(_)));
    let fields = || objects.fields.iter().flat_map(|(of, all)| all.keys().map(|it| (of.clone(), *it)));
    let mut fields = made.into_iter().flat_map(|_| fields()).filter(is_kept);
    fields.next().filter(|_| fields.next().is_none())
}

/// Where a body fails without giving back what it gives back in the end, and nobody else does so.
fn fails_without(
    facts: &Facts<'_>,
    id: FunctionId,
    effect: &Effect,
    given: &[(FunctionId, Effect)],
    forgetful: &BTreeSet<FunctionId>,
) -> Option<BlockId> {
    let program = facts.program;
    let by_drop = |it: FunctionId| program.is_drop(it);
    if forgetful.contains(&id) || by_drop(id) || by_drop(effect.at.0) {
        return None;
    }
    let above = above(facts, id);
    let below: BTreeSet<FunctionId> =
        given.iter().map(|it| it.0).filter(|it| self::above(facts, *it).contains(&id)).collect();
    // Whoever runs it is seen to give back what it does.
    let is_alone = given.iter().all(|(other, it)| {
        *other == id || below.contains(other) || above.contains(other) && it.at == effect.at
    });
    // Who forgets it has this body run.
    if !is_alone || above.is_disjoint(forgetful) {
        return None;
    }
    let ends: BTreeSet<BlockId> = given.iter().filter(|it| it.0 == id).map(|it| it.1.block).collect();
    failure(program.function(id), BlockId(0), &ends)
}

/// Where a body fails between what it calls to forget a permit and what it calls to give one back, and nobody else does so.
fn fails_between(
    facts: &Facts<'_>,
    id: FunctionId,
    forget: &Effect,
    effect: &Effect,
    given: &[(FunctionId, Effect)],
) -> Option<BlockId> {
    let function = facts.program.function(id);
    // A value whose `Drop` gives it back does so on the way out, too.
    if facts.program.is_drop(effect.at.0) {
        return None;
    }
    // What one call does is looked at there.
    let is_elsewhere = forget.at.0 == id && effect.at.0 == id || forget.block == effect.block;
    let mut runs = above(facts, id);
    runs.insert(id);
    let by_others = |(other, it): &(FunctionId, Effect)| {
        let run = bodies(facts.program, facts.objects(), *other, facts.program.function(*other), it.block);
        *other != id && (it.at != effect.at || runs.contains(other) && run.is_disjoint(&runs))
    };
    if is_elsewhere || given.iter().any(by_others) {
        return None;
    }
    let ends: BTreeSet<BlockId> = given.iter().filter(|it| it.0 == id).map(|it| it.1.block).collect();
    let begun = taken_at(function, forget.block);
    Paths::of(function).leads(begun, effect.block).then(|| failure(function, begun, &ends)).flatten()
}

/// Where a body goes on when what a block calls, or awaits, took something: behind the branch that asks.
fn taken_at(function: &Function, block: BlockId) -> BlockId {
    let made = function.polled(block).and_then(|it| source(function, &it)).unwrap_or(block);
    let branches = function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(at, it)| {
        let Terminator::Switch { cases, otherwise, .. } = &it.terminator else { return None };
        let asked = decided_by(function, at).filter(|it| *it == made || *it == block);
        let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
        let of = it.assignments().find_map(|(_, value)| {
            if let Rvalue::Discriminant(of) = value { function.type_of(of) } else { None }
        });
        // Of an await itself, too, it is asked whether it is ready.
        let fine = match of.map(|it| it.name().to_owned()).as_deref() {
            None | Some("Option") => target(1),
            Some("Result" | "ControlFlow") => target(0),
            Some(_) => None,
        };
        asked.and(fine)
    });
    branches.last().unwrap_or(block)
}

/// The bodies that call a body, or make it, and those that call these.
fn above(facts: &Facts<'_>, id: FunctionId) -> BTreeSet<FunctionId> {
    let callers = |id: FunctionId| facts.callers().get(&id).into_iter().flatten().copied();
    let mut found = crate::body::walk::reached(callers(id), callers);
    found.remove(&id);
    found
}

fn hit(program: &Program, (id, failing): (FunctionId, BlockId), given: &Effect, forgotten: &Effect) -> Hit {
    let mut related = vec![(call_or_await(program, id, failing), "may fail before that".to_owned())];
    if given.at.0 != id {
        related.push((call_ref(program, given.at.0, given.shown), "by this call".to_owned()));
    }
    related.push((call_ref(program, forgotten.at.0, forgotten.shown), "forgotten here".to_owned()));
    Hit {
        certainty: Certainty::Usually,
        message: "a forgotten permit is given back here, but not if an earlier call fails: the semaphore then loses it"
            .to_owned(),
        primary: (call_or_await(program, id, given.block), "given back here".to_owned()),
        related,
        advice: "pass the permit to the code that does the work: it gives itself back when dropped"
            .to_owned(),
    }
}
