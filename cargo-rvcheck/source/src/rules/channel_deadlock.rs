//! `channel-deadlock`: a wait on a channel that only the one who waits could end.
//!
//! - A loop receives until all senders are gone, and its own body keeps one, or a body that waits for [the end of it](joined).
//! - A value waits for the end of such a loop, and [keeps](kept) a sender in a field meanwhile.
//! - Or the value that receives has one.
//! - A bounded channel is [filled](early) before anybody receives from it.
//! - The only receiver of a channel [asks itself](asked) for a reply.
//! - The sender of a reply stays in a [map](pending) when the loop that answers has ended.
//! - The only consumer of a bounded channel waits for room in it.
//! - All jobs are put into a bounded channel before the first result is taken out of another one, into which the workers put them.
//! - A lock is held while there is no room in a bounded channel, and the consumer takes that lock.

mod asked;
mod early;
mod joined;
mod kept;
mod pending;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::facts::Facts;
use crate::flow::abstract_object::{AbstractObject, AbstractObjects, before_field};
use crate::flow::channels::{Channel, ChannelId, Operation, channels, end};
use crate::flow::code_ref::call_ref;
use crate::flow::paths::Paths;
use crate::flow::provenance::{awaited_at, decided_by, source};
use crate::flow::rounds::runs;
use crate::flow::text::{head, last};
use crate::flow::{Function, FunctionId, GuardKind, Held, Origin, Program, Slot};
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "channel-deadlock",
    property: "channel-deadlock",
    doc: "A wait on a channel that only the one who waits could end.",
    check,
};

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let objects = AbstractObjects::of(program);
    let all = channels(program, &objects);
    let mut hits = Vec::new();
    for (id, channel) in &all {
        hits.extend(keeps_a_sender(program, *id, channel));
        hits.extend(has_a_sender(program, *id, channel));
        hits.extend(joined::check(program, *id, channel));
        hits.extend(kept::check(program, &objects, *id, channel));
        hits.extend(early::check(program, *id, channel));
        hits.extend(asked::check(program, *id, channel));
        hits.extend(sends_to_itself(program, *id, channel));
        hits.extend(holds_what_the_consumer_needs(program, &objects, *id, channel));
    }
    hits.extend(submits_before_it_takes(program, &all));
    hits.extend(pending::check(program, &objects, &all));
    hits
}

fn mark(program: &Program, it: Operation) -> CodeRef {
    call_ref(program, it.function, it.block)
}

fn made(program: &Program, it: ChannelId) -> (CodeRef, String) {
    (call_ref(program, it.function, it.block), "the channel is made here".to_owned())
}

/// A loop that receives until all senders are gone, in the body that made the channel and keeps the first sender.
fn keeps_a_sender(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let function = program.function(id.function);
    let paths = Paths::of(function);
    let sender = end(function, id.block, 0);
    let receive = channel.receives.iter().find(|it| {
        let kept = !sender.is_lent
            && !sender.gone.iter().any(|gone| *gone == it.block || paths.leads(*gone, it.block));
        it.function == id.function && kept && paths.leads(id.block, it.block)
    })?;
    let after = behind(function, &paths, receive.block)?;
    // Where nothing comes behind the loop, it may be meant to go on for ever.
    let returned = function.body.type_of(crate::mir::Local(0));
    let returns_nothing = matches!(returned, "()" | "!") || returned.ends_with("std::task::Poll<()>");
    let does_something = after.iter().any(|it| {
        function.call(*it).is_some_and(|(_, callee)| callee.name() != "drop" && !callee.hands_on())
    });
    let waits = (mark(program, *receive), "waits for ever once all messages were received".to_owned());
    // Where the calls cannot be counted off, the wait has no place of its own.
    let (primary, related) = match waits.0 {
        CodeRef::Item(_) => (made(program, id), Vec::new()),
        _ => (waits, vec![made(program, id)]),
    };
    let certainty = if does_something || !returns_nothing { Certainty::Usually } else { Certainty::Doubt };
    Some(Hit {
        certainty,
        message: "this loop ends when all senders are gone, and one of them is kept here until it ends"
            .to_owned(),
        primary,
        related,
        advice: "drop the sender before the loop, or move it to where it is used".to_owned(),
    })
}

