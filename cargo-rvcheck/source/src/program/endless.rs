//! Tasks that cannot end by themselves.

use crate::body::paths::Paths;
use crate::body::walk;

use crate::body::text::last;
use crate::body::{Definition, Function, FunctionId, Kind, Slot, Suspension};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use std::collections::BTreeSet;

/// The state machines of a program that never complete once they are started: all that they do is go round a loop in which they
/// suspend, or wait for another one that never completes. One that may panic on what it awaited, or that ends the process, is none.
pub(crate) fn endless(program: &Program) -> BTreeSet<FunctionId> {
    let machines: Vec<(FunctionId, &Function, &Paths)> = program
        .functions()
        .filter(|(_, it)| it.kind == Kind::Coroutine && it.body.unknown.is_none())
        .map(|(id, it)| (id, it, Paths::of(it)))
        .collect();
    let mut found = BTreeSet::new();
    walk::fixpoint(|| {
        let before = found.len();
        for (id, function, paths) in &machines {
            if !found.contains(id) && is_endless(program, function, paths, &found) {
                found.insert(*id);
            }
        }
        found.len() != before
    });
    found
}

fn is_endless(program: &Program, function: &Function, paths: &Paths, known: &BTreeSet<FunctionId>) -> bool {
    // What is awaited for ever.
    let stuck: BTreeSet<BlockId> = function
        .suspensions
        .iter()
        .filter(|it| {
            it.awaited
                .as_ref()
                .and_then(|it| program.machine_in(function, it))
                .is_some_and(|it| known.contains(&it))
        })
        .filter_map(|it| it.poll)
        .collect();
    let reached = paths.from(&[BlockId(0)], &|it| stuck.contains(&it));
    let waits = stuck.iter().any(|it| paths.before(*it).iter().any(|it| reached.contains(it)))
        || function.suspensions.iter().any(|it| reached.contains(&it.block) && goes_round(paths, it));
    waits && !reached.iter().any(|it| completes(function, *it) || may_end(function, *it))
}

/// Whether the body comes back to an await after it was done.
fn goes_round(paths: &Paths, at: &Suspension) -> bool {
    let Some(poll) = at.poll else { return false };
    paths.from(paths.next(poll), &|it| it == at.block).contains(&poll)
}

/// Whether the state machine is done at the end of the block.
fn completes(function: &Function, id: BlockId) -> bool {
    let Some(block) = function.body.block(id) else { return true };
    block.statements.iter().any(|it| matches!(it, Statement::State(_, 1)))
}

/// Whether the task or process may end at the end of the block in another way than by completing.
pub(crate) fn may_end(function: &Function, id: BlockId) -> bool {
    let Some((call, callee)) = function.call(id) else { return false };
    if call.target.is_none() {
        // What `select!` says where nothing is left to wait for is no way out that anybody wants.
        return !is_said_by_select(function, id);
    }
    let unwraps = ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&callee.name());
    unwraps && call.arguments.first().and_then(Operand::place).is_some_and(|it| is_awaited(function, it))
}

fn is_said_by_select(function: &Function, panics: BlockId) -> bool {
    function.blocks().any(|(id, _)| {
        let leads = function.successors(id).contains(&panics);
        leads
            && function.call(id).is_some_and(|(call, _)| {
                let text = call
                    .arguments
                    .iter()
                    .filter_map(|it| if let Operand::Constant(it) = it { Some(it) } else { None });
                text.into_iter().any(|it| it.contains("all branches are disabled"))
            })
    })
}

/// Whether a value comes out of an await.
fn is_awaited(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        match function.definition(&slot) {
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from))) => {
                    if from
                        .projections
                        .iter()
                        .any(|it| matches!(it, crate::mir::Projection::Variant(name) if name == "Ready"))
                    {
                        return true;
                    }
                    slot = Slot::at(from);
                    slot.steps.truncate(function.root(&slot));
                }
                Some(_) => return false,
                None => {
                    let Definition::Called(block) = definition else { return false };
                    let Some((call, callee)) = function.call(block) else { return false };
                    if callee.is_trait("Future", "poll") {
                        return true;
                    }
                    let hands_on =
                        callee.hands_on() || matches!(last(&callee.path), "map_err" | "ok" | "map");
                    match call.arguments.first().and_then(Operand::place).filter(|_| hands_on) {
                        Some(from) => slot = Slot::at(from),
                        None => return false,
                    }
                }
            },
            None => return false,
        }
    }
    false
}
