//! Thread-locals: where bodies set and read them.

use crate::body::provenance::is_given;
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::runs::runs;
use crate::ty::Ty;
use rvcheck_primitives::{Holds, Is, holds};
use std::collections::BTreeMap;

/// What is done to a thread-local.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Access {
    /// It gets another value as a whole; `true` if that comes from what the body was given or has captured.
    Set(bool),
    /// Its value is used.
    Read,
}

/// A place where something is done to a thread-local.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Use {
    /// The name of its constant.
    pub(crate) key: String,
    /// What.
    pub(crate) access: Access,
    /// The body in which it is done.
    pub(crate) function: FunctionId,
    /// The block that ends in the call that does it.
    pub(crate) block: BlockId,
}

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// What the call at the end of a block does to thread-locals of cells, itself or through what it runs before it comes back. A body that
/// sets and reads one sets it.
pub(crate) fn uses(program: &Program, id: FunctionId, block: BlockId) -> Vec<Use> {
    uses_within(program, id, block, DEEPEST)
}

fn uses_within(program: &Program, id: FunctionId, block: BlockId, depth: usize) -> Vec<Use> {
    let function = program.function(id);
    let Some((call, callee)) = function.call(block) else { return Vec::new() };
    if callee.is_of(|it| it == Is::PerThread) {
        return direct(program, id, block).into_iter().collect();
    }
    if callee.is_poll() || depth == 0 {
        return Vec::new();
    }
    let mut found: BTreeMap<String, Use> = BTreeMap::new();
    for run in runs(program, function, block) {
        let inner = program.function(run.body);
        for mut it in inner.calls().flat_map(|(at, ..)| uses_within(program, run.body, at, depth - 1)) {
            if let Access::Set(given) = &mut it.access {
                *given &= call.arguments.iter().any(|it| is_given(function, it));
            }
            let known = found.entry(it.key.clone()).or_insert_with(|| it.clone());
            if it.access < known.access {
                *known = it;
            }
        }
    }
    found.into_values().collect()
}

/// What a call of a method of a thread-local does to it.
fn direct(program: &Program, id: FunctionId, block: BlockId) -> Option<Use> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let on = call.arguments.first()?;
    let ty = function.type_of(on.place()?)?.referent()?;
    let cell = ty.argument(0)?;
    // Those of tokio belong to tasks.
    if program.sort(ty) != Some(Is::PerThread) || cell.holds() != Some(Holds::Cell) {
        return None;
    }
    let key = program.promoted(function, on)?.to_owned();
    let given = || call.arguments.get(1).is_some_and(|it| is_given(function, it));
    let access = match callee.name() {
        "set" | "replace" => Access::Set(given()),
        "with" | "try_with" | "with_borrow_mut" => {
            let closure = call.arguments.get(1).and_then(|it| program.closure_of(function, it))?;
            let sets = sets(program.function(closure), cell.argument(0)?);
            sets.map_or(Access::Read, |by_given| Access::Set(by_given && given()))
        }
        "get" | "take" | "with_borrow" => Access::Read,
        _ => return None,
    };
    Some(Use { key, access, function: id, block })
}

/// Whether a closure that is given a cell, or what is in it, puts another value of that type into it; `true` if that is one that it has
/// captured.
fn sets(closure: &Function, ty: Ty) -> Option<bool> {
    let called = closure.calls().filter_map(|(_, call, callee)| {
        let sets = holds(callee.owner()) == Some(Holds::Cell) && matches!(callee.name(), "set" | "replace");
        sets.then(|| call.arguments.get(1).is_some_and(|it| is_given(closure, it)))
    });
    let assigned =
        closure.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements).filter_map(|it| {
            let Statement::Assign(into, value) = it else { return None };
            let whole = into.projections.as_slice() == [Projection::Deref]
                && closure.type_of(into).is_some_and(|it| it.head() == ty.head() || it.name() == ty.name());
            whole.then(|| matches!(value, Rvalue::Use(it) | Rvalue::Cast(it, _) if is_given(closure, it)))
        });
    called.chain(assigned).reduce(|one, other| one || other)
}
