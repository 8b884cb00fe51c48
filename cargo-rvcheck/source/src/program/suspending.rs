//! Which awaits can suspend a task.

use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use std::ops::ControlFlow::{Break, Continue};

/// How deep awaits are followed.
const DEEPEST: usize = 8;

/// Whether a state machine may come back pending: it awaits something that is not known never to.
pub(crate) fn may_suspend(program: &Program, id: FunctionId) -> bool {
    within(program, id, DEEPEST)
}

fn within(program: &Program, id: FunctionId, depth: usize) -> bool {
    let function = program.function(id);
    function.suspensions.iter().any(|it| {
        let inner = it.awaited.as_ref().and_then(|it| program.machine_in(function, it));
        depth == 0 || inner.is_none_or(|it| within(program, it, depth - 1))
    })
}

/// Whether the body may be suspended by what the block polls at its end.
pub(crate) fn suspends_at(program: &Program, function: &Function, block: BlockId) -> bool {
    function.suspensions.iter().filter(|it| it.poll == Some(block)).any(|it| {
        let inner = it.awaited.as_ref().and_then(|it| program.machine_in(function, it));
        inner.is_none_or(|it| may_suspend(program, it))
    })
}

/// The first block for which the function says yes after a suspension, and what is awaited before it.
pub(crate) fn after_suspension(
    program: &Program,
    function: &Function,
    from: BlockId,
    is_it: &dyn Fn(BlockId) -> bool,
) -> Option<(BlockId, BlockId)> {
    let paths = Paths::of(function);
    let next = |at: BlockId, between: Option<BlockId>| {
        paths.next(at).iter().filter(|it| **it != from).map(move |it| (*it, between))
    };
    let key = |it: &(BlockId, Option<BlockId>)| (it.0, it.1.is_some());
    walk::search_by(next(from, None), key, |(block, mut between)| {
        if is_it(block) {
            return between.map_or_else(|| Continue(Vec::new()), |between| Break((block, between)));
        }
        if between.is_none() && suspends_at(program, function, block) {
            between = Some(block);
        }
        Continue(next(block, between).collect())
    })
}
