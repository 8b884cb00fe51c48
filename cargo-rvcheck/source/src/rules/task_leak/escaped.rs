//! A task that is ended with its set spawns others and waits for them: those are not of the set, and go on.

use super::super::{Certainty, Hit};
use crate::body::{Function, FunctionId, Kind};
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::call_ref;
use crate::program::library::{mentions_handle, sort};
use rvcheck_primitives::{Action, Ending, Is, Operation, SpawnKind};
use std::collections::BTreeMap;

/// A call and the body in which it stands.
type CallSite = (FunctionId, BlockId);

/// Finds such tasks.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let objects = AbstractObjects::of(program);
    let ended = ended(program, &objects);
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            if !is_of_set(program, function, block, |it| matches!(it.action, Action::Spawn(_))) {
                continue;
            }
            let object =
                call.arguments.first().and_then(Operand::place).and_then(|it| objects.object(id, it));
            let Some(end) = object.and_then(|it| ended.get(&it)) else { continue };
            let mut futures =
                call.arguments.iter().filter_map(Operand::place).filter_map(|it| function.type_of(it));
            let Some(task) = futures.find_map(|it| program.body_of(it)) else { continue };
            if let Some(child) = awaited_child(program, task) {
                hits.push(hit(program, child, (id, block), *end));
            }
        }
    }
    hits
}

/// Whether the call at the end of a block does that to a set whose tasks end with it.
fn is_of_set(
    program: &Program,
    function: &Function,
    block: BlockId,
    does: impl Fn(&Operation) -> bool,
) -> bool {
    let row = program.row(function, block).filter(|it| it.owner.is == Is::Tasks(Ending::Aborts));
    row.is_some_and(|it| does(it.operation))
}

/// The sets whose tasks are all aborted somewhere, by their abstract objects.
fn ended(program: &Program, objects: &AbstractObjects<'_>) -> BTreeMap<AbstractObject, CallSite> {
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let ends = is_of_set(program, function, block, |it| {
                it.action == Action::Abort || it.action == Action::Join && it.gives.is_none()
            });
            let on = call.arguments.first().and_then(Operand::place).filter(|_| ends);
            if let Some(object @ AbstractObject::Field(..)) = on.and_then(|it| objects.object(id, it)) {
                found.entry(object).or_insert((id, block));
            }
        }
    }
    found
}

/// Where a task spawns another one of which it awaits the handle, and does not abort it when it is itself ended.
fn awaited_child(program: &Program, task: FunctionId) -> Option<CallSite> {
    let function = program.function(task);
    let awaits = function.suspensions.iter().filter_map(|it| it.poll).any(|it| {
        let polled = function.call(it).and_then(|(_, callee)| callee.self_type.as_deref());
        polled.is_some_and(mentions_handle)
    });
    if !awaits
        || function.body.locals.iter().any(|it| it.contains("AbortOnDrop") || it.contains("AbortHandle"))
    {
        return None;
    }
    let inside = format!("{}::", function.body.name);
    let own = |it: &Function| it.kind == Kind::Closure && it.body.name.starts_with(&inside);
    let mut bodies = vec![task];
    bodies.extend(program.functions().filter(|(_, it)| own(it)).map(|(id, _)| id));
    if bodies
        .iter()
        .any(|it| program.function(*it).calls().any(|(.., callee)| callee.name().starts_with("abort")))
    {
        return None;
    }
    bodies.into_iter().find_map(|id| {
        let function = program.function(id);
        let mut calls = function.calls();
        let spawn = calls.find(|(block, call, _)| {
            let row = program.row(function, *block);
            row.is_some_and(|it| {
                it.operation.action == Action::Spawn(SpawnKind::Task) && !matches!(it.owner.is, Is::Tasks(_))
            }) && function.type_of(&call.into).and_then(sort) == Some(Is::Handle(Ending::Detaches))
        });
        spawn.map(|(block, ..)| (id, block))
    })
}

fn hit(program: &Program, child: CallSite, parent: CallSite, end: CallSite) -> Hit {
    let mark = |(id, block): CallSite| call_ref(program, id, block);
    Hit {
        certainty: Certainty::Usually,
        message: "this task is not ended with the one that waits for it: when that one is aborted with its set, this one goes on"
            .to_owned(),
        primary: (mark(child), "spawned here, outside of the set".to_owned()),
        related: vec![
            (mark(parent), "by a task of this set".to_owned()),
            (mark(end), "whose tasks are aborted here".to_owned()),
        ],
        advice: "spawn it on a `JoinSet` inside the task: a set aborts what is left in it when it is dropped".to_owned(),
    }
}
