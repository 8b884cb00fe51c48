//! `futurelock`: a task waits for a lock while another of its own futures, not polled meanwhile, may be queued for it.
//!
//! A future that a `select!` polls by reference requests a lock or a [place](places), itself or in its async function. Another branch
//! completes first, and its arm awaits the same lock while the future still exists: locks are handed over in the order of requests. Or a
//! `timeout` polls it by reference, or [`select`](raced) gives it back, and the lock is awaited when the time is over. Or it is one of a
//! [set](sets) of futures, and the lock is awaited between two of them. The code that polls it may have been [given](given) it.

mod given;
mod places;
mod raced;
mod sets;

use self::places::places;
use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::select::selects;
use crate::body::timeout::{is_kept, over, timeouts};
use crate::body::unpinned::{Origin, Unpinned, future_in};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Operand, Place, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::code_ref::{await_ref, call_ref};
use crate::program::locks::{Mode, Waits, request_of};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "futurelock",
    property: "futurelock",
    doc: "A task awaits what another of its own futures is queued for, and no longer polls that future.",
    shown_by: ShownBy::Run("the task waits for a lock that is handed to a future which it does not poll"),
    check,
};

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        for select in selects(function) {
            for (number, branch) in select.branches.iter().enumerate().filter(|(_, it)| it.is_kept()) {
                let Some(queued) = queued(program, function, &branch.slot) else { continue };
                for other in select.branches.iter().enumerate().filter(|(at, _)| *at != number) {
                    let wait = other.1.arm.and_then(|it| waits(program, id, select.made, it, &queued));
                    hits.extend(wait.map(|it| hit(program, (id, queued.made), (id, select.poll), it)));
                }
            }
        }
        hits.extend(given::check(program, id, function));
        hits.extend(sets::check(program, id, function));
        hits.extend(raced::check(program, id, function));
        for (made, future) in timeouts(function).filter(|(_, it)| is_kept(function, it)) {
            let Some(queued) = queued(program, function, &Slot::at(future)) else { continue };
            let poll = awaited_at(function, made).unwrap_or(made);
            let wait = over(function, made).into_iter().find_map(|it| waits(program, id, made, it, &queued));
            hits.extend(wait.map(|it| hit(program, (id, queued.made), (id, poll), it)));
        }
    }
    hits
}

/// A future that may be queued for a lock.
struct Queued {
    /// The call that made it.
    made: BlockId,
    /// Where it is, and what points to it.
    kept: BTreeSet<Slot>,
    /// What it asks for.
    locks: Vec<(AccessPath, Mode)>,
}

/// The future that is polled by the reference in a slot, if it asks for locks.
fn queued(program: &Program, function: &Function, slot: &Slot) -> Option<Queued> {
    let Polled { kept, slot, origin } = polled(function, slot)?;
    let access_paths = AccessPaths::of(program, function);
    let Origin::Made(definition) = origin else { return None };
    let made = match definition {
        Definition::Called(made) | Definition::Assigned(made, _) => made,
    };
    if matches!(definition, Definition::Called(_)) && is_request(function, made) {
        let (call, _) = function.call(made)?;
        let (mode, _) = request_of(function.callee(made))?;
        return Some(Queued {
            made,
            kept,
            locks: vec![(lock(&access_paths, call.arguments.first()?)?, mode)],
        });
    }
    Some(Queued { made, kept, locks: asked_for(program, &access_paths, &slot)? })
}

/// A future that is polled by a reference.
struct Polled {
    /// Where it is, and what points to it.
    kept: BTreeSet<Slot>,
    /// Where it is.
    slot: Slot,
    /// How the body comes by it.
    origin: Origin,
}

/// The future to which the reference in a slot leads, if a name keeps it.
fn polled(function: &Function, slot: &Slot) -> Option<Polled> {
    let Unpinned { slot, origin, through } = future_in(function, slot)?;
    // What the macro makes for itself is no way to it.
    let is_named = |it: &Slot| function.body.variables.iter().any(|(_, place)| Slot::at(place) == *it);
    let is_captured = matches!(origin, Origin::Captured(_));
    let places = through.into_iter().chain([slot.clone()]);
    let kept: BTreeSet<Slot> = places.filter(|it| is_named(it) || is_captured && *it == slot).collect();
    let is_future = match origin {
        Origin::Made(definition @ Definition::Assigned(..)) => {
            function.assigned(definition)?.body().is_some()
        }
        _ => true,
    };
    (is_future && !kept.is_empty()).then_some(Polled { kept, slot, origin })
}

