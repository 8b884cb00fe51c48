//! A body waits for the end of a task or thread that receives until all senders are gone, and keeps one of them.

use super::super::{Certainty, Hit};
use super::{PROPERTY, behind, made};
use crate::flow::channels::{Channel, ChannelId, Operation, end};
use crate::flow::mark::await_mark;
use crate::flow::mark::call_mark;
use crate::flow::paths::Paths;
use crate::flow::provenance::source;
use crate::flow::{Definition, Function, FunctionId, Program, Slot};
use crate::mir::{BlockId, Operand};

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
        let spawn = spawned_at(program, function, receive.function)?;
        let join = joined_at(function, spawn)?;
        let kept = !sender.gone.iter().any(|gone| *gone == join || paths.leads(*gone, join));
        let only_by_senders = kept && ends_with_senders(program, *receive);
        (only_by_senders && paths.leads(id.block, join)).then(|| hit(program, id, *receive, join))
    })
}

/// Whether a body receives in a loop that ends in no other way than without senders.
fn ends_with_senders(program: &Program, receive: Operation) -> bool {
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

fn hit(program: &Program, id: ChannelId, receive: Operation, join: BlockId) -> Hit {
    Hit {
        property: PROPERTY,
        certainty: Certainty::Usually,
        message: "this waits for the end of a loop that ends when all senders are gone, and keeps one of them meanwhile"
            .to_owned(),
        primary: (await_mark(program, id.function, join), "waits for ever".to_owned()),
        related: vec![
            (call_mark(program, receive.function, receive.block), "receives until all senders are gone".to_owned()),
            made(program, id),
        ],
        advice: "Drop the sender before, or move it to where it is used.".to_owned(),
    }
}
