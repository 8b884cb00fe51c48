//! A task or thread that is asked to stop and waited for, while it waits for something that neither side brings: it checks whether to
//! stop only after that.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, number, source};
use crate::body::walk;
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, Steps, bodies};
use crate::facts::objects::{CallSite, Thing};
use crate::facts::termination::{Holder, kept_at, loop_of, made_before, order_at};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::blocking::Wait as Blocks;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Operation};
use std::collections::BTreeSet;

/// A wait of the one who is asked, in a loop that only its orders end.
struct Wait {
    body: FunctionId,
    block: BlockId,
    orders: BTreeSet<CallSite>,
    of: What,
}

/// What it waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// A message of this channel.
    Message(CallSite),
    /// Somebody outside of the program.
    Outside,
    /// A long time.
    Time,
}

/// Finds such waits.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (_, steps) in facts.agents() {
        let joins = |it: &&Step| it.op == Op::Join && it.wait_limit == WaitLimit::Unlimited;
        for join in steps.steps.iter().filter(joins) {
            let Some(task) = only(&join.things) else { continue };
            let mut waits = for_messages(facts, task);
            waits.extend(for_others(facts, task));
            hits.extend(waits.iter().filter_map(|it| dismissed(facts, steps, join, it)));
        }
    }
    hits
}

fn dismissed(facts: &Facts<'_>, steps: &Steps, join: &Step, wait: &Wait) -> Option<Hit> {
    let program = facts.program;
    let given = given_before(facts, steps, join, &wait.orders)?;
    let (certainty, what) = match wait.of {
        What::Message(channel) => {
            let sends = |it: &&Step| it.op == Op::Send && it.things.contains(&Thing::Sender(channel));
            if steps.steps.iter().filter(sends).any(|it| may_follow(facts, steps, given, it)) {
                return None;
            }
            let (holder, joiner) = kept_in_frames(facts, steps, join, channel)?;
            let is_shared = holder.is_given && !is_lent_alone(program.function(joiner), &holder.slot);
            let certainty = if is_shared { Certainty::Doubt } else { Certainty::Usually };
            (certainty, "a message, and the waiting side still holds the sender")
        }
        What::Outside if knocks(facts, steps) => return None,
        What::Outside => (Certainty::Usually, "an event from outside"),
        What::Time => (Certainty::Usually, "a long wait"),
    };
    let joiner = steps.frames[join.frame].function;
    Some(Hit {
        certainty,
        message: format!(
            "this is asked to stop and then waited for, but checks for the request only after \
                          {what}"
        ),
        primary: (
            call_or_await(program, wait.body, wait.block),
            match wait.of {
                What::Message(_) => "waits for a message that may never come",
                What::Outside => "waits for an outside event that may never come",
                What::Time => "waits here, even if it is asked to stop meanwhile",
            }
            .to_owned(),
        ),
        related: vec![
            (call_ref(program, given.function, given.block), "asked to stop here".to_owned()),
            (call_or_await(program, joiner, join.block), "and waited for here".to_owned()),
        ],
        advice: match wait.of {
            What::Message(_) => {
                "drop the sender before waiting, send a message to stop, or receive with a time limit"
            }
            What::Outside => "wait with a time limit, or connect to it yourself after asking it to stop",
            What::Time => {
                "wait for the request to stop with a time limit, as `recv_timeout` or `park_timeout` do"
            }
        }
        .to_owned(),
    })
}

/// Whether a step may come after an order: then a message follows that lets the other one look.
fn may_follow(facts: &Facts<'_>, steps: &Steps, order: CallSite, step: &Step) -> bool {
    let id = steps.frames[step.frame].function;
    id != order.function || Paths::of(facts.program.function(id)).leads(order.block, step.block)
}

/// Where one of the orders is given before the join, in its body or in those that lead to it.
fn given_before(
    facts: &Facts<'_>,
    steps: &Steps,
    join: &Step,
    orders: &BTreeSet<CallSite>,
) -> Option<CallSite> {
    let given: BTreeSet<CallSite> = orders
        .iter()
        .filter_map(|it| facts.orders().get(it))
        .flat_map(|it| it.given.iter().copied())
        .collect();
    let mut frames = steps.outward(join.frame, join.block);
    frames.find_map(|(_, id, block)| made_before(facts.program, facts.objects(), id, block, &given))
}

/// The value that keeps the channel open while the join waits, with its body.
fn kept_in_frames(
    facts: &Facts<'_>,
    steps: &Steps,
    join: &Step,
    channel: CallSite,
) -> Option<(Holder, FunctionId)> {
    let mut frames = steps.outward(join.frame, join.block);
    frames.find_map(|(_, id, block)| Some((kept_at(facts.program, facts.objects(), id, block, channel)?, id)))
}

fn is_lent_alone(function: &Function, slot: &Slot) -> bool {
    let variables = function.body.variables.iter().find(|(_, place)| Slot::at(place) == *slot);
    variables.and_then(|(_, place)| function.type_of(place)).is_some_and(Ty::is_exclusive)
}

/// Whether somebody connects to what waits for others.
fn knocks(facts: &Facts<'_>, steps: &Steps) -> bool {
    let program = facts.program;
    steps.frames.iter().any(|it| {
        let id = it.function;
        let function = program.function(id);
        let reached = |block: BlockId| {
            let inner = bodies(program, facts.objects(), id, function, block);
            inner.into_iter().flat_map(|it| program.function(it).calls()).any(|(.., it)| is_knock(it))
        };
        function.calls().any(|(block, _, callee)| is_knock(callee) || reached(block))
    })
}

