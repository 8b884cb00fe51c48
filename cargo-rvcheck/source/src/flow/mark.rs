//! The places of bodies, calls and awaits in the source.

use super::function::identity;
use super::program::{FunctionId, Program};
use super::provenance::awaited_at;
use super::select::Select;
use crate::marker::Number;
use crate::mir::BlockId;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// The site or await of that number.
    Site(Number),
    /// A position in the text that was compiled, as the compiler gives it: of a closure, an async block or an `impl`.
    Position {
        /// The file, as the compiler names it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// The function with that path in its file, such as `Ledger::transfer`.
    Item(String),
}

impl Mark {
    /// The place of a body: of a closure or async block where it begins, of a function its item.
    pub fn of_body(program: &Program, id: FunctionId) -> Mark {
        let at = program.function(id).ty.as_deref().and_then(identity);
        at.as_deref().and_then(position).unwrap_or_else(|| Mark::Item(program.item(id)))
    }
}

/// `FILE:LINE:COLUMN: LINE:COLUMN` as the place where it begins.
fn position(at: &str) -> Option<Mark> {
    let (begin, _) = at.rsplit_once(": ")?;
    let (rest, column) = begin.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Mark::Position { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
}

/// The place of the call at the end of a block; the enclosing function where it is not known.
pub(crate) fn call_mark(program: &Program, id: FunctionId, block: BlockId) -> Mark {
    match (program.function(id).site(block), program.call_at(id, block)) {
        (Some(site), _) => Mark::Site(site),
        (None, Some((file, line, column))) => Mark::Position { file: file.to_owned(), line, column },
        (None, None) => Mark::Item(program.item(id)),
    }
}

/// The place of the await that calls `poll` at the end of a block, or of the macro that awaits, or of the call at the end of the block;
/// the enclosing function where none of them is known.
pub(crate) fn await_mark(program: &Program, id: FunctionId, block: BlockId) -> Mark {
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

/// The place of a call, or of the await of what it gives; for the call at the end of a block that polls, of that await.
pub(crate) fn call_or_await(program: &Program, id: FunctionId, block: BlockId) -> Mark {
    let function = program.function(id);
    if function.call(block).is_some_and(|(_, callee)| callee.is_trait("Future", "poll")) {
        return await_mark(program, id, block);
    }
    let mark = call_mark(program, id, block);
    match awaited_at(function, block) {
        Some(poll) if matches!(mark, Mark::Item(_)) => await_mark(program, id, poll),
        _ => mark,
    }
}

/// The place of a branch of a `select!`: the call that gives its future, or where the future begins; the `select!` where that is not
/// known.
pub(crate) fn branch_mark(program: &Program, id: FunctionId, select: &Select, branch: usize) -> Mark {
    let function = program.function(id);
    let called = select.branches.get(branch).and_then(|it| it.call).and_then(|it| function.site(it));
    let suspension = function.suspensions.iter().position(|it| it.poll == Some(select.poll));
    let begins = suspension.and_then(|it| program.branch_at(id, it, branch, select.branches.len()));
    match (called, begins) {
        (Some(site), _) => Mark::Site(site),
        (None, Some((file, line, column))) => Mark::Position { file: file.to_owned(), line, column },
        (None, None) => await_mark(program, id, select.poll),
    }
}
