//! An order to stop is seen, and obeyed in a way that leads to no end: a `break` ends a loop inside only.

use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::select::{is_disabled_at, selects};
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, branch_ref, call_ref};
use crate::program::library::{is_path_of, operation_of};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Is};
use std::collections::BTreeSet;

/// The places where a token is seen to be cancelled, and behind which the body comes back to them and never to its end.
pub(super) fn check(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut seen: Vec<(BlockId, BlockId, CodeRef)> = Vec::new();
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate() {
            let waits = branch.call.is_some_and(|it| is_of_token(program, function, it, Action::Wait));
            if let Some(arm) = branch.arm.filter(|_| waits) {
                seen.push((select.made, arm, branch_ref(program, id, &select, number)));
            }
        }
    }
    for (block, ..) in function.calls().filter(|(it, ..)| is_asked(program, function, *it)) {
        seen.extend(obeyed(function, paths, block).map(|it| (block, it, call_ref(program, id, block))));
    }
    let goes_on = seen.into_iter().filter(|(at, target, _)| {
        let beyond = paths.from(&[*target], &|_| false);
        !changes(program, function, &paths.loop_around(*at))
            && beyond.contains(at)
            && !beyond.iter().any(|it| function.returns_at(*it))
    });
    let hits = goes_on.map(|(.., place)| Hit {
        certainty: Certainty::Usually,
        message: "the order to stop is seen here, and the loop around goes on for ever all the same"
            .to_owned(),
        primary: (place, "leads back into the loop".to_owned()),
        related: Vec::new(),
        advice: "return, or leave the outer loop by its label: `break 'outer`".to_owned(),
    });
    hits.collect()
}

fn is_of_token(program: &Program, function: &Function, block: BlockId, action: Action) -> bool {
    let known = operation_of(program.callee_path(function, block));
    known.is_some_and(|(owner, it)| owner.is == Is::Token && it.action == action)
}

/// Whether the call at the end of a block asks whether a token is cancelled.
fn is_asked(program: &Program, function: &Function, block: BlockId) -> bool {
    let path = program.callee_path(function, block);
    let (of, name) = path.rsplit_once("::").unwrap_or_default();
    crate::body::by_name::asks(name) && is_path_of(of, |it| it == Is::Token)
}

/// Where a body goes on that leaves a loop since a token is cancelled.
fn obeyed(function: &Function, paths: &Paths, asked: BlockId) -> Option<BlockId> {
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let is_it = function.type_of(on) == Some("bool") && flag(function, &Slot::at(on)) == Some(asked);
        // Where it is straight: what is not `false`.
        let straight = cases.iter().any(|(it, _)| *it == 0) && is_straight(function, on);
        otherwise.filter(|_| is_it && straight && paths.leads(asked, at))
    })
}

/// Whether a branch goes by what the call gave, and not by the opposite.
fn is_straight(function: &Function, on: &crate::mir::Place) -> bool {
    let value = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
    !matches!(value, Some(crate::mir::Rvalue::Made(..)))
}

/// Whether a loop may have another token afterwards, ends the process, or turns branches off.
fn changes(program: &Program, function: &Function, around: &BTreeSet<BlockId>) -> bool {
    around.iter().any(|it| {
        let Some((_, callee)) = function.call(*it) else { return is_disabled_at(function, *it) };
        let makes = operation_of(program.callee_path(function, *it)).is_some_and(|(owner, it)| {
            owner.is == Is::Token && matches!(it.action, Action::Make(_) | Action::Handle)
        });
        let ends = callee.path.contains("process") && matches!(callee.name(), "exit" | "abort");
        makes || ends || callee.name() == "default" || is_disabled_at(function, *it)
    })
}