/// What a state machine in a slot asks for, in the terms of the body that made it.
fn asked_for(
    program: &Program,
    access_paths: &AccessPaths<'_>,
    slot: &Slot,
) -> Option<Vec<(AccessPath, Mode)>> {
    let (machine, captured) = access_paths.captured_in(slot)?;
    let requests = program.locks().requests(machine).iter().filter(|(_, it)| it.waits == Waits::Task);
    let locks = requests.map(|(_, it)| (it.lock.clone(), it.mode)).chain(
        // Places are handed over in the order of requests, too.
        places(program, machine).into_iter().map(|(_, it)| (it, Mode::Write)),
    );
    Some(locks.filter_map(|(lock, mode)| Some((access_paths.seen(&lock, &[], &captured)?, mode))).collect())
}

fn is_request(function: &Function, block: BlockId) -> bool {
    request_of(function.callee(block)).is_some_and(|(_, waits)| waits == Waits::Task)
}

/// The lock that a reference is to.
fn lock(access_paths: &AccessPaths<'_>, operand: &Operand) -> Option<AccessPath> {
    access_paths
        .operand(operand)
        .map(|it| it.then(crate::program::access::Hop::Deref))
        .filter(AccessPath::is_one)
}

/// The first await of one of the locks on the way from an arm, while the future exists and is not polled.
fn waits(program: &Program, id: FunctionId, made: BlockId, arm: BlockId, queued: &Queued) -> Option<BlockId> {
    waits_for(program, (id, made), arm, &queued.kept, &queued.locks)
}

/// The same for a future that is in these slots, and asks for those locks.
fn waits_for(
    program: &Program,
    (id, made): (FunctionId, BlockId),
    arm: BlockId,
    kept: &BTreeSet<Slot>,
    locks: &[(AccessPath, Mode)],
) -> Option<BlockId> {
    let function = program.function(id);
    let requests = program.locks().requests(id);
    let places = places(program, id);
    let paths = Paths::of(function);
    walk::search([arm], |block| {
        if block == made || kept.iter().any(|it| touches(function, block, it)) {
            return Continue([].iter().copied());
        }
        let asks = requests.iter().any(|(at, request)| {
            let both_read = |mode: Mode| mode != Mode::Write && request.mode != Mode::Write;
            *at == block
                && request.waits == Waits::Task
                && locks.iter().any(|(lock, mode)| *lock == request.lock && !both_read(*mode))
        });
        let asks_for_places =
            places.iter().any(|(at, of)| *at == block && locks.iter().any(|(lock, _)| lock == of));
        if asks || asks_for_places { Break(block) } else { Continue(paths.next(block).iter().copied()) }
    })
}

/// Whether a block does anything to a value: then it may be gone, or polled.
fn touches(function: &Function, block: BlockId, value: &Slot) -> bool {
    let is_it = |it: &Place| {
        let slot = Slot::at(it);
        slot.within(value).is_some() || value.within(&slot).is_some() && !slot.steps.is_empty()
    };
    let by = |it: &Operand| it.place().is_some_and(is_it);
    let Some(body) = function.body.block(block) else { return true };
    let stated = body.assignments().any(|(into, made)| is_it(into) || made.places().any(is_it));
    stated
        || match &body.terminator {
            Terminator::Drop { place, .. } => is_it(place),
            Terminator::Call(call) => call.arguments.iter().any(by),
            _ => false,
        }
}

/// What is said of a future that one body makes, and another one or the same polls and waits.
fn hit(
    program: &Program,
    (maker, made): (FunctionId, BlockId),
    (id, poll): (FunctionId, BlockId),
    wait: BlockId,
) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this can wait behind another future of the same task, which nothing polls meanwhile: then \
                  it waits forever"
            .to_owned(),
        primary: (await_ref(program, id, wait), "waits here".to_owned()),
        related: vec![
            (call_ref(program, maker, made), "this future may be queued ahead".to_owned()),
            (await_ref(program, id, poll), "last polled here".to_owned()),
        ],
        advice: "drop the other future before this await, for example by passing it to `select!` by \
                 value"
            .to_owned(),
    }
}
