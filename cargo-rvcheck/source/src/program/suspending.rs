//! Which awaits can suspend a task.

use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use std::ops::ControlFlow::{Break, Continue};

/// Whether a state machine may come back pending: it awaits something that is not known never to.
pub(crate) fn may_suspend(program: &Program, id: FunctionId) -> bool {
    let is_unknown =
        |it: &FunctionId| program.awaited_by(*it).count() < program.function(*it).suspensions.len();
    walk::reaches([id], |it| program.awaited_by(it), is_unknown)
}

impl Program {
    /// The state machines that a body awaits, by each of its suspensions of which it is known.
    pub(crate) fn awaited_by(&self, id: FunctionId) -> impl Iterator<Item = FunctionId> {
        let function = self.function(id);
        let awaited = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
        awaited.filter_map(|it| self.machine_in(function, it))
    }
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
