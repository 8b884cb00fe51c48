//! A loop inside a loop that can be stopped, or behind a look that is obeyed, tries again and again, with pauses, and does not look.

use super::asks_to_stop;
use crate::body::by_name::{any_named, locks};
use crate::body::paths::Paths;
use crate::body::provenance::{flag, source};
use crate::body::select::{Select, selects};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot, Suspension};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::mir::{BlockId, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::blocking::Wait;
use crate::program::code_ref::{await_ref, call_ref};
use crate::program::library::{receives, tries_to_receive};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Operation, Waits};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

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
    stops.extend(looks_that_end(program, function, paths).map(|it| (it, it)));
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
                || !tries_again(program, function, paths, &selects, (poll, Some(pause.block)), Some(stop))
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

/// The looks of a body that end a loop around them; or that are obeyed before any loop: that there is an order to stop is known there.
fn looks_that_end(program: &Program, function: &Function, paths: &Paths) -> impl Iterator<Item = BlockId> {
    let looks = function.calls().map(|it| it.0).filter(|it| asks_to_stop(program, function, *it));
    looks.filter(|block| {
        let around = paths.loop_around(*block);
        let before = around.is_empty() && obeys(function, paths, *block);
        before
            || paths.exits(&around).into_iter().any(|(from, _)| {
                let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
                    function.body.block(from).map(|it| &it.terminator)
                else {
                    return false;
                };
                flag(function, &Slot::at(on)) == Some(*block)
            })
    })
}

/// The same in what a thread runs, where a pause blocks it, also in a function that it calls.
pub(super) fn on_threads(facts: &Facts<'_>, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for stop in looks_that_end(program, function, paths).filter(|it| paths.repeats(*it)) {
        for pause in pauses(program, id).filter(|it| paths.leads(stop, *it) && paths.leads(*it, stop)) {
            let own = tries_again(program, function, paths, &[], (pause, None), Some(stop));
            let found = if own { Some((id, pause)) } else { in_what_is_called(program, function, pause) };
            let Some((body, at)) =
                found.filter(|it| !may_look(facts, *it, (id, stop)) && reported.insert(*it))
            else {
                continue;
            };
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this loop tries until it succeeds, and does not look whether to stop, as the code around it does".to_owned(),
                primary: (call_ref(program, body, at), "waits here before it tries again".to_owned()),
                related: vec![(call_ref(program, id, stop), "this looks whether to stop".to_owned())],
                advice: "look whether to stop in each round, too, or bound the number of tries".to_owned(),
            });
        }
    }
    hits
}

/// The calls of a body that let its thread sleep, themselves or in what they call.
fn pauses(program: &Program, id: FunctionId) -> impl Iterator<Item = BlockId> {
    program.blocking().calls(id).iter().filter(|(_, it)| it.wait == Wait::Sleep).map(|(block, _)| *block)
}

/// A loop with pauses in the function that a call calls, which goes round until what it tries succeeds.
fn in_what_is_called(
    program: &Program,
    function: &Function,
    block: BlockId,
) -> Option<(FunctionId, BlockId)> {
    let inner = program.called(function, block)?;
    let inside = program.function(inner);
    let paths = Paths::of(inside);
    let asks = inside.calls().any(|(it, ..)| asks_to_stop(program, inside, it));
    let mut tried = pauses(program, inner)
        .filter(|it| !asks && tries_again(program, inside, paths, &[], (*it, None), None));
    tried.next().map(|it| (inner, it))
}

/// How many bodies are looked into for a look.
const MOST: usize = 64;

/// Whether something that the loop around a pause calls may look whether to stop.
fn may_look(facts: &Facts<'_>, (body, pause): (FunctionId, BlockId), stop: (FunctionId, BlockId)) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(body);
    let paths = Paths::of(function);
    let avoid = |it: BlockId| body == stop.0 && it == stop.1;
    let around = &paths.from(paths.next(pause), &avoid) & &paths.to(&[pause], &avoid);
    // What is behind a lock may say so, too.
    if around.iter().any(|it| function.call(*it).is_some_and(|(_, callee)| locks(callee.name()))) {
        return true;
    }
    let called = around.iter().flat_map(|it| bodies(program, objects, body, function, *it));
    let mut left = MOST;
    walk::search(called, |id| {
        let inside = program.function(id);
        left = left.saturating_sub(1);
        let looks = inside.calls().any(|(it, _, callee)| {
            let name = callee.name();
            asks_to_stop(program, inside, it) || locks(name) || receives(name) || tries_to_receive(name)
        });
        if left == 0 || looks {
            return Break(());
        }
        let next = inside.calls().flat_map(|(it, ..)| bodies(program, objects, id, inside, it));
        Continue(next.collect::<Vec<_>>())
    })
    .is_some()
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
    let pause = inside.suspensions.iter().filter(|_| !looks).find(|it| {
        let at = it.poll.map(|poll| (poll, Some(it.block)));
        is_pause(inside, it) && at.is_some_and(|at| tries_again(program, inside, paths, &selects, at, None))
    })?;
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
    (poll, suspended): (BlockId, Option<BlockId>),
    stop: Option<BlockId>,
) -> bool {
    let avoid = |it: BlockId| Some(it) == stop || Some(it) == suspended;
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
        .any(|(from, to)| Some(to) != suspended && from != poll && !is_nowhere(function, to));
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
