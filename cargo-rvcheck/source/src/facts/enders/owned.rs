//! Which bodies belong to something that can be gone while the program goes on.

use crate::body::{Function, FunctionId, Kind};
use crate::program::Program;
use std::collections::BTreeSet;

/// How deep callers are followed.
const DEEPEST: usize = 4;

/// Whether a body belongs to a value or task that can be gone while the program goes on: itself, or one of those that call it. `filling`
/// are the bodies that fill statics, which stay.
pub(crate) fn has_owner(program: &Program, filling: &BTreeSet<FunctionId>, id: FunctionId) -> bool {
    within(program, filling, id, DEEPEST)
}

fn within(program: &Program, filling: &BTreeSet<FunctionId>, id: FunctionId, depth: usize) -> bool {
    let function = program.function(id);
    if program.item(id) == "main" || filling.contains(&id) || depth == 0 {
        return false;
    }
    if program.is_method(id) || function.kind != Kind::Function {
        return true;
    }
    let calls = |caller: &Function| caller.calls().any(|(at, ..)| program.called(caller, at) == Some(id));
    program
        .functions()
        .any(|(caller, it)| caller != id && calls(it) && within(program, filling, caller, depth - 1))
}
