//! Waits for condition variables that are in no loop over their condition, or whose condition changes without the lock.
//!
//! A wait that is handed the guard, or hands it on, leaves the loop to others. In a loop around more than the wait the condition is
//! looked at again before the guard is dropped, or nothing is done with what it guards.
//!
//! Where the condition is an atomic, and whoever changes it notifies without the lock, both can come between the look and the wait.

use super::super::{Certainty, CodeRef, Hit};
use crate::flow::abstract_object::{AbstractObject, AbstractObjects};
use crate::flow::code_ref::call_ref;
use crate::flow::library::mentions;
use crate::flow::paths::Paths;
use crate::flow::provenance::flag;
use crate::flow::{Function, FunctionId, Program, Slot, owner};
use crate::mir::{BlockId, Operand, Place, Terminator};
use rvcheck_primitives::{Action, GuardOf, Is};
use std::collections::BTreeSet;

/// Finds such waits.
pub(super) fn check(program: &Program, objects: &AbstractObjects<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let notifies = notifies(program, objects);
    for (id, function) in program.functions() {
        let signature = &function.body.locals[..function.body.locals.len().min(function.body.arguments + 1)];
        if signature.iter().any(|it| is_guard(it)) {
            continue;
        }
        let paths = Paths::of(function);
        for (block, call, _) in function.calls() {
            if gives_up(program, function, &paths, block) {
                hits.push(without_loop(program, id, block));
            }
            if !is_wait(program, function, block, false) && !waits_once(program, function, block, 3) {
                continue;
            }
            // What happens while the guard is held.
            let held = paths.from(paths.next(block), &|it| drops_guard(function, it));
            if held.contains(&block) {
                let object =
                    call.arguments.first().and_then(Operand::place).and_then(|it| objects.object(id, it));
                hits.extend(
                    object.and_then(|it| changes_unlocked(program, id, &paths, block, &it, &notifies)),
                );
            } else if !paths.repeats(block) || held.iter().any(|it| uses_guard(function, *it)) {
                hits.push(without_loop(program, id, block));
            }
        }
    }
    hits
}

/// Whether a block calls a function that is handed the guard, and waits with it once: the loop is left to whoever calls that.
fn waits_once(program: &Program, function: &Function, block: BlockId, depth: usize) -> bool {
    let Some(called) = program.called(function, block).filter(|_| depth > 0) else { return false };
    let inner = program.function(called);
    let given = &inner.body.locals[1..inner.body.locals.len().min(inner.body.arguments + 1)];
    if !given.iter().any(|it| is_guard(it)) {
        return false;
    }
    let paths = Paths::of(inner);
    inner.calls().any(|(at, ..)| {
        let waits = is_wait(program, inner, at, false) || waits_once(program, inner, at, depth - 1);
        waits && !paths.repeats(at)
    })
}

/// Whether a wait of limited time is taken for what it waits for unless the time is over: nothing is looked at behind it.
fn gives_up(program: &Program, function: &Function, paths: &Paths, block: BlockId) -> bool {
    if !is_wait(program, function, block, true) || paths.repeats(block) {
        return false;
    }
    let after = paths.after(block);
    let asks = |it: &BlockId| function.call(*it).is_some_and(|(_, callee)| callee.name() == "timed_out");
    after.iter().any(asks) && !after.iter().any(|it| uses_guard(function, *it))
}

/// Whether a call waits for a condition variable once, whatever is the condition, and whether it does so for a limited time.
fn is_wait(program: &Program, function: &Function, block: BlockId, is_limited: bool) -> bool {
    program.row(function, block).is_some_and(|it| {
        it.operation.action == Action::WaitReleasing
            && it.operation.runs.is_none()
            && it.operation.is_limited == is_limited
    })
}

fn is_guard(ty: &str) -> bool {
    mentions(ty, |it| it == Is::Guard(GuardOf::Thread))
}

fn is_guard_place(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(is_guard)
}

fn drops_guard(function: &Function, id: BlockId) -> bool {
    match function.body.block(id).map(|it| &it.terminator) {
        Some(Terminator::Drop { place, .. }) => is_guard_place(function, place),
        Some(Terminator::Call(call)) => {
            function.call(id).is_some_and(|(_, callee)| callee.name() == "drop" && callee.of_trait.is_none())
                && call.arguments.iter().filter_map(Operand::place).any(|it| is_guard_place(function, it))
        }
        _ => false,
    }
}

