//! Where a body lets time pass before it goes on.

use crate::body::provenance::source;

use crate::body::{Function, FunctionId, Suspension};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::blocking::Wait;
use rvcheck_primitives::{Action, Operation, Waits};

/// A place where a body lets time pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pause {
    /// The block that ends in the call, or polls what is awaited.
    pub(crate) block: BlockId,
    /// Where the body is suspended, if it is.
    pub(crate) awaited: Option<BlockId>,
}

/// How deep functions are followed that only pause.
const DEEPEST: usize = 3;

/// The places of a body where it lets time pass: tasks by awaiting, threads by blocking, themselves or in what they call.
pub(crate) fn pauses(program: &Program, id: FunctionId) -> Vec<Pause> {
    let function = program.function(id);
    let awaited = function.suspensions.iter().filter(|it| lets_pass(program, function, it, DEEPEST));
    let awaited = awaited.filter_map(|it| Some(Pause { block: it.poll?, awaited: Some(it.block) }));
    let slept = program.blocking().calls(id).iter().filter(|(_, it)| it.wait == Wait::Sleep);
    // The compiler writes no path where the name is the only one.
    let own = function.calls().filter(|(block, _, callee)| {
        program.called(function, *block).is_none() && callee.may(blocks_for_a_while)
    });
    let mut blocks: Vec<BlockId> = slept.map(|it| it.0).chain(own.map(|it| it.0)).collect();
    blocks.sort();
    blocks.dedup();
    awaited.chain(blocks.into_iter().map(|block| Pause { block, awaited: None })).collect()
}

fn passes_time(it: &Operation) -> bool {
    matches!(it.action, Action::Sleep | Action::Yield)
}

fn blocks_for_a_while(it: &Operation) -> bool {
    let is_parked = it.action == Action::Wait && it.waits == Waits::Thread && it.is_limited;
    is_parked || it.action == Action::Yield && it.waits == Waits::No
}

/// Whether an await is of a pause, or of a function that does nothing but to pause.
fn lets_pass(program: &Program, function: &Function, at: &Suspension, depth: usize) -> bool {
    let Some(awaited) = &at.awaited else { return false };
    let call = source(function, awaited).and_then(|it| function.call(it));
    if call.is_some_and(|(_, callee)| callee.may(passes_time)) {
        return true;
    }
    let given = at.poll.and_then(|it| function.type_of(&function.call(it)?.0.into)).unwrap_or_default();
    let says_nothing = matches!(given.arguments(), [it] if it.is_unit());
    let inner = program.machine_in(function, awaited).filter(|_| depth > 0 && says_nothing);
    let Some(inner) = inner else { return false };
    let inside = program.function(inner);
    !inside.suspensions.is_empty()
        && inside.suspensions.iter().all(|it| lets_pass(program, inside, it, depth - 1))
}
