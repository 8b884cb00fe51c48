//! `channel-deadlock`: a wait on a channel that only the one who waits could end.
//!
//! - A bounded channel is [filled](early) before anybody receives from it.
//! - The sender of a reply stays in a [map](pending) when the loop that answers has ended.
//! - The only consumer of a bounded channel waits for room in it.

mod early;
mod pending;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::Facts;
use crate::mir::{BlockId, Terminator};
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::channels::{Channel, ChannelId, Operation, channels, end};
use crate::program::code_ref::call_ref;
use crate::program::rounds::runs;
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