fn uses_guard(function: &Function, id: BlockId) -> bool {
    function.call(id).is_some_and(|(call, callee)| {
        matches!(callee.name(), "deref" | "deref_mut")
            && call.arguments.iter().filter_map(Operand::place).any(|it| is_guard_place(function, it))
    })
}

fn without_loop(program: &Program, id: FunctionId, block: BlockId) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this wait is in no loop over its condition: it misses a notification that came before, and may wake without one"
            .to_owned(),
        primary: (call_ref(program, id, block), "waits here, once".to_owned()),
        related: Vec::new(),
        advice: "wait in a loop that looks at the condition first, as `wait_while` does".to_owned(),
    }
}

/// The notifications of condition variables, with their abstract objects.
fn notifies(program: &Program, objects: &AbstractObjects<'_>) -> Vec<(AbstractObject, FunctionId, BlockId)> {
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let row = program.row(function, block).filter(|it| it.owner.is == Is::Condvar);
            if row.is_some_and(|it| matches!(it.operation.action, Action::Notify { .. })) {
                let on = call.arguments.first().and_then(Operand::place);
                found.extend(on.and_then(|it| objects.object(id, it)).map(|it| (it, id, block)));
            }
        }
    }
    found
}

/// A wait over an atomic that somebody sets, and then notifies, without taking a lock.
fn changes_unlocked(
    program: &Program,
    id: FunctionId,
    paths: &Paths,
    wait: BlockId,
    condvar: &AbstractObject,
    notifies: &[(AbstractObject, FunctionId, BlockId)],
) -> Option<Hit> {
    let function = program.function(id);
    let avoid = |it: BlockId| drops_guard(function, it);
    let held = paths.from(paths.next(wait), &avoid);
    let around: BTreeSet<BlockId> = &held & &paths.to(&[wait], &avoid);
    if around.iter().any(|it| *it != wait && uses_guard(function, *it)) {
        return None;
    }
    let asks = |from: BlockId| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(from)?.terminator else {
            return None;
        };
        let read = flag(function, &Slot::at(on))?;
        is_atomic(program, function, read, "load").then_some(read)
    };
    let exits: Vec<Option<BlockId>> = paths
        .exits(&around)
        .into_iter()
        .filter(|(_, to)| paths.from(&[*to], &|_| false).iter().any(|it| function.returns_at(*it)))
        .map(|(from, _)| asks(from))
        .collect();
    let read = exits.iter().copied().next().flatten().filter(|_| exits.iter().all(Option::is_some))?;
    let given = notifies.iter().find(|(object, notifier, at)| {
        let inside = program.function(*notifier);
        let stores = inside.calls().any(|(block, ..)| {
            ["store", "swap", "fetch_add", "fetch_sub", "fetch_or", "compare_exchange"]
                .iter()
                .any(|it| is_atomic(program, inside, block, it))
                && Paths::of(inside).leads(block, *at)
        });
        let locks = program.locks().requests(*notifier).iter().any(|_| true)
            || program.holding(*notifier).ids().next().is_some();
        object == condvar && stores && !locks && !is_called_locked(program, *notifier)
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "the condition of this wait changes without the lock: a notification between the look at it and the wait is lost".to_owned(),
        primary: (call_ref(program, id, wait), "waits here".to_owned()),
        related: vec![
            (call_ref(program, id, read), "the condition is looked at here".to_owned()),
            (call_ref(program, given.1, given.2), "notified without the lock".to_owned()),
        ]
        .into_iter()
        .filter(|(mark, _)| !matches!(mark, CodeRef::Item(_)))
        .collect(),
        advice: "change the condition, or notify, while the lock is held; better, put the condition behind the lock".to_owned(),
    })
}

/// Whether a body is called by one that takes locks: then it may be under one of them.
fn is_called_locked(program: &Program, id: FunctionId) -> bool {
    program.functions().any(|(caller, function)| {
        let calls = || function.calls().any(|(block, ..)| program.called(function, block) == Some(id));
        !program.locks().requests(caller).is_empty() && calls()
    })
}

fn is_atomic(program: &Program, function: &Function, block: BlockId, name: &str) -> bool {
    let path = program.callee_path(function, block);
    owner(path).starts_with("Atomic") && path.ends_with(&format!("::{name}"))
}
