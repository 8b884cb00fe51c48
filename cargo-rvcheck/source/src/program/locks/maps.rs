//! Maps that lock a part of themselves for each key: an entry that is handed out keeps the lock of its part.

use super::{Acquired, BodyDependency, Locks, Mode, Request, acquired, lock_at, place_of};
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::access::AccessPaths;
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

/// The call that gave the iterator of a map which a call of `next` asks.
pub(crate) fn iterated(function: &Function, next: BlockId) -> Option<BlockId> {
    let mut at = next;
    if !function.call(at)?.1.is_trait("Iterator", "next") {
        return None;
    }
    for _ in 0..8 {
        let asked = function.call(at)?.0.arguments.first().and_then(Operand::place)?;
        at = source(function, &Slot::at(asked))?;
        if part_of(function.callee(at)).is_some() {
            return Some(at);
        }
        if !function.call(at)?.1.is_trait("IntoIterator", "into_iter") {
            return None;
        }
    }
    None
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
