//! `channel-deadlock`: a wait on a channel that only the one who waits could end.
//!
//! - A bounded channel is [filled](early) before anybody receives from it.
//! - The sender of a reply stays in a [map](pending) when the loop that answers has ended.
//! - The only consumer of a bounded channel waits for room in it.
//! - A lock is held while there is no room in a bounded channel, and the consumer takes that lock.

mod early;
mod pending;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::body::{FunctionId, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Terminator};
use crate::program::abstract_object::{AbstractObject, AbstractObjects, before_field};
use crate::program::channels::{Channel, ChannelId, Operation, channels, end};
use crate::program::code_ref::call_ref;
use crate::program::library::requests_lock;
use crate::program::rounds::runs;
use crate::program::{GuardKind, Held, Origin, Program};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "channel-deadlock",
    property: "channel-deadlock",
    doc: "A wait on a channel that only the one who waits could end.",
    shown_by: "a task waits on the channel, and nobody else can end the wait",
    check,
};

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let objects = AbstractObjects::of(program);
    let all = channels(program, &objects);
    let mut hits = Vec::new();
    for (id, channel) in &all {
        hits.extend(early::check(program, *id, channel));
        hits.extend(sends_to_itself(program, *id, channel));
        hits.extend(holds_what_the_consumer_needs(program, &objects, *id, channel));
    }
    hits.extend(pending::check(program, &objects, &all));
    hits
}

fn mark(program: &Program, it: Operation) -> CodeRef {
    call_ref(program, it.function, it.block)
}

fn made(program: &Program, it: ChannelId) -> (CodeRef, String) {
    (call_ref(program, it.function, it.block), "the channel is made here".to_owned())
}

/// A send that waits for room, in the body that alone receives.
fn sends_to_itself(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let capacity = channel.capacity?;
    let consumers: BTreeSet<FunctionId> = channel.receives.iter().map(|it| it.function).collect();
    let consumer = *consumers.first().filter(|_| consumers.len() == 1)?;
    let function = program.function(consumer);
    let paths = Paths::of(function);
    let receives: BTreeSet<BlockId> = channel.receives.iter().map(|it| it.block).collect();
    let others = channel.sends.iter().any(|it| it.function != consumer);
    if consumer == id.function {
        let receiver = end(function, id.block, 1);
        let kept = receiver.gone.iter().all(|it| {
            matches!(function.body.block(*it).map(|it| &it.terminator), Some(Terminator::Drop { .. }))
                || receives.contains(it)
        });
        if receiver.is_lent || !kept {
            return None;
        }
    }
    if channel.is_shared && consumer != id.function {
        return None;
    }
    let own = channel.sends.iter().filter(|it| it.function == consumer).map(|it| it.block);
    let has_room = runs(program, function, own, &receives).is_some_and(|it| it <= capacity);
    let send = channel.sends.iter().find(|it| {
        let back = paths.from(paths.next(it.block), &|it| receives.contains(&it));
        let fills = back.contains(&it.block) && !has_room;
        let in_turn =
            receives.iter().any(|receive| paths.leads(*receive, it.block) && paths.leads(it.block, *receive));
        let received = receives.iter().any(|receive| paths.leads(it.block, *receive));
        it.function == consumer && received && (fills || others && in_turn)
    })?;
    let mut related: Vec<(CodeRef, String)> = receives
        .iter()
        .map(|it| (call_ref(program, consumer, *it), "the only place that takes messages out".to_owned()))
        .collect();
    related.push(made(program, id));
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "when the channel is full, this waits for room that only its own task can make: {capacity} fit{} into it",
            if capacity == 1 { "s" } else { "" }
        ),
        primary: (mark(program, *send), "waits for ever when the channel is full".to_owned()),
        related,
        advice:
            "keep what is left to do in a local queue, or use `try_send`; an unbounded channel does not wait"
                .to_owned(),
    })
}

/// A send that waits for room under a lock that the only consumer takes between two receives.
fn holds_what_the_consumer_needs(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: ChannelId,
    channel: &Channel,
) -> Option<Hit> {
    if !channel.is_bounded {
        return None;
    }
    if channel.sends.iter().all(|it| it.function == id.function) {
        let sent = channel.sends.iter().map(|it| it.block);
        let sent = runs(program, program.function(id.function), sent, &BTreeSet::new());
        let has_room = sent.is_some_and(|it| channel.capacity.is_none_or(|capacity| it <= capacity));
        if has_room {
            return None;
        }
    }
    let consumers: BTreeSet<FunctionId> = channel.receives.iter().map(|it| it.function).collect();
    let consumer = *consumers.first().filter(|_| consumers.len() == 1)?;
    let inside = program.function(consumer);
    let paths = Paths::of(inside);
    let around: BTreeSet<BlockId> =
        channel.receives.iter().flat_map(|it| paths.loop_around(it.block)).collect();
    let locked: Vec<(BlockId, _)> =
        locks(program, objects, consumer).into_iter().filter(|(it, _)| around.contains(it)).collect();
    for send in channel.sends.iter().filter(|it| it.function != consumer) {
        let function = program.function(send.function);
        let at = awaited_at(function, send.block)
            .and_then(|poll| function.suspensions.iter().find(|it| it.poll == Some(poll)))
            .map_or(send.block, |it| it.block);
        let holding = program.holding(send.function);
        let held = holding.at(at).map(Held::guards).unwrap_or_default();
        for guard in held.iter().filter(|(_, certain)| **certain).filter_map(|(it, _)| holding.guard(*it)) {
            let is_lock = [GuardKind::Blocking, GuardKind::Task].iter().any(|it| guard.kinds.contains(*it));
            let Origin::Call(block) = guard.origin else { continue };
            let Some(from) = function
                .call(block)
                .filter(|_| is_lock)
                .and_then(|(call, _)| source(function, &Slot::at(&call.into)))
            else {
                continue;
            };
            let object = function
                .call(from)
                .and_then(|(call, _)| objects.object(send.function, call.arguments.first()?.place()?))
                .map(|it| before_field(program, objects, it));
            let Some((taken, _)) = locked.iter().find(|(_, it)| Some(it) == object.as_ref()) else {
                continue;
            };
            return Some(Hit {
                certainty: Certainty::Usually,
                message: "when the channel is full, this waits for room while it holds a lock that the consumer needs to make room"
                    .to_owned(),
                primary: (mark(program, *send), "waits for room, holding the lock".to_owned()),
                related: vec![
                    (call_ref(program, send.function, from), "locked here".to_owned()),
                    (call_ref(program, consumer, *taken), "the consumer takes the same lock".to_owned()),
                    made(program, id),
                ],
                advice: "drop the guard before the send, or reserve the room before the lock is taken".to_owned(),
            });
        }
    }
    None
}

/// The calls of a body that take a lock, with its abstract object.
fn locks(program: &Program, objects: &AbstractObjects<'_>, id: FunctionId) -> Vec<(BlockId, AbstractObject)> {
    let function = program.function(id);
    let calls = function.calls().filter_map(|(block, call, _)| {
        requests_lock(program, function, block)?;
        let object = objects.object(id, call.arguments.first()?.place()?)?;
        Some((block, before_field(program, objects, object)))
    });
    calls.collect()
}
