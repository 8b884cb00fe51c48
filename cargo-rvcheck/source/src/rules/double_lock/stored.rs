//! Whether what a closure has captured belongs to whom the closure is handed: both are reached from one value where the closure is made.

use crate::body::provenance::source;
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Local, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Root};
use crate::program::callers::made;
use crate::program::locks::is_lock_call;
use std::collections::BTreeSet;

/// How many bodies outside of each other are looked at.
const DEEPEST: usize = 5;

/// Whether a closure or state machine is put into what leads to the object that it has captured. Where it is given back to others, they are
/// asked.
pub(super) fn is_put_beside(program: &Program, id: FunctionId, captured: &AccessPath) -> bool {
    let (mut id, mut path) = (id, captured.clone());
    for _ in 0..DEEPEST {
        if !matches!(path.root, Root::Captured(_)) {
            return false;
        }
        let Some((maker, into, values)) = made(program, id) else { return false };
        let access_paths = AccessPaths::of(program, program.function(maker));
        let captured: Vec<Option<AccessPath>> = values.iter().map(|it| access_paths.operand(it)).collect();
        let Some(seen) = access_paths.seen(&path, &[], &captured) else { return false };
        path = seen;
        if is_given(program, maker, into.local, &path, DEEPEST) {
            return true;
        }
        id = maker;
    }
    false
}

/// Whether a value goes to what begins where the path does: to a method of that, or it is put behind it.
fn is_given(program: &Program, id: FunctionId, value: Local, path: &AccessPath, depth: usize) -> bool {
    let function = program.function(id);
    let values = followed(function, value);
    let is_value = |it: &Operand| it.place().is_some_and(|it| values.contains(&it.local));
    for (_, call, _) in function.calls().filter(|(_, call, _)| call.arguments.iter().any(is_value)) {
        // What keeps it comes first; what comes later is told to that.
        let keeper = call.arguments.iter().find(|it| !is_value(it));
        if keeper.and_then(|it| begins(program, function, it)).as_ref() == Some(&path.root) {
            return true;
        }
    }
    // It is assigned to a part of something.
    let assigned = function.blocks().flat_map(|(_, it)| &it.statements).any(|it| match it {
        Statement::Assign(into, Rvalue::Use(from)) if is_value(from) && !into.projections.is_empty() => {
            begins(program, function, &Operand::Place(into.clone())).as_ref() == Some(&path.root)
        }
        _ => false,
    });
    assigned || depth > 0 && values.contains(&Local(0)) && is_given_by_callers(program, id, path, depth - 1)
}

/// Whether those who call a function put what it gives beside what they give it.
fn is_given_by_callers(program: &Program, id: FunctionId, path: &AccessPath, depth: usize) -> bool {
    program.functions().any(|(caller, function)| {
        let access_paths = AccessPaths::of(program, function);
        function.calls().any(|(block, call, _)| {
            program.called(function, block) == Some(id)
                && path
                    .seen_from(&access_paths.arguments(call), &[])
                    .is_some_and(|it| is_given(program, caller, call.into.local, &it, depth))
        })
    })
}

/// The locals that a value goes through: it is moved, or put into something.
fn followed(function: &Function, value: Local) -> BTreeSet<Local> {
    let mut found = BTreeSet::from([value]);
    loop {
        let before = found.len();
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                let Statement::Assign(into, value) = statement else { continue };
                let has = |it: &Operand| it.place().is_some_and(|it| found.contains(&it.local));
                let is_put = match value {
                    Rvalue::Use(from) | Rvalue::Cast(from, _) => has(from),
                    Rvalue::Made(_, parts) => parts.iter().any(has),
                    _ => false,
                };
                if is_put && into.projections.is_empty() {
                    found.insert(into.local);
                }
            }
        }
        for (_, call, callee) in function.calls() {
            let puts = matches!(callee.name(), "new" | "from" | "into" | "pin" | "boxed" | "clone")
                || callee.hands_on();
            let first = call.arguments.first().and_then(Operand::place);
            if puts && first.is_some_and(|it| found.contains(&it.local)) {
                found.insert(call.into.local);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What the path to a value begins with; of a guard and what is behind it the path to the lock.
fn begins(program: &Program, function: &Function, value: &Operand) -> Option<Root> {
    let access_paths = AccessPaths::of(program, function);
    let mut value = value.clone();
    for _ in 0..8 {
        let path = access_paths.operand(&value)?;
        let Root::Made(slot) = &path.root else { return Some(path.root) };
        let asked = source(function, slot);
        let view = asked
            .filter(|block| is_lock_call(program.callee_path(function, *block)) || is_view(function, *block));
        let view = view.and_then(|it| function.call(it));
        match view.and_then(|(call, _)| call.arguments.first()) {
            Some(of) => value = of.clone(),
            None => return Some(path.root),
        }
    }
    None
}

/// Whether a call gives a reference to a part of what it is called on.
fn is_view(function: &Function, block: BlockId) -> bool {
    const NAMES: [&str; 11] = [
        "deref",
        "deref_mut",
        "unwrap",
        "expect",
        "unwrap_or_else",
        "as_mut",
        "as_ref",
        "get_mut",
        "entry",
        "or_default",
        "or_insert_with",
    ];
    function.call(block).is_some_and(|(_, callee)| NAMES.contains(&callee.name()))
}
