//! A body waits for the end of a task or thread that receives until all senders are gone, and keeps one of them.

use super::super::{Certainty, Hit};
use super::{behind, made};
use crate::flow::channels::{Channel, ChannelId, Operation, end};
use crate::flow::code_ref::await_ref;
use crate::flow::code_ref::call_ref;
use crate::flow::paths::Paths;
use crate::flow::provenance::{awaited_at, decided_by, source};
use crate::flow::{Callee, Definition, Function, FunctionId, Program, Slot, owner};
use crate::mir::{BlockId, Call, Operand, Place, Rvalue};
use std::collections::BTreeSet;

/// Finds such a wait.
pub(super) fn check(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let function = program.function(id.function);
    let paths = Paths::of(function);
    let sender = end(function, id.block, 0);
    // An abort ends the task, too.
    let aborts = function.calls().any(|(.., callee)| callee.name().starts_with("abort"));
    if sender.is_lent || aborts {
        return None;
    }
    channel.receives.iter().find_map(|receive| {
        let join = spawned_at(program, function, receive.function)
            .and_then(|it| joined_at(function, it))
            .or_else(|| set_at(program, function, &paths, receive.function))
            .or_else(|| join_macro_at(program, function, &paths, receive.function))?;
        let kept = !sender.gone.iter().any(|gone| *gone == join || paths.leads(*gone, join));
        let only_by_senders = kept && ends_with_senders(program, *receive);
        (only_by_senders && paths.leads(id.block, join)).then(|| hit(program, id, *receive, join))
    })
}

/// Whether a body receives in a loop that ends in no other way than without senders.
pub(super) fn ends_with_senders(program: &Program, receive: Operation) -> bool {
    let inside = program.function(receive.function);
    let closes = inside.calls().any(|(.., callee)| callee.name() == "close");
    !closes && behind(inside, &Paths::of(inside), receive.block).is_some()
}

/// The call that spawns a task or thread with that body and gives its handle.
fn spawned_at(program: &Program, function: &Function, body: FunctionId) -> Option<BlockId> {
    function.calls().find_map(|(block, call, callee)| {
        let handle = function.type_of(&call.into).is_some_and(|it| it.contains("JoinHandle<"));
        let runs = |it: &Operand| {
            it.place().and_then(|it| function.type_of(it)).and_then(|it| program.body_of(it)) == Some(body)
        };
        let spawns = handle && callee.name().starts_with("spawn") && call.arguments.iter().any(runs);
        spawns.then_some(block)
    })
}

/// Where the handle that a call gives is awaited or joined.
fn joined_at(function: &Function, spawn: BlockId) -> Option<BlockId> {
    let awaited = function.suspensions.iter().find_map(|it| {
        let made = function.producer(it.awaited.as_ref()?)?;
        (made == Definition::Called(spawn)).then_some(it.poll?)
    });
    awaited.or_else(|| {
        let mut joins = function.calls().filter(|(.., callee)| callee.name() == "join");
        let (block, ..) = joins.find(|(_, call, _)| {
            let handle = call.arguments.first().and_then(Operand::place);
            handle.and_then(|it| source(function, &Slot::at(it))) == Some(spawn)
        })?;
        Some(block)
    })
}

/// Where a set of tasks is awaited as a whole that a task with that body was spawned on.
fn set_at(program: &Program, function: &Function, paths: &Paths, body: FunctionId) -> Option<BlockId> {
    let on_set = |name: &str, callee: &Callee| callee.name() == name && owner(&callee.path) == "JoinSet";
    let set = |call: &Call| set_of(function, call.arguments.first()?.place()?);
    let (spawn, call, _) = function.calls().find(|(_, call, callee)| {
        let machine = call.arguments.get(1).and_then(Operand::place).and_then(|it| function.type_of(it));
        on_set("spawn", callee) && machine.and_then(|it| program.body_of(it)) == Some(body)
    })?;
    let object = set(call)?;
    function.calls().find_map(|(block, call, callee)| {
        let whole = on_set("join_all", callee)
            || on_set("join_next", callee) && ends_with_set(function, paths, block);
        let same = whole && set(call).as_ref() == Some(&object) && paths.leads(spawn, block);
        if same { awaited_at(function, block) } else { None }
    })
}

/// Whether the loop around a wait for the next task ends only when there are no more.
fn ends_with_set(function: &Function, paths: &Paths, next: BlockId) -> bool {
    let around = paths.loop_around(next);
    !around.is_empty()
        && paths.exits(&around).into_iter().all(|(from, to)| {
            let returns = paths.from(&[to], &|_| false).iter().any(|it| function.returns_at(*it));
            !returns || decided_by(function, from) == Some(next)
        })
}

/// The local set that a place refers to.
fn set_of(function: &Function, place: &Place) -> Option<Slot> {
    let mut slot = Slot::at(place);
    for _ in 0..8 {
        slot.steps.truncate(function.root(&slot));
        match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Reference(of, _) | Rvalue::Use(Operand::Place(of))) => slot = Slot::at(of),
            _ => return Some(slot),
        }
    }
    None
}

/// Where `join!` awaits a future with that body.
fn join_macro_at(program: &Program, function: &Function, paths: &Paths, body: FunctionId) -> Option<BlockId> {
    let (given, ..) = function.calls().find(|(_, call, callee)| {
        let future = call.arguments.first().and_then(Operand::place);
        callee.name() == "maybe_done"
            && future.is_some_and(|it| program.machine_in(function, &Slot::at(it)) == Some(body))
    })?;
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    let next = paths.from(paths.next(given), &|it| polls.contains(&it));
    let (poll, _) = function
        .suspensions
        .iter()
        .filter_map(|it| Some((it.poll?, it.mark)))
        .find(|(poll, mark)| mark.is_none() && paths.before(*poll).iter().any(|it| next.contains(it)))?;
    // The first error ends `try_join!`.
    let ty = function.type_of(&function.call(poll)?.0.into)?;
    (!ty.contains("Poll<std::result::Result<(") && !ty.contains("Poll<Result<(")).then_some(poll)
}

fn hit(program: &Program, id: ChannelId, receive: Operation, join: BlockId) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this waits for the end of a loop that ends when all senders are gone, and keeps one of them meanwhile"
            .to_owned(),
        primary: (await_ref(program, id.function, join), "waits for ever".to_owned()),
        related: vec![
            (call_ref(program, receive.function, receive.block), "receives until all senders are gone".to_owned()),
            made(program, id),
        ],
        advice: "drop the sender before, or move it to where it is used".to_owned(),
    }
}