/// A loop that receives until all senders are gone, in a method of a value that has one of them itself.
fn has_a_sender(program: &Program, id: ChannelId, channel: &Channel) -> Option<Hit> {
    let [senders, receivers] = &channel.owners;
    let receive = channel.receives.iter().find(|it| {
        let of = program.type_of(it.function).filter(|of| receivers.contains(*of));
        // What is behind an `Option` may be taken out of it before.
        of.is_some_and(|of| senders.contains(of) && !program.type_mentions(of, "Option"))
    })?;
    let function = program.function(receive.function);
    let closes = function.calls().any(|(.., callee)| callee.name() == "close");
    if closes || gives_a_sender_away(function) {
        return None;
    }
    let after = behind(function, &Paths::of(function), receive.block)?;
    let does_something = after.iter().any(|it| {
        function.call(*it).is_some_and(|(_, callee)| callee.name() != "drop" && !callee.hands_on())
    });
    // Where nothing comes behind the loop, it is meant to go on for as long as the program does.
    does_something.then(|| Hit {
        certainty: Certainty::Usually,
        message: "this loop ends when all senders are gone, and the value that receives has one of them"
            .to_owned(),
        primary: (mark(program, *receive), "waits for ever once all messages were received".to_owned()),
        related: vec![made(program, id)],
        advice: "keep a `WeakSender`, drop the sender before the loop, or end it by a message".to_owned(),
    })
}

/// Whether a body takes a sender out of a field.
fn gives_a_sender_away(function: &Function) -> bool {
    let is_sender = |it: &Place| {
        let slot = Slot::at(it);
        let ty = it.stated_type().filter(|_| slot.steps.len() > function.root(&slot));
        ty.is_some_and(|it| last(&head(it)).ends_with("Sender"))
    };
    let by = |it: &Operand| it.place().is_some_and(is_sender);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let stated = block.statements.iter().any(|it| match it {
            Statement::Assign(_, Rvalue::Use(from) | Rvalue::Cast(from, _)) => by(from),
            Statement::Assign(into, Rvalue::Made(_, parts)) => is_sender(into) || parts.iter().any(by),
            _ => false,
        });
        let dropped = match &block.terminator {
            Terminator::Call(call) => call.arguments.iter().any(by) || is_sender(&call.into),
            _ => false,
        };
        stated || dropped
    })
}

/// The blocks behind the loop that receives by a call, where it ends in no other way than without senders.
fn behind(function: &Function, paths: &Paths, receive: BlockId) -> Option<BTreeSet<BlockId>> {
    let (call, callee) = function.call(receive)?;
    let over = if matches!(callee.name(), "iter" | "into_iter") {
        // The loop is around the call of `next`, or in a function that takes the iterator.
        let it = Slot::at(&call.into);
        let takes = |argument: &Operand| {
            argument.place().is_some_and(|place| source_is(function, &Slot::at(place), receive, &it))
        };
        let consumer = function.calls().find(|(block, call, callee)| {
            let consumes =
                ["next", "collect", "sum", "count", "for_each", "fold", "last", "extend", "product"];
            *block != receive && consumes.contains(&callee.name()) && call.arguments.iter().any(takes)
        });
        let (block, _, callee) = consumer?;
        if callee.name() != "next" {
            return Some(paths.after(block));
        }
        block
    } else {
        receive
    };
    let around = paths.loop_around(over);
    if around.is_empty() {
        return None;
    }
    let mut after = BTreeSet::new();
    for (from, to) in paths.exits(&around) {
        let beyond = paths.from(&[to], &|_| false);
        let returns = beyond.iter().any(|it| function.returns_at(*it));
        if !returns {
            continue;
        }
        if decided_by(function, from) != Some(receive) || !goes_by_outcome(function, from) {
            return None;
        }
        after.extend(beyond);
    }
    (!after.is_empty()).then_some(after)
}

