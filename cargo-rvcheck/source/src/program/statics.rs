//! What fills statics: bodies that run once in a process, when somebody uses a static for the first time.

use crate::body::{FunctionId, Kind};
use crate::mir::{BlockId, Call, Local};
use crate::program::Program;
use crate::program::access::{AccessPaths, Root};
use rvcheck_primitives::{Action, Is, Row};
use std::collections::BTreeSet;

/// The calls that fill statics, or make what fills them: of `LazyLock::new` in a static, of `get_or_init` on one.
pub(crate) fn fillings(program: &Program) -> impl Iterator<Item = (FunctionId, BlockId, &Call)> {
    program.functions().flat_map(move |(id, function)| {
        let access_paths = AccessPaths::of(program, function);
        let fills = function.calls().filter(move |(_, call, callee)| {
            let Some(Row { owner, operation }) = callee.row() else { return false };
            let is_once = matches!(owner.is, Is::Once(_));
            // What is made with a function calls it when it is first used.
            let lazy = function.kind == Kind::Constant
                && is_once
                && matches!(operation.action, Action::Make(_))
                && operation.runs.is_some();
            let once = is_once
                && operation.action == Action::Initialise
                && call
                    .arguments
                    .first()
                    .and_then(|it| access_paths.operand(it))
                    .is_some_and(|it| matches!(it.root, Root::Static(_)));
            lazy || once
        });
        fills.map(move |(block, call, _)| (id, block, call))
    })
}

/// The bodies that fill statics: closures that are given to a static or to what makes it, the state machines that those return, and what
/// `lazy_static!` makes of an initialiser.
pub(crate) fn initialisers(program: &Program) -> BTreeSet<FunctionId> {
    let statics = program.functions().filter(|(_, it)| it.body.name.ends_with("::__static_ref_initialize"));
    let mut found: BTreeSet<FunctionId> = statics.map(|(id, _)| id).collect();
    for (id, _, call) in fillings(program) {
        let function = program.function(id);
        found.extend(call.arguments.iter().filter_map(|it| program.closure_of(function, it)));
    }
    let returned =
        found.iter().filter_map(|it| program.body_of(program.function(*it).body.type_of(Local(0))));
    let returned: Vec<FunctionId> = returned.collect();
    found.extend(returned);
    found
}
