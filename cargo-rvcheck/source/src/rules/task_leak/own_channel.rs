//! A task that goes on until a channel is closed, and shares what has a sender of that channel: it waits for itself.

use super::super::{Certainty, Hit};
use super::{has_owner, task_in};
use crate::flow::abstract_object::AbstractObjects;
use crate::flow::channels::channels;
use crate::flow::code_ref::call_ref;
use crate::flow::endless::ends_with_its_channel;
use crate::flow::fate::{Fate, fates};
use crate::flow::paths::Paths;
use crate::flow::statics::initialisers;
use crate::flow::text::{arguments, head, last};
use crate::flow::{Function, FunctionId, Kind, Program, Slot};
use crate::mir::{BlockId, Operand};
use std::collections::BTreeSet;

/// Finds such tasks.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let filling = initialisers(program);
    let objects = AbstractObjects::of(program);
    let mut hits = Vec::new();
    for channel in channels(program, &objects).values().filter(|it| !it.owners[0].is_empty()) {
        for receive in &channel.receives {
            let task = program.function(receive.function);
            let keeps = task.kind == Kind::Coroutine && shares(program, task, &channel.owners[0]);
            if !keeps || !ends_with_its_channel(task, receive.block) {
                continue;
            }
            let Some((id, block)) = spawned_and_left(program, receive.function) else { continue };
            if program.item(id) == "main" || filling.contains(&id) {
                continue;
            }
            hits.push(Hit {
                certainty: if has_owner(program, id) { Certainty::Usually } else { Certainty::Doubt },
                message: "this task never ends: it goes on until its channel is closed, and shares the value that has a sender of it"
                    .to_owned(),
                primary: (call_ref(program, id, block), "spawned here".to_owned()),
                related: vec![(
                    call_ref(program, receive.function, receive.block),
                    "it waits here until all senders are gone".to_owned(),
                )],
                advice: "give the task a `Weak` reference to the value, or a `WeakSender` to the value, or keep its handle and abort it"
                    .to_owned(),
            });
        }
    }
    hits
}

/// Whether a task has captured one of these values, or a pointer that keeps one.
fn shares(program: &Program, task: &Function, owners: &BTreeSet<String>) -> bool {
    let is_owner = |ty: &str| {
        let name = last(&head(ty)).to_owned();
        // A sender behind an `Option` may be taken out of it.
        owners.contains(&name) && !program.type_mentions(&name, "Option")
    };
    let closes =
        task.calls().any(|(.., callee)| matches!(callee.name(), "close" | "close_channel" | "downgrade"));
    let captured = task
        .body
        .variables
        .iter()
        .map(|(_, place)| place)
        .filter(|place| task.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty()));
    let mut types = captured.filter_map(|it| it.stated_type());
    !closes
        && types.any(|ty| {
            let inner = arguments(ty).first().copied().filter(|_| matches!(last(&head(ty)), "Arc" | "Rc"));
            is_owner(inner.unwrap_or(ty))
        })
}

/// Where the task is spawned and its handle dropped.
fn spawned_and_left(program: &Program, task: FunctionId) -> Option<(FunctionId, BlockId)> {
    program.functions().find_map(|(id, function)| {
        let mut calls = function.calls().filter(|(_, call, callee)| {
            let ty = function.type_of(&call.into).unwrap_or_default();
            callee.name().starts_with("spawn") && head(ty) == "tokio::task::JoinHandle"
        });
        let (block, ..) = calls.find(|(_, call, _)| {
            let mut given = call.arguments.iter().filter_map(Operand::place);
            given.any(|it| task_in(program, function, it) == Some(task))
        })?;
        let found = fates(function, &Paths::of(function), block);
        let left = !found.is_empty() && found.iter().all(|it| matches!(it, Fate::Dropped(_)));
        left.then_some((id, block))
    })
}
