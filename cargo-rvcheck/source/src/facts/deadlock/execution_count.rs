//! How often an agent does something, with the loops around all the calls through which it comes there.

use crate::body::paths::Paths;
use crate::body::{Function, Kind};
use crate::facts::agents::steps::Steps;
use crate::mir::{BlockId, Terminator};
use crate::program::Program;
use crate::program::trip_count::{items, runs};
use std::collections::BTreeSet;

/// How often something is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExecutionCount {
    /// At most that many times.
    AtMost(u64),
    /// As often as input has it.
    Endless,
    /// A loop that compares numbers may count.
    Unknown,
}

impl ExecutionCount {
    /// Both, one after the other.
    pub(super) fn and(self, other: ExecutionCount) -> ExecutionCount {
        match (self, other) {
            (ExecutionCount::Endless, _) | (_, ExecutionCount::Endless) => ExecutionCount::Endless,
            (ExecutionCount::AtMost(one), ExecutionCount::AtMost(other)) => {
                ExecutionCount::AtMost(one.saturating_add(other))
            }
            _ => ExecutionCount::Unknown,
        }
    }

    /// Whether it may be more often than that.
    pub(super) const fn is_more_than(self, room: u64) -> bool {
        match self {
            ExecutionCount::AtMost(it) => it > room,
            ExecutionCount::Endless => true,
            ExecutionCount::Unknown => false,
        }
    }
}

/// How often a block of a frame is run, with the loops around its callers.
pub(super) fn execution_count(
    program: &Program,
    steps: &Steps,
    frame: usize,
    block: BlockId,
) -> ExecutionCount {
    execution_count_avoiding(program, steps, (frame, block), &|_| BTreeSet::new())
}

/// How often a block of a frame is run before the agent goes through one of those, by frame.
pub(super) fn execution_count_avoiding(
    program: &Program,
    steps: &Steps,
    (frame, block): (usize, BlockId),
    without: &dyn Fn(usize) -> BTreeSet<BlockId>,
) -> ExecutionCount {
    let (mut frame, mut block) = (frame, block);
    let mut all: Option<u64> = Some(1);
    loop {
        let id = steps.frames[frame].function;
        let function = program.function(id);
        // An await goes round only while it is pending, and is no iteration.
        let mut avoided = without(frame);
        avoided.extend(function.suspensions.iter().map(|it| it.block));
        let here = runs(program, function, [block], &avoided);
        if here.is_none() && compares(function, block, &avoided) {
            return ExecutionCount::Unknown;
        }
        all = all.and_then(|it| it.checked_mul(here?));
        let Some((outer, at)) = steps.frames[frame].from else {
            return all.map_or(ExecutionCount::Endless, ExecutionCount::AtMost);
        };
        // What another crate is given to call, it calls for each item of what it is called on.
        let caller = program.function(steps.frames[outer].function);
        if function.kind == Kind::Closure && program.called(caller, at).is_none() {
            all = all.and_then(|it| it.checked_mul(calls_of_closure(program, caller, at)?));
        }
        (frame, block) = (outer, at);
    }
}

/// How often a call of another crate calls a closure that it is given: once, or for each item of an iterator.
fn calls_of_closure(program: &Program, function: &Function, block: BlockId) -> Option<u64> {
    let (call, callee) = function.call(block)?;
    let iterates = matches!(callee.of_trait(), Some("Iterator" | "FromIterator" | "Extend" | "IntoIterator"))
        || callee.name() == "from_iter";
    if !iterates {
        return Some(1);
    }
    items(program, function, call.place(0)?)
}

/// Whether the loop around a block compares numbers: it may go on only while there is room.
fn compares(function: &Function, block: BlockId, without: &BTreeSet<BlockId>) -> bool {
    let paths = Paths::of(function);
    let avoid = |it: BlockId| without.contains(&it);
    let around = &paths.from(paths.next(block), &avoid) & &paths.to(&[block], &avoid);
    around.iter().filter_map(|it| function.body.block(*it)).any(|it| {
        let compares = it.assignments().any(|(_, it)| it.operated().is_some_and(|it| it.0.orders()));
        compares && matches!(it.terminator, Terminator::Switch { .. })
    })
}
