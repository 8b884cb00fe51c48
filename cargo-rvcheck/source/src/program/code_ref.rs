//! How a finding refers to bodies, calls and awaits.

use crate::body::FunctionId;
use crate::body::provenance::awaited_at;
use crate::body::select::Select;
use crate::marker::Number;
use crate::mir::BlockId;
use crate::program::Program;
use rvcheck_event::position::CompiledPosition;

/// A reference to code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CodeRef {
    /// The site or await of that number.
    Site(Number),
    /// A position in the text that was compiled, as the compiler gives it: of a closure, an async block or an `impl`.
    Position {
        /// The file, as the compiler names it.
        file: String,
        /// Where in it.
        position: CompiledPosition,
    },
    /// The function with that path in its file, such as `Ledger::transfer`.
    Item(String),
}

impl CodeRef {
    /// The reference to a body: of a closure or async block where it begins, of a function its item.
    pub fn of_body(program: &Program, id: FunctionId) -> CodeRef {
        let at = program.function(id).identity();
        at.as_deref().and_then(position).unwrap_or_else(|| CodeRef::Item(program.item(id)))
    }
}

/// Where `FILE:LINE:COLUMN: LINE:COLUMN` begins.
fn position(at: &str) -> Option<CodeRef> {
    let (begin, _) = at.rsplit_once(": ")?;
    let (rest, column) = begin.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let position = CompiledPosition::new(line.parse().ok()?, column.parse().ok()?);
    Some(CodeRef::Position { file: file.to_owned(), position })
}

/// The reference to the call at the end of a block; the enclosing function where it is not known.
pub(crate) fn call_ref(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    match (program.function(id).site(block), program.call_at(id, block)) {
        (Some(site), _) => CodeRef::Site(site),
        (None, Some((file, position))) => CodeRef::Position { file: file.to_owned(), position },
        (None, None) => CodeRef::Item(program.item(id)),
    }
}

/// The reference to the await that calls `poll` at the end of a block, or of the macro that awaits, or of the call at the end of the block;
/// the enclosing function where none of them is known.
pub(crate) fn await_ref(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    let suspensions = &program.function(id).suspensions;
    let Some(at) = suspensions.iter().position(|it| it.poll == Some(block)) else {
        return call_ref(program, id, block);
    };
    match (suspensions[at].mark, program.macro_at(id, at)) {
        (Some(mark), _) => CodeRef::Site(mark),
        (None, Some((file, position))) => CodeRef::Position { file: file.to_owned(), position },
        (None, None) => call_ref(program, id, block),
    }
}

/// The reference to a call, or of the await of what it gives; for the call at the end of a block that polls, of that await.
pub(crate) fn call_or_await(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    let function = program.function(id);
    if function.callee(block).is_poll() {
        return await_ref(program, id, block);
    }
    let mark = call_ref(program, id, block);
    match awaited_at(function, block) {
        Some(poll) if matches!(mark, CodeRef::Item(_)) => await_ref(program, id, poll),
        _ => mark,
    }
}

/// The reference to a branch of a `select!`: the call that gives its future, or where the future begins; the `select!` where that is not
/// known.
pub(crate) fn branch_ref(program: &Program, id: FunctionId, select: &Select, branch: usize) -> CodeRef {
    let function = program.function(id);
    let called = select.branches.get(branch).and_then(|it| it.call).and_then(|it| function.site(it));
    let suspension = function.suspensions.iter().position(|it| it.poll == Some(select.poll));
    let begins = suspension.and_then(|it| program.branch_at(id, it, branch, select.branches.len()));
    match (called, begins) {
        (Some(site), _) => CodeRef::Site(site),
        (None, Some((file, position))) => CodeRef::Position { file: file.to_owned(), position },
        (None, None) => await_ref(program, id, select.poll),
    }
}
