//! `channel-deadlock`: a wait for somebody who needs a lock that is held meanwhile.
//!
//! Who joins a task or thread, or waits for a message that others send, holds a lock that these request first; so does who waits for a
//! [signal](signalled).

mod signalled;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::walk;
use crate::body::{FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Deed, Patience, only};
use crate::facts::agents::steps::{Step, Steps, bodies};
use crate::facts::objects::{CallSite, Thing};
use crate::mir::BlockId;
use crate::program::abstract_object::{AbstractObject, AbstractObjects, before_field};
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::library::requests_lock;
use crate::program::{GuardKind, Held, Origin, Program};
use rvcheck_primitives::Mode;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "held-meanwhile",
    property: "channel-deadlock",
    doc: "A lock is held while somebody is waited for who requests it.",
    shown_by: "whoever is waited for requests the lock while it is held",
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
        for step in steps.steps.iter().filter(|it| it.patience == Patience::Unlimited && it.select.is_none())
        {
            let held = held(facts.program, &objects, steps, step);
            if held.is_empty() {
                continue;
            }
            let needed = match step.deed {
                Deed::Join => needed_to_end(facts, &objects, step),
                Deed::Receive => needed_to_send(facts, &objects, steps, step),
                Deed::Send | Deed::Drain => Vec::new(),
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
    let message = if step.deed == Deed::Join {
        "this waits for the end of somebody who requests a lock that is held here meanwhile: both wait for ever"
    } else {
        "this waits for a message from somebody who first requests a lock that is held here meanwhile: both wait for ever"
    };
    Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (
            call_or_await(program, steps.frames[step.frame].function, step.block),
            "waits here".to_owned(),
        ),
        related: vec![
            (place(held.at), "holds the lock from here".to_owned()),
            (place(needed.at), "requested here by the one who is waited for".to_owned()),
        ],
        advice: "let go of the lock before you wait".to_owned(),
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
    let suspended =
        function.suspensions.iter().find(|it| it.poll == Some(block)).map_or(block, |it| it.block);
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
    let mode = requests_lock(program, function, at.block)?;
    let reads = matches!(mode, Mode::Shared | Mode::SharedRecursive);
    let place = call.arguments.first()?.place()?;
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
    let mut found = Vec::new();
    walk::reached(spawn.roots.iter().copied(), |id| {
        let function = facts.program.function(id);
        let mut next = Vec::new();
        for (block, _, callee) in function.calls() {
            found.extend(locked(facts.program, objects, CallSite { function: id, block }));
            if !callee.name().starts_with("spawn") {
                next.extend(bodies(facts.program, facts.objects(), id, function, block));
            }
        }
        next
    });
    found
}

/// The locks that everybody who sends the message requests between the last one and that.
fn needed_to_send(facts: &Facts<'_>, objects: &AbstractObjects<'_>, own: &Steps, step: &Step) -> Vec<Locked> {
    let Some(channel) = only(&step.things) else { return Vec::new() };
    let sends = |it: &&Step| it.deed == Deed::Send && it.things.contains(&Thing::Sender(channel));
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
