//! What is handed over in the order of requests, as locks are: the permits of a semaphore, the room of a bounded channel.

use super::lock;
use crate::body::FunctionId;
use crate::body::provenance::awaited_at;
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::runs::runs;
use rvcheck_primitives::{Action, Cancel, Row, Waits};

/// How deep calls are followed.
const DEEPEST: usize = 4;
/// The most requests that are kept for a body.
const MOST: usize = 24;

/// The places that a body asks for, itself or in what it awaits, each with the block that polls.
pub(super) fn places(program: &Program, id: FunctionId) -> Vec<(BlockId, AccessPath)> {
    within(program, id, DEEPEST)
}

fn within(program: &Program, id: FunctionId, depth: usize) -> Vec<(BlockId, AccessPath)> {
    let function = program.function(id);
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, callee) in function.calls() {
        if function.callee(block).row().is_some_and(is_in_order) {
            let of = call.arguments.first().and_then(|it| lock(&access_paths, it));
            found.extend(awaited_at(function, block).zip(of));
        } else if callee.is_poll() && depth > 0 {
            for run in runs(program, function, block) {
                let inner = within(program, run.body, depth - 1).into_iter();
                let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
                found.extend(inner.filter_map(|(_, it)| Some((block, seen(&it)?))));
            }
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}

/// Whether a task waits there for a place, behind all who have asked before: who gives up loses it.
fn is_in_order(row: Row) -> bool {
    let asks = matches!(row.operation.action, Action::Acquire(_) | Action::Reserve | Action::Send);
    let keeps_places = row.owner.operations.iter().any(|it| it.cancel == Cancel::LosesPlace);
    asks && row.operation.waits == Waits::Task && keeps_places
}
