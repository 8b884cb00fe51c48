//! What is kept where no body has it as a value: by statics, thread-locals, and code of others that was given it.

use super::Class;
use super::reach::{Reach, Reached};
use crate::body::text::{arguments, is_of_std, last, referent};
use crate::body::{Function, Kind};
use crate::mir::{BlockId, Local, Operand};
use crate::program::Program;
use crate::program::library::sort;
use crate::program::runs::may_run;
use rvcheck_primitives::code::functions::keeps_unseen;
use rvcheck_primitives::{Is, adapters_named, libraries, named};
use std::collections::BTreeSet;

/// The classes of what anybody could reach at any time, or what code of others does with; `None` where that may be anything.
pub fn hidden(program: &Program) -> Option<BTreeSet<Class>> {
    let mut found = BTreeSet::new();
    for (_, function) in program.functions() {
        let ty = function.body.type_of(Local(0));
        // The harness of tests has a list of them.
        if function.kind == Kind::Constant && !ty.contains("TestDescAndFn") {
            // A cell that is itself in a static is known as such.
            let is_once = sort(&program.head(ty)).is_some_and(|it| matches!(it, Is::Once(_)));
            let parts = if is_once { arguments(ty) } else { vec![ty] };
            let Reached { classes, is_open, is_foreign } = Reach::all_of(program, parts);
            if is_open || is_foreign {
                return None;
            }
            found.extend(classes);
        }
        for (_, call, _) in function.calls().filter(|it| keeps(program, function, it.0)) {
            for it in call.arguments.iter().filter_map(Operand::place) {
                let Some(ty) = function.type_of(it) else { continue };
                // What others have made of something, they were given before. Of what is lent they keep what they can clone, which is no
                // trait object.
                let reached = Reach::all_of(program, [ty]);
                if reached.is_open && referent(ty).is_none() {
                    return None;
                }
                found.extend(reached.classes);
            }
        }
    }
    Some(found)
}

/// Whether the call at the end of a block goes to code of others of which it is not known that it keeps nothing.
fn keeps(program: &Program, function: &Function, block: BlockId) -> bool {
    let path = program.callee_path(function, block);
    if keeps_unseen(path) {
        return true;
    }
    if program.called(function, block).is_some() || !may_run(program, function, block).is_empty() {
        return false;
    }
    let Some((root, _)) = path.split_once("::") else {
        return named(last(path)).is_empty()
            && adapters_named(last(path)).is_empty()
            && !program.has_item(path);
    };
    let is_known = libraries().iter().any(|it| it.name == root)
        || matches!(root, "futures" | "rvcheck_runtime" | "rvcheck_injected");
    // A path that begins with a type or trait is one of std, or of this crate.
    !is_of_std(path) && !is_known && root.starts_with(char::is_lowercase) && program.is_of_another_crate(path)
}
