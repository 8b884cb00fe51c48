//! The places of calls and awaits in the source.

use super::Mark;
use crate::flow::{FunctionId, Program};
use crate::mir::BlockId;

/// The place of the call at the end of a block; the enclosing function where it is not known.
pub(super) fn call_mark(program: &Program, id: FunctionId, block: BlockId) -> Mark {
    match (program.function(id).site(block), program.call_at(id, block)) {
        (Some(site), _) => Mark::Site(site),
        (None, Some((file, line, column))) => Mark::Position { file: file.to_owned(), line, column },
        (None, None) => Mark::Item(program.item(id)),
    }
}

/// The place of the await that calls `poll` at the end of a block, or of the macro that awaits, or of the call at the end of the block;
/// the enclosing function where none of them is known.
pub(super) fn await_mark(program: &Program, id: FunctionId, block: BlockId) -> Mark {
    let suspensions = &program.function(id).suspensions;
    let Some(at) = suspensions.iter().position(|it| it.poll == Some(block)) else {
        return call_mark(program, id, block);
    };
    match (suspensions[at].mark, program.macro_at(id, at)) {
        (Some(mark), _) => Mark::Site(mark),
        (None, Some((file, line, column))) => Mark::Position { file: file.to_owned(), line, column },
        (None, None) => call_mark(program, id, block),
    }
}
