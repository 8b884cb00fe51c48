//! Maps that lock a part of themselves for each key: an entry that is handed out keeps the lock of its part.

use super::{Acquired, BodyDependency, Locks, Mode, Request, acquired, lock_at, place_of};
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::runs::iterator_asked;
use rvcheck_primitives::{self as primitives, Action, Is};

/// How a function locks a part of the map that it is called on; `None` where it is no such function, or does not wait.
pub(crate) fn part_of(callee: Callee) -> Option<Mode> {
    let row = callee.row().filter(|it| it.owner.is == Is::Map && it.operation.may_wait())?;
    match row.operation.action {
        Action::Request(primitives::Mode::Exclusive) => Some(Mode::Write),
        Action::Request(_) => Some(Mode::ReadRecursive),
        _ => None,
    }
}

/// An iterator of a map, by the call that gave it to a body.
pub(crate) struct Iterated {
    /// The call: of the map's own `iter`, or of a function of the workspace that returns such an iterator.
    pub(crate) from: BlockId,
    /// How it locks the part that it has come to.
    pub(crate) mode: Mode,
    /// The map, in the terms of the body.
    pub(crate) map: AccessPath,
}

/// The map that a call asks for entries by an iterator, itself or through adapters.
pub(crate) fn asked(program: &Program, function: &Function, block: BlockId) -> Option<Iterated> {
    let (call, callee) = function.call(block)?;
    let over = call.place(iterator_asked(callee)?)?;
    iterated(program, function, &Slot::at(over))
}

/// The map whose entries an iterator gives.
pub(crate) fn iterated(program: &Program, function: &Function, iterator: &Slot) -> Option<Iterated> {
    iterated_within(program, function, iterator, 8)
}

fn iterated_within(program: &Program, function: &Function, iterator: &Slot, depth: u32) -> Option<Iterated> {
    let depth = depth.checked_sub(1)?;
    let from = source(function, iterator)?;
    if let Some(mode) = part_of(function.callee(from)) {
        return Some(Iterated { from, mode, map: lock_at(program, function, from)? });
    }
    let (call, callee) = function.call(from)?;
    if callee.is_into_iter() {
        return iterated_within(program, function, &Slot::at(call.place(0)?), depth);
    }
    let inner = program.function(program.called(function, from)?);
    let Iterated { mode, map, .. } = iterated_within(program, inner, &Slot::of(Local(0)), depth)?;
    let access_paths = AccessPaths::of(program, function);
    let map = access_paths.seen(&map, &access_paths.arguments(call), &[])?;
    map.is_one().then_some(Iterated { from, mode, map })
}

/// The locks that closures of a body request while a map runs them, or what has an entry of it: it keeps its part meanwhile.
pub(super) fn dependencies(locks: &Locks, program: &Program, id: FunctionId) -> Vec<BodyDependency> {
    let function = program.function(id);
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, _) in function.calls() {
        let Some(held) = held_inside(program, (id, function), block) else { continue };
        let closures = call.arguments.iter().filter_map(|it| access_paths.closure_in(it));
        for (closure, captured) in closures {
            for (at, request) in locks.requests(closure) {
                let Some(lock) = access_paths.seen(&request.lock, &[], &captured) else { continue };
                found.push(BodyDependency {
                    block,
                    held: held.clone(),
                    certain: true,
                    one_of_several: request.one_of_several,
                    request: Request { lock, is_inner: true, always: false, ..request.clone() },
                    besides: Vec::new(),
                    held_through: None,
                    requested_through: request.is_inner.then_some((closure, *at)),
                });
            }
        }
    }
    found
}

/// The part of a map that is locked while what a call is given runs.
fn held_inside(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
) -> Option<Acquired> {
    let callee = function.callee(block);
    let row = callee.row().filter(|it| it.operation.runs.is_some())?;
    if let Some(mode) = part_of(callee) {
        let place = place_of(program, (id, function), block, true);
        return Some(Acquired { lock: lock_at(program, function, block)?, mode, place, is_part: true });
    }
    // An entry is moved into what runs, and there until that comes back.
    let (call, _) = function.call(block).filter(|_| matches!(row.owner.is, Is::Guard(_)))?;
    let entry = Slot::at(call.place(0)?);
    let held = program.holding(id).at(block)?.moved_with(&entry);
    held.into_iter().filter_map(|it| acquired(program, id, it)).find(|it| it.is_part)
}
