//! `channel-deadlock`: a wait for a task or thread that needs a lock held meanwhile.
//!
//! The waiter joins a task or thread, waits for a message that others send, or for room that others make, or for a [signal](signalled),
//! and holds a lock that these request first.

mod signalled;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::body::walk;
use crate::body::{FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, Steps, bodies};
use crate::facts::objects::{CallSite, Thing};
use crate::mir::BlockId;
use crate::program::abstract_object::{AbstractObject, AbstractObjects, before_field};
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::library::requests_lock;
use crate::program::{GuardKind, Held, Origin, Program};
use rvcheck_primitives::Mode;
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "held-meanwhile",
    property: "channel-deadlock",
    doc: "A lock is held during a wait for a task or thread that requests it.",
    shown_by: ShownBy::Run("the task or thread that is waited for requests the lock while it is held"),
    check,
};

/// A lock, and where it is requested.
#[derive(Clone, Debug)]
pub(super) struct Locked {
    /// The lock.
    pub(super) object: AbstractObject,
    /// It is shared with others that read.
    pub(super) reads: bool,
    /// The call.
    pub(super) at: CallSite,
}

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let objects = AbstractObjects::of(facts.program);
    let mut hits = Vec::new();
    for (_, steps) in facts.agents() {
        for step in
            steps.steps.iter().filter(|it| it.wait_limit == WaitLimit::Unlimited && it.select.is_none())
        {
            let held = held(facts.program, &objects, steps, step);
            if held.is_empty() {
                continue;
            }
            let needed = match step.op {
                Op::Join => needed_to_end(facts, &objects, step),
                Op::Receive => needed_to_send(facts, &objects, steps, step),
                Op::Send => needed_to_receive(facts, &objects, steps, step),
                Op::Drain => Vec::new(),
            };
            let meets = |held: &&Locked| {
                needed.iter().find(|it| it.object == held.object && !(it.reads && held.reads)).cloned()
            };
            if let Some((held, needed)) = held.iter().find_map(|it| Some((it, meets(&it)?))) {
                hits.push(hit(facts.program, steps, step, held, &needed));
            }
        }
    }
    hits.extend(signalled::check(facts, &objects));
    hits.sort();
    hits.dedup();
    hits
}

fn hit(program: &Program, steps: &Steps, step: &Step, held: &Locked, needed: &Locked) -> Hit {
    let place = |it: CallSite| -> CodeRef { call_ref(program, it.function, it.block) };
    let lock = held.object.called(program, "a lock");
    let message = match step.op {
        Op::Join => {
            format!("this joins a task or thread that requests {lock}, which is held here: both wait forever")
        }
        Op::Send => {
            format!(
                "when the channel is full, this waits for room while holding {lock}, which the receiver \
                 requests before it makes room: both wait forever"
            )
        }
        Op::Receive | Op::Drain => {
            format!(
                "this waits for a message, but its sender first requests {lock}, which is held here: both wait forever"
            )
        }
    };
    Hit {
        certainty: Certainty::Usually,
        message,
        primary: (
            call_or_await(program, steps.frames[step.frame].function, step.block),
            "waits here".to_owned(),
        ),
        related: vec![
            (place(held.at), "the lock is held from here".to_owned()),
            (place(needed.at), "requested here by the task or thread that is waited for".to_owned()),
        ],
        advice: "release the lock before waiting".to_owned(),
    }
}

/// The locks that an agent holds for sure at a step, in its body and those that called it.
fn held(program: &Program, objects: &AbstractObjects<'_>, steps: &Steps, step: &Step) -> Vec<Locked> {
    let frames = steps.outward(step.frame, step.block);
    frames.flat_map(|(_, id, block)| held_at(program, objects, id, block)).collect()
}

