//! How a loop around a receive ends: when there are no senders any more, by what is in a message, or in another way.

use crate::body::failing::failing;
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, flag, source};
use crate::body::select::selects;
use crate::body::{Function, Slot};
use crate::facts::agents::operation::Op;
use crate::facts::agents::outcome::{goes_by_outcome, outcome};
use crate::facts::agents::steps::{Step, Steps};
use crate::mir::{Block, BlockId, Local, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::ty::Ty;
use rvcheck_primitives::{Failure, Is};
use std::collections::BTreeSet;

/// The exits of a loop that lead to the end of the body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Exits {
    /// The blocks of the loop.
    pub(crate) around: BTreeSet<BlockId>,
    /// The blocks behind it.
    pub(crate) behind: BTreeSet<BlockId>,
    /// It ends when there are no senders any more.
    pub(crate) by_closing: bool,
    /// The blocks that end it by something else than an error, and that are only reached after a message.
    pub(crate) by_message: BTreeSet<BlockId>,
    /// It ends where something fails that is done with a message. Nobody can rely on that.
    pub(crate) by_failure: bool,
    /// It may end without a message and with senders.
    pub(crate) otherwise: bool,
}

/// Whether a body gives on what a receive in it gives, and looks at nothing else behind that: who calls it receives.
pub(crate) fn gives_on(function: &Function, receive: BlockId) -> bool {
    let returned = function.body.type_of(Local(0));
    let gives = returned.names("Option") || returned.names("Result");
    let behind = Paths::of(function).after(receive);
    let blocks = function.blocks().filter(|(id, it)| !it.cleanup && behind.contains(id));
    gives
        && blocks.into_iter().all(|(id, block)| match &block.terminator {
            Terminator::Switch { .. } => goes_by_outcome(function, id) || is_resumption(function, block),
            _ => true,
        })
}

/// Whether a branch is one of the state machine itself: by its state, or by whether what it awaits is ready.
fn is_resumption(function: &Function, block: &Block) -> bool {
    block.statements.iter().any(|it| {
        let Statement::Assign(_, Rvalue::Discriminant(of)) = it else { return false };
        let ty = function.type_of(of).unwrap_or_default();
        ty.is_poll() || ty.is_body() || function.is_machine(&Slot::at(of))
    })
}

/// The loop around a receive, also where functions of the workspace stand in between that only give on what they receive: the frame, the
/// block that receives in it, and how it ends.
pub(crate) fn loop_of(program: &Program, steps: &Steps, step: &Step) -> Option<(usize, BlockId, Exits)> {
    if step.op == Op::Drain {
        let behind = Paths::of(program.function(steps.frames[step.frame].function)).after(step.block);
        return Some((step.frame, step.block, Exits { behind, by_closing: true, ..Exits::default() }));
    }
    for (frame, id, block) in steps.outward(step.frame, step.block) {
        let function = program.function(id);
        if let Some(exits) = exits_of(function, Paths::of(function), block) {
            return Some((frame, block, exits));
        }
        if !gives_on(function, block) {
            return None;
        }
    }
    None
}

/// Errors of a receive that do not only say that there will be no message any more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Other {
    /// They also say that there is none yet, by their first variant.
    ForNow,
    /// They also say that some were missed, by their second variant.
    Missed,
}

/// What else a type says that is an error.
fn other(ty: Ty) -> Option<Other> {
    let is =
        |wanted: &[Failure]| ty.is_of(|it| matches!(it, Is::Error(failure) if wanted.contains(&failure)));
    if is(&[Failure::Busy, Failure::Time]) {
        return Some(Other::ForNow);
    }
    is(&[Failure::Lagged]).then_some(Other::Missed)
}

/// Whether a body looks at an error that may say that messages were missed, or gives it on.
pub(crate) fn looks_at_missed(function: &Function) -> bool {
    let says = |ty: Ty| {
        other(ty) == Some(Other::Missed) || ty.arguments().iter().any(|it| other(*it) == Some(Other::Missed))
    };
    let looks = |place: &Place| {
        let is_error = place.is_of_variant("Err") || place.is_of_variant("Break");
        is_error && function.type_of(place).is_some_and(says)
    };
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let read = block.assignments().any(|(_, value)| value.places().any(looks));
        let given = || match &block.terminator {
            Terminator::Call(call) => call.places().any(looks),
            _ => false,
        };
        read || given()
    })
}

/// Whether a branch by the sort of an error leads there where there are no senders any more; `None` where it goes by something else.
fn by_error(function: &Function, from: BlockId, to: BlockId, is_limited: bool) -> Option<bool> {
    let block = function.body.block(from)?;
    let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
    let of = block
        .assignments()
        .find_map(|(_, value)| if let Rvalue::Discriminant(of) = value { Some(of) } else { None })?;
    let found = function.type_of(of).and_then(other).filter(|it| is_limited || *it == Other::Missed)?;
    let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
    // Which variant says that there will be no message any more, and which one says something else.
    let (closed, else_said) = if found == Other::ForNow { (1, 0) } else { (0, 1) };
    Some(target(closed) == Some(to) && target(else_said) != Some(to))
}