/// Whether a branch goes by whether there was a message, and not by what was in it.
fn goes_by_outcome(function: &Function, branch: BlockId) -> bool {
    let is_message = |it: &Place| {
        it.projections
            .iter()
            .any(|it| matches!(it, Projection::Variant(name) if matches!(name.as_str(), "Some" | "Ok" | "Continue")))
    };
    let Some(block) = function.body.block(branch) else { return false };
    block.statements.iter().any(|it| {
        let Statement::Assign(_, Rvalue::Discriminant(of)) = it else { return false };
        let from = function.definition(&Slot::at(of)).and_then(|it| function.assigned(it));
        let taken_out = matches!(from, Some(Rvalue::Use(Operand::Place(from))) if is_message(from));
        let ty = function.type_of(of).map(|it| last(&head(it)).to_owned()).unwrap_or_default();
        matches!(ty.as_str(), "Option" | "Result" | "ControlFlow") && !is_message(of) && !taken_out
    })
}

fn source_is(function: &Function, slot: &Slot, block: BlockId, result: &Slot) -> bool {
    slot == result || source(function, slot) == Some(block)
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

/// Jobs that are all submitted before the first result is taken.
fn submits_before_it_takes(program: &Program, all: &BTreeMap<ChannelId, Channel>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (jobs_id, jobs) in all {
        for (results_id, results) in all {
            let (Some(capacity), Some(of_results)) = (jobs.capacity, results.capacity) else { continue };
            if jobs_id == results_id || jobs_id.function != results_id.function {
                continue;
            }
            let object = jobs_id.function;
            let function = program.function(object);
            let works = |it: FunctionId| {
                it != object
                    && jobs.receives.iter().any(|job| job.function == it)
                    && results.sends.iter().any(|result| result.function == it)
            };
            let has_workers = jobs.receives.iter().any(|it| works(it.function));
            let alone = jobs.receives.iter().chain(&results.sends).all(|it| works(it.function))
                && jobs.sends.iter().chain(&results.receives).all(|it| it.function == object);
            let submitted = jobs.sends.iter().map(|it| it.block);
            let fits = |it: u64| it <= capacity.saturating_add(of_results);
            let has_room = || runs(program, function, submitted, &BTreeSet::new()).is_some_and(fits);
            if !has_workers || !alone || has_room() {
                continue;
            }
            let paths = Paths::of(function);
            let taken: BTreeSet<BlockId> = results.receives.iter().map(|it| it.block).collect();
            let submits = jobs.sends.iter().find(|it| {
                let later =
                    taken.iter().all(|taken| paths.leads(it.block, *taken) && !paths.leads(*taken, it.block));
                paths.repeats(it.block) && later
            });
            let (Some(submits), Some(first)) = (submits, results.receives.first()) else { continue };
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "no result is taken before all jobs are submitted: once both channels are full, everybody waits for ever"
                    .to_owned(),
                primary: (mark(program, *submits), "waits for room that the workers cannot make".to_owned()),
                related: vec![
                    (mark(program, *first), "takes the first result".to_owned()),
                    made(program, *jobs_id),
                    made(program, *results_id),
                ],
                advice: "submit from another task or thread, take results in between, or do not bound one of the channels"
                    .to_owned(),
            });
        }
    }
    hits
}

/// A send that waits for room under a lock that the only consumer takes between two receives.
fn holds_what_the_consumer_needs(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: ChannelId,
    channel: &Channel,
) -> Option<Hit> {
    let capacity = channel.capacity?;
    if channel.sends.iter().all(|it| it.function == id.function) {
        let sent = channel.sends.iter().map(|it| it.block);
        let sent = runs(program, program.function(id.function), sent, &BTreeSet::new());
        if sent.is_some_and(|it| it <= capacity) {
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
    let calls = function.calls().filter_map(|(block, call, callee)| {
        let path = program.callee_path(function, block);
        let is_lock = path.contains("Mutex::") || path.contains("RwLock::");
        let takes =
            matches!(callee.name(), "lock" | "read" | "write" | "lock_owned" | "read_owned" | "write_owned");
        let object = objects.object(id, call.arguments.first().filter(|_| is_lock && takes)?.place()?)?;
        Some((block, before_field(program, objects, object)))
    });
    calls.collect()
}
