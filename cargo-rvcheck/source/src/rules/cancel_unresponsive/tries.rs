//! A loop inside a loop that can be stopped, or behind a look that is obeyed, tries again and again, with pauses, and does not look.

use super::asks_to_stop;
use crate::body::by_name::any_named;
use crate::body::paths::Paths;
use crate::body::provenance::{flag, source};
use crate::body::select::{Select, selects};
use crate::body::{Definition, Function, FunctionId, Slot, Suspension};
use crate::mir::{BlockId, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::code_ref::{await_ref, call_ref};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Operation, Waits};
use std::collections::BTreeSet;

/// Whether the future of a function of that name says that it is time to stop.
fn is_signal(name: &str) -> bool {
    let waits = |it: &Operation| it.action == Action::Wait && it.waits == Waits::Task;
    any_named(name, waits) && name != "wait" || name == "ctrl_c"
}

/// Loops with pauses inside a loop that can be stopped, or behind a look that is obeyed, in which nothing looks whether to stop.
pub(super) fn check(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut stops: Vec<(BlockId, BlockId)> = Vec::new();
    let selects = selects(function);
    for select in &selects {
        for branch in &select.branches {
            let (Some(call), Some(arm)) = (branch.call, branch.arm) else { continue };
            let signals = function.call(call).is_some_and(|(_, it)| is_signal(it.name()));
            if signals && paths.repeats(select.made) && !paths.from(&[arm], &|_| false).contains(&select.made)
            {
                stops.push((select.poll, call));
            }
        }
    }
    for (block, ..) in function.calls().filter(|(it, ..)| asks_to_stop(program, function, *it)) {
        let around = paths.loop_around(block);
        // Looked at once, and obeyed: that there is an order to stop is known here.
        let before = around.is_empty() && obeys(function, paths, block);
        let ends = before
            || paths.exits(&around).into_iter().any(|(from, _)| {
                let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
                    function.body.block(from).map(|it| &it.terminator)
                else {
                    return false;
                };
                flag(function, &Slot::at(on)) == Some(block)
            });
        if ends {
            stops.push((block, block));
        }
    }
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for (stop, signal) in stops {
        for pause in &function.suspensions {
            let Some(poll) = pause.poll.filter(|it| !reported.contains(it)) else { continue };
            if !paths.leads(stop, poll) {
                continue;
            }
            if let Some((inner, inside)) =
                in_what_is_awaited(program, function, pause).filter(|_| paths.leads(poll, stop))
            {
                reported.insert(poll);
                hits.push(Hit {
                    certainty: Certainty::Usually,
                    message: "this loop tries until it succeeds, and does not look whether to stop, as who calls it does".to_owned(),
                    primary: (await_ref(program, inner, inside), "waits here before it tries again".to_owned()),
                    related: vec![
                        (call_ref(program, id, signal), "this looks whether to stop".to_owned()),
                        (await_ref(program, id, poll), "and this waits for the loop".to_owned()),
                    ],
                    advice: "wait for the order to stop as well, by `select!`, or bound the number of tries".to_owned(),
                });
                continue;
            }
            if !is_pause(function, pause)
                || !tries_again(program, function, paths, &selects, pause, Some(stop))
            {
                continue;
            }
            reported.insert(poll);
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this loop tries until it succeeds, and does not look whether to stop, as the code around it does".to_owned(),
                primary: (await_ref(program, id, poll), "waits here before it tries again".to_owned()),
                related: vec![(call_ref(program, id, signal), "this looks whether to stop".to_owned())],
                advice: "wait for the order to stop as well, by `select!`, or bound the number of tries".to_owned(),
            });
        }
    }
    hits
}

/// Such a loop in an async function that is awaited by itself, with its pause.
fn in_what_is_awaited(
    program: &Program,
    function: &Function,
    at: &Suspension,
) -> Option<(FunctionId, BlockId)> {
    let Definition::Called(call) = function.producer(at.awaited.as_ref()?)? else { return None };
    let (inner, _) = program.machine_made_by(program.called(function, call)?)?;
    let inside = program.function(inner);
    let (paths, selects) = (Paths::of(inside), selects(inside));
    // Who selects, or asks, may look whether to stop in its own way.
    let looks = !selects.is_empty() || inside.calls().any(|(it, ..)| asks_to_stop(program, inside, it));
    let pause = inside
        .suspensions
        .iter()
        .filter(|_| !looks)
        .find(|it| is_pause(inside, it) && tries_again(program, inside, paths, &selects, it, None))?;
    Some((inner, pause.poll?))
}