/// Functions that say whether there was a message.
const ASKS: [&str; 4] = ["is_err", "is_ok", "is_none", "is_some"];

/// Whether a branch leads there because a call has failed.
fn is_failure(function: &Function, from: BlockId, to: BlockId) -> bool {
    let by_variant =
        || failing(function, from).filter(|_| goes_by_outcome(function, from)).map(|it| it.failed);
    by_variant().or_else(|| asked_to_fail(function, from)) == Some(to)
}

/// Where a branch on `is_err` or `is_ok` of a `Result` leads if that is an error.
fn asked_to_fail(function: &Function, from: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } =
        &function.body.block(from)?.terminator
    else {
        return None;
    };
    let (asked, callee) = function.call(flag(function, &Slot::at(on))?)?;
    let of = function.type_of(asked.place(0)?)?;
    let no = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to);
    match callee.name() {
        _ if !of.bare().is_result() => None,
        "is_err" => *otherwise,
        "is_ok" => no,
        _ => None,
    }
}

/// The block that makes the `select!` of which a receive is a branch, and the blocks of its arm up to the next iteration.
fn branch_of(function: &Function, paths: &Paths, receive: BlockId) -> (Option<BlockId>, BTreeSet<BlockId>) {
    let found = selects(function).into_iter().find_map(|select| {
        let arm = select.branches.iter().find(|it| it.call == Some(receive))?.arm?;
        Some((select.made, paths.from(&[arm], &|it| it == select.poll)))
    });
    found.map_or_else(Default::default, |(made, arm)| (Some(made), arm))
}

/// The exits of the loop around the receive at the end of a block; `None` where there is no loop.
pub(crate) fn exits_of(function: &Function, paths: &Paths, receive: BlockId) -> Option<Exits> {
    let (call, callee) = function.call(receive)?;
    let over = if matches!(callee.name(), "iter" | "into_iter") {
        let it = Slot::at(&call.into);
        let takes = |argument: &Operand| {
            argument.place().is_some_and(|place| {
                let slot = Slot::at(place);
                slot == it || source(function, &slot) == Some(receive)
            })
        };
        let consumer = function.calls().find(|(block, call, callee)| {
            *block != receive
                && (callee.drains() || matches!(callee.name(), "next" | "extend"))
                && call.arguments.iter().any(takes)
        });
        let (block, _, callee) = consumer?;
        if !callee.is_next() {
            return Some(Exits { behind: paths.after(block), by_closing: true, ..Exits::default() });
        }
        block
    } else {
        receive
    };
    let around = paths.loop_around(over);
    if around.is_empty() {
        return None;
    }
    // A function of the workspace that receives is polled in one block, and its future made in another one.
    let made = function.polled(receive).and_then(|it| source(function, &it));
    let (selected, arm) = branch_of(function, paths, receive);
    let is_outcome = |it: BlockId| {
        let decides = decided_by(function, it);
        if decides.is_some() && decides == selected && arm.contains(&it) {
            return goes_by_outcome(function, it);
        }
        // `is_err` and its like say the same.
        let asked = decides.and_then(|it| function.call(it)).filter(|(_, it)| ASKS.contains(&it.name()));
        let of = asked.and_then(|(call, _)| source(function, &Slot::at(call.place(0)?)));
        let is_it = |it: BlockId| it == receive || it == over || Some(it) == made;
        of.is_some_and(is_it) || decides.is_some_and(is_it) && goes_by_outcome(function, it)
    };
    let mut found = Exits { around: around.clone(), ..Exits::default() };
    // What is reached from the receive before the branch that says that there was a message, and from its other side.
    let silent = paths.from(paths.next(over), &|it| is_outcome(it));
    // A receive that does not wait, or for a while only, gives nothing for more than one reason.
    let given = function.call(over).and_then(|(call, _)| function.type_of(&call.into)).unwrap_or_default();
    let is_limited = given.argument(1).is_some_and(|it| other(it) == Some(Other::ForNow));
    // Nor is there a message behind that.
    let fails = around.iter().filter_map(|it| outcome(function, *it, over, false)).filter(|_| is_limited);
    let idle = paths.from(&fails.collect::<Vec<_>>(), &|it| it == over);
    for (from, to) in paths.exits(&around) {
        let beyond = paths.from(&[to], &|_| false);
        if !beyond.iter().any(|it| function.returns_at(*it)) {
            continue;
        }
        if let Some(over) = by_error(function, from, to, is_limited) {
            found.by_closing |= over;
            found.otherwise |= !over;
        } else if is_outcome(from) && is_limited {
            found.otherwise = true;
        } else if is_outcome(from) {
            found.by_closing = true;
        } else if silent.contains(&from) || idle.contains(&from) {
            found.otherwise = true;
        } else if is_failure(function, from, to) {
            found.by_failure = true;
        } else {
            found.by_message.insert(from);
        }
        found.behind.extend(beyond);
    }
    Some(found)
}
