//! A function that polls a future it was given, and waits for a lock while that future is left alone: its caller knows what the future
//! requests.

use super::super::Hit;
use super::{Polled, hit, polled, queued, waits_for};
use crate::body::provenance::awaited_at;
use crate::body::select::selects;
use crate::body::timeout::{is_kept, over, timeouts};
use crate::body::unpinned::Origin;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::locks::Mode;
use std::collections::BTreeSet;

/// A future that a body was given, and goes on without.
struct Left {
    number: u32,
    kept: BTreeSet<Slot>,
    /// Where it is polled for the last time.
    poll: BlockId,
    /// What makes that which polls it.
    made: BlockId,
    /// Where the body goes on.
    arm: BlockId,
}

/// Finds waits of such functions that the body calls.
pub(super) fn check(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    let access_paths = AccessPaths::of(program, function);
    let mut hits = Vec::new();
    for (block, call, _) in function.calls() {
        let Some(maker) = program.called(function, block) else { continue };
        let Some((machine, operands)) = program.machine_made_by(maker).filter(|(it, _)| *it != id) else {
            continue;
        };
        let given = access_paths.arguments(call);
        let inside = AccessPaths::of(program, program.function(maker));
        let captured: Vec<Option<AccessPath>> =
            operands.iter().map(|it| inside.operand(it)?.seen_from(&given, &[])).collect();
        for left in left(program, machine) {
            let argument = operands.get(left.number as usize).and_then(Operand::place).map(|it| it.local.0);
            let place = argument.and_then(|it| call.arguments.get((it as usize).checked_sub(1)?)?.place());
            let Some(queued) = place.and_then(|it| queued(program, function, &Slot::at(it))) else {
                continue;
            };
            let locks = inner(&queued.locks, &captured);
            let wait = waits_for(program, (machine, left.made), left.arm, &left.kept, &locks);
            hits.extend(wait.map(|it| hit(program, (id, queued.made), (machine, left.poll), it)));
        }
    }
    hits
}

/// Locks in the terms of a state machine that has captured this.
fn inner(locks: &[(AccessPath, Mode)], captured: &[Option<AccessPath>]) -> Vec<(AccessPath, Mode)> {
    let all = locks.iter().flat_map(|(lock, mode)| {
        let seen = (0..).zip(captured).filter_map(|(number, it)| lock.seen_inside(number, it.as_ref()?));
        seen.map(|it| (it, *mode))
    });
    all.collect()
}

/// The futures that a state machine was given and goes on without.
fn left(program: &Program, id: FunctionId) -> Vec<Left> {
    let function = program.function(id);
    let mut found = Vec::new();
    let mut add = |slot: &Slot, poll, made, arm| {
        if let Some(Polled { kept, origin: Origin::Captured(number), .. }) = polled(function, slot) {
            found.push(Left { number, kept, poll, made, arm });
        }
    };
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate().filter(|(_, it)| it.is_kept()) {
            let others = select.branches.iter().enumerate().filter(|(at, _)| *at != number);
            for arm in others.filter_map(|(_, it)| it.arm) {
                add(&branch.slot, select.poll, select.made, arm);
            }
        }
    }
    for (made, future) in timeouts(function).filter(|(_, it)| is_kept(function, it)) {
        let poll = awaited_at(function, made).unwrap_or(made);
        for arm in over(function, made) {
            add(&Slot::at(future), poll, made, arm);
        }
    }
    found
}
