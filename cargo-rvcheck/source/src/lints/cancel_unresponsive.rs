//! `cancel-unresponsive`: a loop that does not notice that it is to stop.
//!
//! - The flag or token is read once, before the loop that it is to end.
//! - A loop inside a loop that can be stopped, or behind a look that is obeyed, tries again and again, with pauses, and does not look.
//! - A loop in async code in which nothing suspends goes round until something changes that it asks for, or for ever.

use super::{Certainty, Hit, Mark};
use crate::flow::mark::{await_mark, call_mark};
use crate::flow::paths::Paths;
use crate::flow::provenance::{decided_by, flag, source};
use crate::flow::select::{Select, selects};
use crate::flow::text::{head, last};
use crate::flow::{Definition, Function, FunctionId, Kind, Program, Slot, Suspension};
use crate::mir::{BlockId, Local, Operand, Rvalue, Statement, Terminator};
use std::collections::BTreeSet;

/// The id of the property.
pub(super) const PROPERTY: &str = "cancel-unresponsive";

/// Finds such loops.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let paths = Paths::of(function);
        let once = read_once(program, id, &paths);
        if function.kind == Kind::Coroutine {
            let primaries: Vec<&Mark> = once.iter().map(|it| &it.primary.0).collect();
            let others = does_not_look(program, id, &paths);
            let told = |it: &Hit| it.related.iter().any(|(mark, _)| primaries.contains(&mark));
            hits.extend(others.into_iter().filter(|it| !told(it)));
            hits.extend(spins(program, id, &paths));
        }
        hits.extend(once);
    }
    hits
}

/// Whether the call at the end of a block asks whether to stop, itself or by a function that gives the answer.
fn asks_to_stop(program: &Program, function: &Function, block: BlockId) -> bool {
    let through = || {
        let inner = program.function(program.called(function, block)?);
        let asked = flag(inner, &Slot::of(Local(0))).filter(|_| inner.body.type_of(Local(0)) == "bool")?;
        Some(asks(program, inner, asked))
    };
    asks(program, function, block) || through() == Some(true)
}

fn asks(program: &Program, function: &Function, block: BlockId) -> bool {
    let path = program.callee_path(function, block);
    [
        "AtomicBool::load",
        "CancellationToken::is_cancelled",
        "watch::Receiver::borrow",
        "watch::Receiver::borrow_and_update",
    ]
    .iter()
    .any(|it| path.ends_with(it))
}

/// Loops that end by a flag that was read before them.
fn read_once(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut found = BTreeSet::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
            function.body.block(block).map(|it| &it.terminator)
        else {
            continue;
        };
        if function.type_of(on) != Some("bool") {
            continue;
        }
        let Some(read) = flag(function, &Slot::at(on)).filter(|it| asks_to_stop(program, function, *it))
        else {
            continue;
        };
        let around = paths.loop_around(block);
        let leaves = paths.next(block).iter().any(|it| !around.contains(it));
        let looks_again = around.iter().any(|it| asks_to_stop(program, function, *it));
        let waits = function.kind != Kind::Coroutine
            || function.suspensions.iter().any(|it| around.contains(&it.block));
        if around.is_empty()
            || !leaves
            || around.contains(&read)
            || looks_again
            || !waits
            || !paths.leads(read, block)
        {
            continue;
        }
        found.insert(read);
    }
    found
        .into_iter()
        .map(|read| Hit {
            property: PROPERTY,
            certainty: Certainty::Usually,
            message: "whether to stop is read once, before the loop: an order to stop that comes later is never noticed".to_owned(),
            primary: (call_mark(program, id, read), "read here, and not in the loop that it is to end".to_owned()),
            related: Vec::new(),
            advice: "read it in each round".to_owned(),
        })
        .collect()
}

/// Names of functions whose futures say that it is time to stop.
const SIGNALS: [&str; 6] = ["changed", "cancelled", "cancelled_owned", "notified", "ctrl_c", "wait_for"];
/// Names of functions that wait for a time.
const PAUSES: [&str; 4] = ["sleep", "sleep_until", "tick", "delay_for"];

/// Loops with pauses inside a loop that can be stopped, or behind a look that is obeyed, in which nothing looks whether to stop.
fn does_not_look(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut stops: Vec<(BlockId, BlockId)> = Vec::new();
    let selects = selects(function);
    for select in &selects {
        for branch in &select.branches {
            let (Some(call), Some(arm)) = (branch.call, branch.arm) else { continue };
            let signals = function.call(call).is_some_and(|(_, it)| SIGNALS.contains(&it.name()));
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
    let mut told = BTreeSet::new();
    for (stop, signal) in stops {
        for pause in &function.suspensions {
            let Some(poll) = pause.poll.filter(|it| !told.contains(it)) else { continue };
            if !paths.leads(stop, poll)
                || !is_pause(function, pause)
                || !tries_again(program, function, paths, &selects, pause, stop)
            {
                continue;
            }
            told.insert(poll);
            hits.push(Hit {
                property: PROPERTY,
                certainty: Certainty::Usually,
                message: "this loop tries until it succeeds, and does not look whether to stop, as the code around it does".to_owned(),
                primary: (await_mark(program, id, poll), "waits here before it tries again".to_owned()),
                related: vec![(call_mark(program, id, signal), "this looks whether to stop".to_owned())],
                advice: "wait for the order to stop as well, by `select!`, or bound the number of tries".to_owned(),
            });
        }
    }
    hits
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
    call.and_then(|it| function.call(it)).is_some_and(|(_, callee)| PAUSES.contains(&callee.name()))
}

/// Whether the body comes back to a pause without the place that looks whether to stop, for as long as what it tries fails.
fn tries_again(
    program: &Program,
    function: &Function,
    paths: &Paths,
    selects: &[Select],
    pause: &Suspension,
    stop: BlockId,
) -> bool {
    let Some(poll) = pause.poll else { return false };
    let avoid = |it: BlockId| it == stop || it == pause.block;
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
fn spins(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
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
                    && function.call(*it).is_some_and(|(_, callee)| LOOKS.contains(&callee.name()))
            });
        let calls = around.iter().any(|it| function.call(*it).is_some());
        let Some(first) = asked.first().filter(|_| all_ask && calls) else { continue };
        hits.push(Hit {
            property: PROPERTY,
            certainty: Certainty::Usually,
            message: "this loop in async code asks again and again and never suspends: its task cannot be cancelled, nor another one run"
                .to_owned(),
            primary: (call_mark(program, id, *first), "asks here".to_owned()),
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
            function.type_of(of).is_some_and(|it| last(&head(it)) == "TryRecvError")
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
