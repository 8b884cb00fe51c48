//! Hand-written futures and streams that return `Poll::Pending` although what they polled was ready: nothing has their waker then.
//!
//! Reported if only one call is given the context, and the code after it discards what that returned: a filter, a part of a message.

use super::super::{Certainty, CodeRef, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::signals::{Given, Signals};
use crate::mir::{BlockId, Operand, Place, Rvalue, Terminator};
use crate::program::code_ref::call_ref;
use std::collections::BTreeSet;

/// Finds such futures.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let functions = signals.program.functions();
    functions.filter_map(|(id, function)| unpolled(signals, id, function)).collect()
}

fn unpolled(signals: &Signals<'_>, id: FunctionId, function: &Function) -> Option<Hit> {
    let given = Given::of(function).filter(|it| !it.done.is_empty())?;
    let [polls] = given.uses.iter().copied().collect::<Vec<_>>()[..] else { return None };
    let (call, _) = function.call(polls)?;
    if !function.type_of(&call.into)?.is_poll() {
        return None;
    }
    let paths = Paths::of(function);
    let (ready, pending) = branch(function, polls)?;
    let of_pending = paths.from(&[pending], &|it| it == polls);
    // What both sides come to is decided by something else.
    let apart =
        paths.from(&[ready], &|it| it == polls || of_pending.contains(&it) && !given.waits.contains(&it));
    let says = apart.intersection(&given.waits).copied().next()?;
    // The waits of the other side may be the same block, but nothing in between.
    let between: BTreeSet<BlockId> =
        paths.to(&[says], &|it| it == polls).intersection(&apart).copied().collect();
    let asked = between.iter().any(|it| paths.next(*it).len() > 1);
    if !asked {
        return None;
    }
    let at = place(signals, id, paths, says);
    // What was polled was to make that true: it may be that it always does.
    let is_made_true = between.iter().any(|it| is_asked_before(signals, id, function, paths, *it, polls));
    Some(Hit {
        certainty: if is_made_true { Certainty::Doubt } else { Certainty::Usually },
        message: "this returns `Poll::Pending` after an inner poll was ready, without polling again: nothing wakes the task".to_owned(),
        primary: (call_ref(signals.program, id, polls), "polled here, and ready".to_owned()),
        related: Some((at, "skipped here".to_owned()))
            .into_iter()
            .filter(|(it, _)| !matches!(it, CodeRef::Item(_)))
            .collect(),
        advice: "poll in a loop until it is pending, or wake the context's waker first".to_owned(),
    })
}

/// Whether a branch asks what another one has asked before something was polled.
fn is_asked_before(
    signals: &Signals<'_>,
    id: FunctionId,
    function: &Function,
    paths: &Paths,
    branch: BlockId,
    polls: BlockId,
) -> bool {
    let asks = |at: BlockId| {
        let asked = decided_by(function, at)?;
        let (call, _) = function.call(asked)?;
        let of = signals.based(id, call.place(0)?)?;
        Some((function.callee(asked).path(), of))
    };
    let Some(asked) = asks(branch) else { return false };
    let mut others =
        function.blocks().map(|(at, _)| at).filter(|it| *it != branch && paths.leads(*it, polls));
    others.any(|it| asks(it).as_ref() == Some(&asked))
}

/// Where what a block polls leads: if it is ready, and if it is not.
fn branch(function: &Function, polls: BlockId) -> Option<(BlockId, BlockId)> {
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(_, block)| {
        let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
        let of = block.discriminated()?;
        let whole = of.projections.iter().all(|it| !matches!(it, crate::mir::Projection::Variant(_)));
        if !whole || !is_given_by(function, of, polls) || !function.type_of(of)?.is_poll() {
            return None;
        }
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
        Some((to(0)?, to(1)?))
    })
}

/// Whether a place is what the call at the end of a block gives, moved or not.
fn is_given_by(function: &Function, place: &Place, call: BlockId) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..8 {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot) {
            Some(Definition::Called(block)) if block == call => return true,
            Some(Definition::Called(block)) => match function.call(block) {
                Some((through, callee)) if callee.hands_on() => {
                    through.arguments.first().and_then(Operand::place)
                }
                _ => None,
            },
            Some(definition @ Definition::Assigned(..)) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => Some(from),
                _ => None,
            },
            None => None,
        };
        let Some(from) = from else { return false };
        slot = Slot::at(from);
    }
    false
}
