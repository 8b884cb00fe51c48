//! A loop that keeps receiving from a closed channel: once the senders are gone it spins forever.
//!
//! The receive may be in a function that reports this in its own way, by one variant of its result for a closed channel as well as for a
//! timeout. Nothing is reported if the receiver's side keeps a sender, or if something else is awaited or may end the loop in between.

mod nothing;

use self::nothing::{Nothing, gives, without_message};
use crate::body::paths::Paths;
use crate::body::select::is_disabled_at;

use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, only};
use crate::facts::objects::{CallSite, Thing, is_receiver};
use crate::facts::termination::owns;
use crate::mir::{BlockId, Place};
use crate::program::code_ref::call_or_await;
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Waits};
use std::collections::BTreeSet;

/// How deep functions are followed that give on that there was nothing.
const DEEPEST: usize = 3;

/// How deep the fields of structs are looked into for senders.
const DEPTH_OF_FIELDS: usize = 5;

/// A call that says that there will be no message any more.
struct Ask {
    body: FunctionId,
    block: BlockId,
    /// Where its body goes on then.
    nothing: Nothing,
    /// The receive itself.
    receive: (FunctionId, BlockId),
    is_limited: bool,
}

/// Finds such loops.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut asks = receives_of(facts);
    let mut hits = Vec::new();
    for _ in 0..DEEPEST {
        let mut outer = Vec::new();
        for ask in asks {
            let function = facts.program.function(ask.body);
            let paths = Paths::of(function);
            if paths.repeats(ask.block) {
                hits.extend(keeps_looping(facts, function, paths, &ask));
            } else {
                outer.extend(of_callers(facts, function, &ask));
            }
        }
        asks = outer;
    }
    hits
}

fn receives_of(facts: &Facts<'_>) -> Vec<Ask> {
    let program = facts.program;
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        for (block, call, callee) in function.calls() {
            let of = function.type_given(call, 0);
            let is_limited = function.callee(block).row().is_some_and(|it| {
                let it = it.operation;
                it.action == Action::Receive && it.is_limited && it.waits == Waits::Thread
            });
            if of.is_some_and(is_receiver) && (is_limited || callee.receives()) {
                let nothing = without_message(function, Paths::of(function), block, is_limited);
                found.push(Ask { body: id, block, nothing, receive: (id, block), is_limited });
            }
        }
    }
    found
}

/// The calls of a body that asks, where what it gives says that there was nothing.
fn of_callers(facts: &Facts<'_>, function: &Function, ask: &Ask) -> Vec<Ask> {
    let program = facts.program;
    let Some(given) = gives(program, function, ask.block, &ask.nothing) else { return Vec::new() };
    let callers = facts.callers().get(&ask.body).into_iter().flatten();
    let mut found = Vec::new();
    for caller in callers {
        let outside = program.function(*caller);
        for (block, ..) in outside.calls() {
            let runs = program
                .called(outside, block)
                .into_iter()
                .chain(program.implementations(outside, block).iter().copied())
                .any(|it| it == ask.body);
            if runs {
                let nothing = nothing::by_variants(outside, block, &given);
                found.push(Ask {
                    body: *caller,
                    block,
                    nothing,
                    receive: ask.receive,
                    is_limited: ask.is_limited,
                });
            }
        }
    }
    found
}

fn keeps_looping(facts: &Facts<'_>, function: &Function, paths: &Paths, ask: &Ask) -> Option<Hit> {
    let program = facts.program;
    let around = paths.loop_around(ask.block);
    if around.iter().any(|it| is_disabled_at(function, *it)) || is_kept_open(facts, ask.receive) {
        return None;
    }
    let back = comes_back(function, paths, ask)?;
    // What is done each time that nothing came may be what the loop is for.
    let works = back.iter().any(|it| {
        let is_own = *it != ask.block && program.called(function, *it).is_some();
        is_own || function.call(*it).is_some_and(|(_, it)| it.of_trait().is_none() && !it.hands_on())
    });
    let is_meant = ask.is_limited && works && !is_awaited(facts, ask.receive);
    let (id, receive) = ask.receive;
    let mut related = Vec::new();
    if ask.receive != (ask.body, ask.block) {
        related.push((call_or_await(program, ask.body, ask.block), "called again from here".to_owned()));
    }
    Some(Hit {
        certainty: if is_meant { Certainty::Doubt } else { Certainty::Usually },
        message: "once all senders are dropped, this returns at once each time, without a message: the loop \
                  spins forever".to_owned(),
        primary: (call_or_await(program, id, receive), "receives again from the closed channel".to_owned()),
        related,
        advice: "leave the loop when the channel is closed; in `select!`, match `Some(…)` and add an `else` branch".to_owned(),
    })
}

/// The blocks through which the body comes from where there is no message back to the receive, if that is without an await in between and
/// on every path.
fn comes_back(function: &Function, paths: &Paths, ask: &Ask) -> Option<BTreeSet<BlockId>> {
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    ask.nothing.blocks.iter().find_map(|over| {
        let reached = paths.from(&[*over], &|it| it == ask.block);
        let back = *over == ask.block || reached.iter().any(|it| paths.next(*it).contains(&ask.block));
        let ends = reached.iter().any(|it| function.returns_at(*it));
        let waits = reached.iter().any(|it| polls.contains(it));
        (back && !ends && !waits).then_some(reached)
    })
}

/// Whether the one who receives has a sender, too, or who calls it, as far as is known: then the channel is never closed.
fn is_kept_open(facts: &Facts<'_>, (id, block): (FunctionId, BlockId)) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let on = program.function(id).call(block).and_then(|(call, _)| call.place(0));
    let things = on.map(|it| objects.at(program, id, it)).unwrap_or_default();
    let channels = things.iter().filter_map(|it| match it {
        Thing::Receiver(channel) => Some(*channel),
        _ => None,
    });
    let channels: BTreeSet<CallSite> = channels.collect();
    let mut bodies = BTreeSet::from([id]);
    for (_, steps) in facts.agents() {
        let own = steps.steps.iter().filter(|it| steps.frames[it.frame].function == id && it.block == block);
        bodies.extend(own.flat_map(|it| steps.outward(it.frame, it.block)).map(|(_, id, _)| id));
    }
    let has_one = |id: FunctionId, place: &Place| {
        let sends = |it: &Thing| matches!(it, Thing::Sender(channel) if channels.contains(channel));
        let ty = program.function(id).type_of(place).unwrap_or_default();
        let ty = ty.pointee();
        objects.at(program, id, place).iter().any(sends)
            || !owns(program, objects, ty, DEPTH_OF_FIELDS).is_disjoint(&channels)
    };
    bodies
        .into_iter()
        .any(|id| program.function(id).body.variables.iter().any(|(_, place)| has_one(id, place)))
}

/// Whether somebody waits for the end of a task or thread that receives there.
fn is_awaited(facts: &Facts<'_>, (id, block): (FunctionId, BlockId)) -> bool {
    let joined: BTreeSet<Thing> = facts
        .agents()
        .iter()
        .flat_map(|(_, it)| &it.steps)
        .filter(|it| it.op == Op::Join)
        .filter_map(|it| only(&it.things).map(Thing::Task))
        .collect();
    facts.agents().iter().any(|(agent, steps)| {
        let Agent::Spawned(site, _) = agent else { return false };
        joined.contains(&Thing::Task(*site))
            && steps.steps.iter().any(|it| it.block == block && steps.frames[it.frame].function == id)
    })
}
