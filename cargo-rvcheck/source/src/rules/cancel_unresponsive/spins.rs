//! A loop in async code in which nothing suspends goes round until something changes that it asks for, or for ever.

use super::asks_to_stop;
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, flag};
use crate::body::text::head;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::library::is_path_of;
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// Names of functions that look at something that others change.
const LOOKS: [&str; 8] = [
    "load",
    "try_recv",
    "is_finished",
    "is_cancelled",
    "is_closed",
    "has_changed",
    "is_completed",
    "is_terminated",
];

/// Loops in which nothing suspends, that go round until something else changes.
pub(super) fn check(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut hits = Vec::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        if seen.contains(&block) {
            continue;
        }
        let around = paths.loop_around(block);
        seen.extend(around.iter().copied());
        if around.is_empty() || function.suspensions.iter().any(|it| around.contains(&it.block)) {
            continue;
        }
        let exits: Vec<(BlockId, BlockId)> =
            paths.exits(&around).into_iter().filter(|(_, to)| ends_well(function, paths, *to)).collect();
        let asked: Vec<BlockId> = exits
            .iter()
            .filter_map(|(from, to)| {
                decided(function, *from).filter(|it| !is_empty_now(function, *it, *from, *to))
            })
            .collect();
        let all_ask = asked.len() == exits.len()
            && asked.iter().all(|it| {
                around.contains(it)
                    && (function.call(*it).is_some_and(|(_, callee)| LOOKS.contains(&callee.name()))
                        || asks_to_stop(program, function, *it))
            });
        let calls = around.iter().any(|it| function.call(*it).is_some());
        let Some(first) = asked.first().filter(|_| all_ask && calls) else { continue };
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this loop in async code asks again and again and never suspends: its task cannot be cancelled, nor another one run"
                .to_owned(),
            primary: (call_ref(program, id, *first), "asks here".to_owned()),
            related: Vec::new(),
            advice: "wait for the change by a channel or `Notify`, or await something in each round".to_owned(),
        });
    }
    hits
}

/// Whether the exit from a loop is taken where `try_recv` has nothing to give: such a loop takes what there is, and ends.
fn is_empty_now(function: &Function, asked: BlockId, from: BlockId, to: BlockId) -> bool {
    let receives = function.call(asked).is_some_and(|(_, callee)| callee.name() == "try_recv");
    let Some(block) = function.body.block(from) else { return true };
    let Terminator::Switch { cases, .. } = &block.terminator else { return true };
    // The first case of the error is that there is nothing now; the other one, that there will be nothing any more.
    let of_error = block.statements.iter().any(|it| match it {
        Statement::Assign(_, Rvalue::Discriminant(of)) => {
            function.type_of(of).is_some_and(|it| is_path_of(&head(it), |it| it == Is::Error(Failure::Busy)))
        }
        _ => false,
    });
    receives && cases.contains(&(0, to)) == of_error
}

/// Whether a body that goes on there comes to a suspension or its end, not only to a panic.
fn ends_well(function: &Function, paths: &Paths, block: BlockId) -> bool {
    paths.from(&[block], &|_| false).iter().any(|it| {
        function.body.block(*it).is_some_and(|it| {
            it.terminator == Terminator::Return
                || it.statements.iter().any(|it| matches!(it, Statement::State(..)))
        })
    })
}

fn decided(function: &Function, block: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(block)?.terminator else {
        return None;
    };
    flag(function, &Slot::at(on)).or_else(|| decided_by(function, block))
}
