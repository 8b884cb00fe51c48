//! A `timeout` in a function that reports success when the time is over, or nothing at all; or a `select!` in one that returns what
//! another branch returned. A loop of its caller calls it again on the same stream.

use super::loss::{Loss, is_renewed, remains, seen_from};
use crate::body::paths::Paths;
use crate::body::polling::makes;
use crate::body::timeout::{is_ignored, over};
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Made, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::access::AccessPaths;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// Whether what a future under a `timeout` leaves half done is used again by a caller that cannot know.
pub(super) fn is_used_again(program: &Program, id: FunctionId, made: BlockId, loss: &Loss) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    let fine = |it: BlockId| says_that_all_is_well(function, paths, it);
    let ignored = is_ignored(function, made) && gives_nothing(function);
    (ignored || over(function, made).into_iter().any(fine))
        && is_called_in_a_loop(program, id, loss, &|_, _| true)
}

/// Whether a caller's loop calls the function again after another branch of a `select!` was the first: where that goes on there.
pub(super) fn is_called_again(
    program: &Program,
    id: FunctionId,
    others: &[BlockId],
    own: Option<BlockId>,
    loss: &Loss,
) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    let of_own = own.map(|it| paths.from(&[it], &|_| false)).unwrap_or_default();
    let Some(output) = function.body.type_of(Local(0)).argument(0) else { return false };
    let variants = given(function, output, &(&paths.from(others, &|_| false) - &of_own));
    is_called_in_a_loop(program, id, loss, &|caller, block| {
        output.is_unit() || goes_on_with(caller, block, &variants)
    })
}

/// Whether a loop calls the function on what is still there when its future is dropped half way, and goes on with it.
fn is_called_in_a_loop(
    program: &Program,
    id: FunctionId,
    loss: &Loss,
    goes_on: &dyn Fn(&Function, BlockId) -> bool,
) -> bool {
    remains(program.function(id), loss)
        && program.functions().any(|(_, caller)| {
            let paths = Paths::of(caller);
            caller.calls().any(|(block, call, _)| {
                let calls =
                    program.called(caller, block).and_then(|it| program.machine_made_by(it)).map(|it| it.0);
                if calls != Some(id) || !paths.repeats(block) || !goes_on(caller, block) {
                    return false;
                }
                let seen = AccessPaths::of(program, caller)
                    .captured_in(&Slot::at(&call.into))
                    .and_then(|(_, captured)| seen_from(loss, &captured));
                seen.is_some_and(|it| !is_renewed(program, caller, &paths.loop_around(block), &it))
            })
        })
}

/// The variants of a type that a state machine makes in these blocks.
fn given(function: &Function, output: Ty, blocks: &BTreeSet<BlockId>) -> BTreeSet<String> {
    let statements = blocks.iter().filter_map(|it| function.body.block(*it)).flat_map(|it| &it.statements);
    let made = statements.filter_map(|it| match it {
        Statement::Assign(into, Rvalue::Made(Made::Value(by), _)) => {
            (function.type_of(into) == Some(output)).then(|| by.name().to_owned())
        }
        _ => None,
    });
    made.collect()
}

/// Whether a loop comes back to a call where that gave one of these variants.
fn goes_on_with(caller: &Function, called: BlockId, variants: &BTreeSet<String>) -> bool {
    let paths = Paths::of(caller);
    let around = paths.loop_around(called);
    let names_it = |place: &Place| {
        let named = |it: &Projection| matches!(it, Projection::Variant(name) if variants.contains(name));
        place.projections.iter().any(named)
    };
    around.iter().filter_map(|it| caller.body.block(*it)).any(|it| {
        let mut values = it.assignments().map(|(_, value)| value);
        let stated = values.any(|it| !matches!(it, Rvalue::Discriminant(_)) && it.places().any(names_it));
        stated
            || matches!(&it.terminator, Terminator::Call(call)
                if call.places().any(names_it))
    })
}

/// Whether a body says nothing to its caller of how it went.
fn gives_nothing(function: &Function) -> bool {
    function.body.type_of(Local(0)).argument(0).is_some_and(Ty::is_unit)
}

/// Whether a body returns an `Ok` from there on, and no error, or nothing at all, and does nothing to what it was given.
fn says_that_all_is_well(function: &Function, paths: &Paths, from: BlockId) -> bool {
    let beyond = paths.from(&[from], &|_| false);
    let makes = |variant: &str| {
        let blocks = beyond.iter().filter_map(|it| function.body.block(*it));
        blocks.flat_map(|it| &it.statements).any(|it| makes(it, "Result", variant))
    };
    let calls = beyond
        .iter()
        .any(|it| function.call(*it).is_some_and(|(_, it)| !it.is_named_drop() && !it.hands_on()));
    (makes("Ok") && !makes("Err") || gives_nothing(function)) && !calls
}