fn is_knock(callee: Callee) -> bool {
    let ends = |it: &Operation| matches!(it.action, Action::Send | Action::Close | Action::Notify { .. });
    callee.may(ends)
        || callee.aborts()
        || callee.name().starts_with("send")
        || ["connect", "shut", "write"].iter().any(|it| callee.name().starts_with(it))
}

/// The waits for messages of a task or thread.
fn for_messages(facts: &Facts<'_>, task: CallSite) -> Vec<Wait> {
    let (program, objects) = (facts.program, facts.objects());
    // Where several functions have it spawned, the one that waits keeps only the sender that it has itself.
    let of_task =
        facts.agents().iter().filter(|(agent, _)| matches!(agent, Agent::Spawned(it, _) if *it == task));
    let wait = |receiver: &Steps, step: &Step| {
        let unlimited = step.op == Op::Receive && step.wait_limit == WaitLimit::Unlimited;
        let channel = only(&step.things).filter(|_| unlimited && step.select.is_none())?;
        let body = receiver.frames[step.frame].function;
        // Who receives may only give on what came.
        let (frame, _, exits) = loop_of(program, receiver, step).filter(|(.., it)| !it.otherwise)?;
        let around = receiver.frames[frame].function;
        let orders =
            exits.by_message.iter().filter_map(|it| order_at(program, objects, around, *it)).collect();
        Some(Wait { body, block: step.block, orders, of: What::Message(channel) })
    };
    of_task.flat_map(|(_, receiver)| receiver.steps.iter().filter_map(|it| wait(receiver, it))).collect()
}

/// The waits for others and for a long time of a task or thread.
fn for_others(facts: &Facts<'_>, task: CallSite) -> Vec<Wait> {
    let (program, objects) = (facts.program, facts.objects());
    let Some(spawn) = objects.spawns.get(&task) else { return Vec::new() };
    let mut found = Vec::new();
    let mut left = MOST + 1;
    walk::reached(spawn.roots.iter().copied(), |id| {
        let mut next = Vec::new();
        if left == 0 {
            return next;
        }
        left -= 1;
        let function = program.function(id);
        let paths = Paths::of(function);
        for (block, ..) in function.calls() {
            next.extend(bodies(program, objects, id, function, block));
            let Some(of) = waited_for(facts, id, block) else { continue };
            let around = paths.loop_around(awaited_at(function, block).unwrap_or(block));
            let Some(orders) = orders_that_end(facts, id, paths, &around, block) else { continue };
            if !orders.is_empty() {
                found.push(Wait { body: id, block, orders, of });
            }
        }
        next
    });
    found
}

/// The most bodies of a task that are looked at.
const MOST: usize = 64;

/// The orders that end a loop, if nothing else does but what is waited for.
fn orders_that_end(
    facts: &Facts<'_>,
    id: FunctionId,
    paths: &Paths,
    around: &BTreeSet<BlockId>,
    wait: BlockId,
) -> Option<BTreeSet<CallSite>> {
    let function = facts.program.function(id);
    let mut orders = BTreeSet::new();
    for (from, to) in paths.exits(around) {
        if !paths.from(&[to], &|_| false).iter().any(|it| function.returns_at(*it)) {
            continue;
        }
        if let Some(order) = order_at(facts.program, facts.objects(), id, from) {
            orders.insert(order);
            continue;
        }
        let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
            function.body.block(from).map(|it| &it.terminator)
        else {
            // Suspended, its future may be dropped.
            if function.suspensions.iter().any(|it| it.block == from) {
                continue;
            }
            return None;
        };
        if source(function, &Slot::at(on)) != Some(wait) {
            return None;
        }
    }
    Some(orders)
}

/// What the call at the end of a block waits for, if that is somebody outside or a long time.
fn waited_for(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> Option<What> {
    let program = facts.program;
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    if program.called(function, block).is_some() {
        return None;
    }
    let is_awaited = awaited_at(function, block).is_some();
    let ty = |at: usize| {
        let given = call.place(at);
        given.and_then(|it| function.type_of(it)).unwrap_or_default()
    };
    if callee.name() == "accept" && ty(0).words().any(|it| it.contains("Listener")) {
        let blocks =
            program.blocking().calls(id).iter().any(|(at, it)| *at == block && it.wait == Blocks::Network);
        return (blocks || is_awaited).then_some(What::Outside);
    }
    if callee.is_next() && ty(0).has(|it| it.head().contains("net::Incoming")) {
        return Some(What::Outside);
    }
    let sleeps = callee.name() == "sleep" && call.arguments.len() == 1 && ty(0).names("Duration");
    (sleeps && is_long(function, call.arguments.first()?)).then_some(What::Time)
}

/// From how many seconds on a wait is long.
const LONG: u64 = 10;

/// Whether a time is a constant that is long.
fn is_long(function: &Function, time: &Operand) -> bool {
    let made = time.place().and_then(|it| source(function, &Slot::at(it))).and_then(|it| function.call(it));
    made.is_some_and(|(call, callee)| {
        let count = call.arguments.first().and_then(|it| number(function, it)).unwrap_or_default();
        match callee.name() {
            "from_secs" => count >= LONG,
            "from_millis" => count >= LONG * 1000,
            "from_mins" | "from_hours" => count > 0,
            _ => false,
        }
    })
}