/// Whether the body returns, without waiting for anything more, where the call at the end of a block says that it is to stop.
fn obeys(function: &Function, paths: &Paths, asked: BlockId) -> bool {
    let decides = paths.from(paths.next(asked), &|_| false).into_iter().find(|it| {
        matches!(function.body.block(*it).map(|it| &it.terminator), Some(Terminator::Switch { on: Operand::Place(on), .. })
            if flag(function, &Slot::at(on)) == Some(asked))
    });
    let Some(decides) = decides else { return false };
    paths.next(decides).iter().any(|it| {
        let beyond = paths.from(&[*it], &|_| false);
        function.suspensions.iter().all(|it| !beyond.contains(&it.block))
            && beyond
                .iter()
                .any(|it| function.body.block(*it).is_some_and(|it| it.terminator == Terminator::Return))
    })
}

fn is_pause(function: &Function, at: &Suspension) -> bool {
    let call = at.awaited.as_ref().and_then(|it| source(function, it));
    call.and_then(|it| function.call(it))
        .is_some_and(|(_, callee)| any_named(callee.name(), |it| it.action == Action::Sleep))
}

/// Whether the body comes back to a pause without the place that looks whether to stop, for as long as what it tries fails.
fn tries_again(
    program: &Program,
    function: &Function,
    paths: &Paths,
    selects: &[Select],
    pause: &Suspension,
    stop: Option<BlockId>,
) -> bool {
    let Some(poll) = pause.poll else { return false };
    let avoid = |it: BlockId| Some(it) == stop || it == pause.block;
    let after = paths.from(paths.next(poll), &avoid);
    if !after.contains(&poll) {
        return false;
    }
    let around: BTreeSet<BlockId> = paths.to(&[poll], &avoid).intersection(&after).copied().collect();
    let looks = around.iter().any(|it| {
        let selects = selects.iter().any(|select| select.poll == *it);
        let asks = function.call(*it).is_some_and(|(_, callee)| {
            matches!(
                callee.name(),
                "try_recv"
                    | "has_changed"
                    | "is_closed"
                    | "is_finished"
                    | "load"
                    | "elapsed"
                    | "now"
                    | "is_cancelled"
            )
        });
        selects || asks || asks_to_stop(program, function, *it)
    });
    let bounded = paths.exits(&around).into_iter().any(|(from, _)| is_counted(function, from));
    let leaves = paths
        .exits(&around)
        .into_iter()
        .any(|(from, to)| to != pause.block && from != poll && !is_nowhere(function, to));
    !looks && !bounded && leaves
}

fn is_nowhere(function: &Function, block: BlockId) -> bool {
    function.body.block(block).is_none_or(|it| it.terminator == Terminator::Nowhere)
}

/// Whether the branch at the end of a block compares numbers, or asks an iterator.
fn is_counted(function: &Function, block: BlockId) -> bool {
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return false;
    };
    if function.type_of(on) != Some("bool") && function.type_of(on) != Some("isize") {
        return true;
    }
    let mut slot = Slot::at(on);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let Some(definition) = function.definition(&slot) else { return false };
        let from = match definition {
            Definition::Called(block) => {
                return function.call(block).is_none_or(|(_, it)| {
                    matches!(it.name(), "next" | "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "contains")
                });
            }
            Definition::Assigned(..) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Discriminant(from)) => from,
                Some(Rvalue::Made(name, parts)) if name == "Not" => {
                    match parts.first().and_then(Operand::place) {
                        Some(from) => from,
                        None => return false,
                    }
                }
                Some(Rvalue::Made(..)) => return true,
                _ => return false,
            },
        };
        slot = Slot::at(from);
    }
    false
}
