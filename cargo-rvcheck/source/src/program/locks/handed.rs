//! Guards that are handed to a function, which requests locks while it has them.

use super::{Acquired, BodyDependency, Locks, Request, acquired, kept};
use crate::body::{FunctionId, Kind, Slot};
use crate::mir::Local;
use crate::program::Program;
use crate::program::access::AccessPaths;
use crate::program::held::Origin;

/// The locks that functions request while they have guards that a body hands to them.
pub(super) fn dependencies_in_handed(
    locks: &Locks,
    program: &Program,
    id: FunctionId,
) -> Vec<BodyDependency> {
    let function = program.function(id);
    let holding = program.holding(id);
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, _) in function.calls() {
        let Some(called) = program.called(function, block) else { continue };
        let Some(held) = holding.at(block).filter(|_| program.function(called).kind == Kind::Function) else {
            continue;
        };
        for (number, given) in (1..).zip(&call.arguments) {
            let Some(slot) = given.place().map(Slot::at) else { continue };
            let handed: Vec<Acquired> =
                held.within(&slot).iter().filter_map(|it| acquired(program, id, *it)).collect();
            let [first] = handed.as_slice() else { continue };
            for (at, request) in locks.requests(called) {
                if !has(program, called, number, *at) {
                    continue;
                }
                let Some(lock) = access_paths.seen(&request.lock, &access_paths.arguments(call), &[]) else {
                    continue;
                };
                found.push(BodyDependency {
                    block,
                    held: first.clone(),
                    certain: true,
                    one_of_several: request.one_of_several,
                    request: Request { lock, is_inner: true, ..request.clone() },
                    besides: Vec::new(),
                    held_through: None,
                    requested_through: Some((id, block)),
                });
            }
        }
    }
    found
}

/// Whether a function has what it was given as the argument of that number, for sure, while what is at the end of a block runs.
fn has(program: &Program, id: FunctionId, number: u32, at: crate::mir::BlockId) -> bool {
    let holding = program.holding(id);
    let origin = Origin::Given(Slot::of(Local(number)));
    kept(program, id, at).into_iter().any(|it| holding.guard(it).is_some_and(|it| it.origin == origin))
}
