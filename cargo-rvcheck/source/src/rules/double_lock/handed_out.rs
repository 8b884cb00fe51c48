//! A hand-written future returns the guard of a lock that its own `Drop` requests: its awaiter drops it while the guard exists.
//!
//! Not reported if `poll` has set what the `Drop` checks before it requests the lock.

use super::super::{Certainty, CodeRef, Hit};
use super::kept::fields;
use crate::body::paths::Paths;
use crate::body::polling::made;
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Rvalue, Statement};
use crate::program::abstract_object::{AbstractObject, field};
use crate::program::access::AccessPath;
use crate::program::code_ref::call_or_await;
use crate::program::locks::{Mode, guarded, returned};
use crate::program::{GuardId, Origin, Program};
use crate::ty::Ty;
use std::collections::BTreeSet;

/// A request of a lock, or a guard of it, in a body.
struct Use {
    lock: AccessPath,
    alone: bool,
    block: BlockId,
}

/// Finds such futures.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (poll, function) in program.functions() {
        let Some(ty) = program.type_of(poll).filter(|_| program.trait_of(poll) == Some("Future")) else {
            continue;
        };
        let given: Vec<Use> =
            returned(program, poll).into_iter().filter_map(|it| given(program, poll, it)).collect();
        let Some(dropped) = program.drop_of(Ty::read(ty)).filter(|_| !given.is_empty()) else { continue };
        for request in requests(program, dropped) {
            let same = |it: &&Use| {
                fields(&it.lock) == fields(&request.lock)
                    && !fields(&it.lock).is_empty()
                    && (it.alone || request.alone)
            };
            let Some(held) = given.iter().find(same) else { continue };
            let asked = asked_before(program, program.function(dropped), request.block);
            if !asked.is_disjoint(&set_behind(program, function, held.block)) {
                continue;
            }
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this `Drop` requests the lock whose guard the future returned: the caller drops \
                          the future while it holds the guard, and waits forever"
                    .to_owned(),
                primary: (place(program, dropped, request.block), "requested again here".to_owned()),
                related: vec![(
                    place(program, poll, held.block),
                    "the returned guard is of this lock".to_owned(),
                )],
                advice: "before returning the guard, set the flag that the `Drop` checks".to_owned(),
            });
        }
    }
    hits
}

fn place(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    match call_or_await(program, id, block) {
        CodeRef::Item(_) => CodeRef::of_body(program, id),
        known => known,
    }
}

/// What a guard that a body returns is of.
fn given(program: &Program, id: FunctionId, guard: GuardId) -> Option<Use> {
    let Origin::Call(block) = program.holding(id).guard(guard)?.origin else { return None };
    let it = guarded(program, id, guard)?;
    Some(Use { lock: it.lock?, alone: is_alone(it.mode), block })
}

/// What a body requests itself.
fn requests(program: &Program, id: FunctionId) -> Vec<Use> {
    let requests = program.locks().requests(id).iter();
    requests
        .map(|(block, it)| Use { lock: it.lock.clone(), alone: is_alone(it.mode), block: *block })
        .collect()
}

const fn is_alone(mode: Mode) -> bool {
    !matches!(mode, Mode::Read | Mode::ReadRecursive)
}

/// The fields that a body looks at on its way to a block.
fn asked_before(program: &Program, function: &Function, block: BlockId) -> BTreeSet<AbstractObject> {
    let before = Paths::of(function).to(&[block], &|_| false);
    let statements = before.iter().filter_map(|it| function.body.block(*it)).flat_map(|it| &it.statements);
    let values = statements.filter_map(|it| match it {
        Statement::Assign(_, value) => Some(value),
        _ => None,
    });
    values.flat_map(Rvalue::places).filter_map(|it| field(program, function, it)).collect()
}

/// The fields that are set behind a block on the way to where the future is ready.
fn set_behind(program: &Program, function: &Function, block: BlockId) -> BTreeSet<AbstractObject> {
    let paths = Paths::of(function);
    let ready: Vec<BlockId> = made(function, "Ready").collect();
    let before = paths.to(&ready, &|_| false);
    let behind: BTreeSet<BlockId> = paths.after(block).intersection(&before).copied().collect();
    let statements = behind.iter().filter_map(|it| function.body.block(*it)).flat_map(|it| &it.statements);
    let set = statements.filter_map(|it| match it {
        Statement::Assign(into, _) => field(program, function, into),
        _ => None,
    });
    set.collect()
}
