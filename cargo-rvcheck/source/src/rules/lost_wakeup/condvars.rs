//! Waits for condition variables outside a loop over their condition.
//!
//! A wait that is passed the guard, or passes it on, leaves the loop to others. In a loop around more than the wait, the condition is
//! checked again before the guard is dropped, or nothing is done with what it guards.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Local, Place, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use crate::program::runs::runs;
use crate::ty::Ty;
use rvcheck_primitives::{Action, GuardOf, Is};

/// Finds such waits.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        if is_guard(function.body.type_of(Local(0))) || is_handed_guard(function) {
            continue;
        }
        let paths = Paths::of(function);
        for (block, ..) in function.calls() {
            if gives_up(function, paths, block) {
                hits.push(without_loop(program, id, block));
            }
            if !is_wait(function, block, false) && !waits_once(program, function, block, 3) {
                continue;
            }
            // What happens while the guard is held.
            let held = paths.from(paths.next(block), &|it| drops_guard(function, it));
            let looks = held.contains(&block);
            if !looks && (!paths.repeats(block) || held.iter().any(|it| uses_guard(function, *it))) {
                hits.push(without_loop(program, id, block));
            }
        }
    }
    hits
}

/// Whether a block runs a function or closure that is handed the guard, and waits with it once: the loop is left to whoever calls that.
fn waits_once(program: &Program, function: &Function, block: BlockId, depth: usize) -> bool {
    let ran = if depth > 0 { runs(program, function, block) } else { Vec::new() };
    ran.iter().map(|it| program.function(it.body)).filter(|it| is_handed_guard(it)).any(|inner| {
        let paths = Paths::of(inner);
        inner.calls().any(|(at, ..)| {
            let waits = is_wait(inner, at, false) || waits_once(program, inner, at, depth - 1);
            waits && !paths.repeats(at)
        })
    })
}

/// Whether somebody else locked: a body is given a guard, or a closure has captured one.
fn is_handed_guard(function: &Function) -> bool {
    let mut given = (1..=function.body.arguments as u32).map(|it| function.body.type_of(Local(it)));
    let variables = function.body.variables.iter().map(|(_, place)| place);
    let mut captured = variables.filter(|it| function.captured(&Slot::at(it)).is_some());
    given.any(is_guard) || function.kind == Kind::Closure && captured.any(|it| is_guard_place(function, it))
}

/// Whether a wait of limited time is taken for what it waits for unless the time is over: nothing is looked at behind it.
fn gives_up(function: &Function, paths: &Paths, block: BlockId) -> bool {
    if !is_wait(function, block, true) || paths.repeats(block) {
        return false;
    }
    let after = paths.after(block);
    let asks = |it: &BlockId| function.callee(*it).name() == "timed_out";
    after.iter().any(asks) && !after.iter().any(|it| uses_guard(function, *it))
}

/// Whether a call waits for a condition variable once, whatever is the condition, and whether it does so for a limited time.
fn is_wait(function: &Function, block: BlockId, is_limited: bool) -> bool {
    function.callee(block).row().is_some_and(|it| {
        it.operation.action == Action::WaitReleasing
            && it.operation.runs.is_none()
            && it.operation.is_limited == is_limited
    })
}

fn is_guard(ty: Ty) -> bool {
    mentions(ty, |it| it == Is::Guard(GuardOf::Thread))
}

fn is_guard_place(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(is_guard)
}

fn drops_guard(function: &Function, id: BlockId) -> bool {
    match function.body.block(id).map(|it| &it.terminator) {
        Some(Terminator::Drop { place, .. }) => is_guard_place(function, place),
        Some(Terminator::Call(call)) => {
            function.call(id).is_some_and(|(_, callee)| callee.is_drop())
                && call.places().any(|it| is_guard_place(function, it))
        }
        _ => false,
    }
}

fn uses_guard(function: &Function, id: BlockId) -> bool {
    function.call(id).is_some_and(|(call, callee)| {
        callee.dereferences() && call.places().any(|it| is_guard_place(function, it))
    })
}

fn without_loop(program: &Program, id: FunctionId, block: BlockId) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this wait is not in a loop over its condition: it misses an earlier notification, and may wake without one"
            .to_owned(),
        primary: (call_ref(program, id, block), "waits here, once".to_owned()),
        related: Vec::new(),
        advice: "wait in a loop that checks the condition first, as `wait_while` does".to_owned(),
    }
}
