//! A permit, or a lock of nothing, that is held over blocking work: when the future is dropped it is released, and the work goes on.
//!
//! An abort or a timeout does not end what `spawn_blocking` runs. A lock of a value may only be for the value.

use super::super::{Certainty, CodeRef, Hit};
use super::timeout_place;
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::timeout::{is_kept, timeouts};
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::facts::partial_updates::droppable::{Dropper, droppable};
use crate::mir::BlockId;
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use crate::program::{Guard, GuardKind, Origin, Program};
use crate::ty::Ty;
use rvcheck_primitives::{Action, SpawnKind};
use std::collections::BTreeMap;

/// Finds such permits and locks.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let machines = program.functions().filter(|(_, it)| it.kind == Kind::Coroutine);
    let held: Vec<Over> = machines.flat_map(|(id, function)| held_over(program, id, function)).collect();
    let droppers = if held.is_empty() { BTreeMap::new() } else { droppable(program) };
    held.iter().filter_map(|it| hit(program, it, droppers.get(&it.body))).collect()
}

/// Something that is held while blocking work is awaited.
struct Over {
    body: FunctionId,
    /// The call that gave it.
    acquired: BlockId,
    is_permit: bool,
    spawned: BlockId,
    poll: BlockId,
    /// The call of a `timeout` around the handle.
    limited: Option<BlockId>,
}

fn held_over(program: &Program, body: FunctionId, function: &Function) -> Vec<Over> {
    let spawns = |it: Callee| it.may(|it| it.action == Action::Spawn(SpawnKind::Blocking));
    let paths = Paths::of(function);
    let mut found = Vec::new();
    let calls = function
        .calls()
        .filter(|(block, _, callee)| spawns(*callee) && program.called(function, *block).is_none());
    for spawned in calls.map(|it| it.0) {
        let limited = timeouts(function).find(|(_, it)| source(function, &Slot::at(it)) == Some(spawned));
        if limited.is_some_and(|(_, future)| is_kept(function, future)) {
            continue;
        }
        let limited = limited.map(|it| it.0);
        let awaits = function.suspensions.iter().filter_map(|it| Some((it.poll?, it.awaited.as_ref()?)));
        let mut awaits = awaits.filter(|it| source(function, it.1) == Some(limited.unwrap_or(spawned)));
        let Some((poll, _)) = awaits.next() else { continue };
        let holding = program.holding(body);
        let Some(held) = holding.at(poll) else { continue };
        let guards = held.guards().into_iter().filter(|it| it.1).filter_map(|it| holding.guard(it.0));
        found.extend(guards.filter_map(|guard| {
            let Origin::Call(acquired) = guard.origin else { return None };
            let is_permit = guard.kinds.contains(GuardKind::Permit);
            let counts = is_permit || is_of_nothing(guard);
            let over = Over { body, acquired, is_permit, spawned, poll, limited };
            (counts && paths.leads(acquired, spawned)).then_some(over)
        }));
    }
    found
}

/// Whether a guard is of a lock without a value.
fn is_of_nothing(guard: &Guard) -> bool {
    guard.kinds.contains(GuardKind::Task) && guard.ty.has(|it| it.argument(0).is_some_and(Ty::is_unit))
}

fn hit(program: &Program, it: &Over, dropper: Option<&Dropper>) -> Option<Hit> {
    let function = program.function(it.body);
    let (dropped, within): (CodeRef, &str) = match (it.limited, dropper) {
        (Some(limited), _) => (timeout_place(program, it.body, function, limited), "`timeout`"),
        (None, Some(Dropper::Here(at, within))) => (at.clone(), within),
        (None, _) => return None,
    };
    let (what, rest) = if it.is_permit {
        ("the permit", "more of it runs than there are permits")
    } else {
        ("the lock", "the next holder runs at the same time")
    };
    let mut related = vec![
        (call_or_await(program, it.body, it.acquired), format!("{what} is acquired here")),
        (await_ref(program, it.body, it.poll), "and held here, where the future can be dropped".to_owned()),
    ];
    if !related.iter().any(|(at, _)| *at == dropped) {
        related.push((dropped, format!("dropped by this {within}")));
    }
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "when this {within} drops the future, {what} is released while the blocking work goes on: {rest}"
        ),
        primary: (call_ref(program, it.body, it.spawned), "the blocking work runs to its end".to_owned()),
        related,
        advice: format!("move {what} into the closure"),
    })
}
