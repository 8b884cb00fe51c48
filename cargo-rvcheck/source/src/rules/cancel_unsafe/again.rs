//! A `timeout` in a function that answers as if nothing was wrong when the time is over, and that a loop of its caller calls again on
//! the same stream.

use super::loss::{Loss, is_renewed, remains, seen_from};
use crate::body::paths::Paths;
use crate::body::polling::makes;
use crate::body::timeout::over;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::AccessPaths;

/// Whether what a future under a `timeout` leaves half done is used again by a caller that cannot know.
pub(super) fn is_used_again(program: &Program, id: FunctionId, made: BlockId, loss: &Loss) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    let fine = over(function, made).into_iter().any(|it| says_that_all_is_well(function, paths, it));
    fine && remains(function, loss)
        && program.functions().any(|(_, caller)| {
            let paths = Paths::of(caller);
            caller.calls().any(|(block, call, _)| {
                let calls =
                    program.called(caller, block).and_then(|it| program.machine_made_by(it)).map(|it| it.0);
                if calls != Some(id) || !paths.repeats(block) {
                    return false;
                }
                let seen = AccessPaths::of(program, caller)
                    .captured_in(&Slot::at(&call.into))
                    .and_then(|(_, captured)| seen_from(loss, &captured));
                seen.is_some_and(|it| !is_renewed(program, caller, &paths.loop_around(block), &it))
            })
        })
}

/// Whether a body returns an `Ok` from there on, and no error, and does nothing to what it was given.
fn says_that_all_is_well(function: &Function, paths: &Paths, from: BlockId) -> bool {
    let beyond = paths.from(&[from], &|_| false);
    let makes = |variant: &str| {
        let blocks = beyond.iter().filter_map(|it| function.body.block(*it));
        blocks.flat_map(|it| &it.statements).any(|it| makes(it, "Result", variant))
    };
    let calls = beyond
        .iter()
        .any(|it| function.call(*it).is_some_and(|(_, it)| it.name() != "drop" && !it.hands_on()));
    makes("Ok") && !makes("Err") && !calls
}