/// The locks that a body holds for sure at the end of a block.
pub(super) fn held_at(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Vec<Locked> {
    let mut found = Vec::new();
    let function = program.function(id);
    let poll = awaited_at(function, block).unwrap_or(block);
    let suspended = function.suspensions.iter().find(|it| it.poll == Some(poll)).map_or(block, |it| it.block);
    let holding = program.holding(id);
    let guards = holding.at(suspended).map(Held::guards).unwrap_or_default();
    for guard in guards.iter().filter(|(_, certain)| **certain).filter_map(|(it, _)| holding.guard(*it)) {
        let is_lock = [GuardKind::Blocking, GuardKind::Task].iter().any(|it| guard.kinds.contains(*it));
        let Origin::Call(made) = guard.origin else { continue };
        let from = function.call(made).filter(|_| is_lock);
        let from = from.and_then(|(call, _)| source(function, &Slot::at(&call.into)));
        found.extend(from.and_then(|it| locked(program, objects, CallSite { function: id, block: it })));
    }
    found
}

/// The lock that a call requests, and waits for.
pub(super) fn locked(program: &Program, objects: &AbstractObjects<'_>, at: CallSite) -> Option<Locked> {
    let function = program.function(at.function);
    let (call, _) = function.call(at.block)?;
    let mode = requests_lock(function, at.block)?;
    let reads = matches!(mode, Mode::Shared | Mode::SharedRecursive);
    let place = call.place(0)?;
    let object = before_field(program, objects, objects.object(at.function, place)?);
    Some(Locked { object, reads, at })
}

/// The locks that what is joined requests, in what it runs itself.
fn needed_to_end(facts: &Facts<'_>, objects: &AbstractObjects<'_>, step: &Step) -> Vec<Locked> {
    let tasks = step.things.iter().filter_map(|it| match it {
        Thing::Task(site) => Some(*site),
        _ => None,
    });
    let Some(spawn) = only(&step.things).and_then(|it| facts.objects().spawns.get(&it)) else {
        return Vec::new();
    };
    if tasks.count() != 1 {
        return Vec::new();
    }
    locked_within(facts, objects, spawn.roots.iter().copied())
}

/// The locks that everybody who sends the message requests between the last one and that.
fn needed_to_send(facts: &Facts<'_>, objects: &AbstractObjects<'_>, own: &Steps, step: &Step) -> Vec<Locked> {
    let Some(channel) = only(&step.things) else { return Vec::new() };
    let sends = |it: &&Step| it.op == Op::Send && it.things.contains(&Thing::Sender(channel));
    let mut all: Option<Vec<Locked>> = None;
    for (agent, steps) in facts.agents() {
        let is_own = steps.frames.first().map(|it| it.function) == own.frames.first().map(|it| it.function);
        for send in steps.steps.iter().filter(sends) {
            // Somebody else may send it, too.
            if is_own || !matches!(agent, Agent::Spawned(..)) {
                return Vec::new();
            }
            let before = requested_before(facts.program, objects, steps, send);
            all = Some(match all {
                None => before,
                Some(all) => all
                    .into_iter()
                    .filter(|it| before.iter().any(|other| other.object == it.object))
                    .collect(),
            });
        }
    }
    all.unwrap_or_default()
}

/// The locks that the one who takes messages out of a bounded channel requests between two of them.
fn needed_to_receive(
    facts: &Facts<'_>,
    objects: &AbstractObjects<'_>,
    own: &Steps,
    step: &Step,
) -> Vec<Locked> {
    let program = facts.program;
    let Some(channel) = only(&step.things).filter(|it| facts.may_be_full(*it)) else { return Vec::new() };
    let takes = |it: &&Step| {
        matches!(it.op, Op::Receive | Op::Drain) && it.things.contains(&Thing::Receiver(channel))
    };
    let receives = facts
        .agents()
        .iter()
        .flat_map(|(_, steps)| steps.steps.iter().filter(takes).map(move |it| (steps, it)));
    let receives: Vec<(&Steps, &Step)> = receives.collect();
    let bodies_of =
        |all: &[(&Steps, &Step)]| all.iter().map(|(steps, it)| steps.frames[it.frame].function).collect();
    let consumers: BTreeSet<FunctionId> = bodies_of(&receives);
    // Somebody else may make room, too.
    let is_own = own.frames.iter().any(|it| consumers.contains(&it.function));
    if consumers.len() != 1 || is_own {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (steps, receive) in receives {
        let around = steps.outward(receive.frame, receive.block).find_map(|(_, id, block)| {
            let around = Paths::of(program.function(id)).loop_around(block);
            (!around.is_empty()).then_some((id, around))
        });
        let Some((id, around)) = around else { continue };
        found.extend(
            around
                .iter()
                .filter_map(|block| locked(program, objects, CallSite { function: id, block: *block })),
        );
        let function = program.function(id);
        let calls = around.iter().filter(|it| !program.function(id).callee(**it).spawns());
        let inner = calls.flat_map(|it| bodies(program, facts.objects(), id, function, *it));
        found.extend(locked_within(facts, objects, inner.collect::<Vec<_>>()));
    }
    found
}

/// The locks that bodies request, and those that they call.
fn locked_within(
    facts: &Facts<'_>,
    objects: &AbstractObjects<'_>,
    roots: impl IntoIterator<Item = FunctionId>,
) -> Vec<Locked> {
    let mut found = Vec::new();
    walk::reached(roots, |id| {
        let function = facts.program.function(id);
        let mut next = Vec::new();
        for (block, ..) in function.calls() {
            found.extend(locked(facts.program, objects, CallSite { function: id, block }));
            if !facts.program.function(id).callee(block).spawns() {
                next.extend(bodies(facts.program, facts.objects(), id, function, block));
            }
        }
        next
    });
    found
}

/// The locks that are requested on each way to a step in the bodies that lead to it.
fn requested_before(
    program: &Program,
    objects: &AbstractObjects<'_>,
    steps: &Steps,
    step: &Step,
) -> Vec<Locked> {
    let mut found = Vec::new();
    for (_, id, block) in steps.outward(step.frame, step.block) {
        let function = program.function(id);
        let paths = Paths::of(function);
        let around = paths.loop_around(block);
        for (at, ..) in function.calls().filter(|(at, ..)| *at != block) {
            let passed = if around.is_empty() {
                !paths.from(&[BlockId(0)], &|it| it == at).contains(&block)
            } else {
                around.contains(&at) && !paths.from(paths.next(block), &|it| it == at).contains(&block)
            };
            if passed {
                found.extend(locked(program, objects, CallSite { function: id, block: at }));
            }
        }
    }
    found
}
