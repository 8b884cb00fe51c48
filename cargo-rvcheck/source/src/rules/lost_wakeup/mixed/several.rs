//! Several items or permits that are put in at once, of which one waiter is notified, who takes its own and is over.

use super::{Certainty, Hit, is_for_all};
use crate::body::by_name::holds_by;
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::text::{arguments, referent};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::signals::{How, Operation, Signals, Value, Waiter, Write, takes_next};
use crate::mir::{BlockId, Call, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;
use rvcheck_primitives::{Holds, Leaves};

/// Such a notification.
pub(super) fn check(
    signals: &Signals<'_>,
    id: FunctionId,
    notification: &Operation,
    waiting: &[&Waiter],
) -> Option<Hit> {
    let program = signals.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let operations = signals.operations(id);
    let given = operations.iter().filter(|it| it.notifies() && it.object == notification.object).count();
    if given != 1 || paths.repeats(notification.block) {
        return None;
    }
    let writes = signals.writes(id);
    let mut puts = writes.iter().filter(|it| {
        it.made.0 == id
            && it.how != How::Bare
            && (it.block == notification.block || paths.leads(it.block, notification.block))
            && is_of_several(signals.program, function, it)
    });
    let waiter = puts.find_map(|write| {
        waiting.iter().find(|waiter| {
            waiter.leaves.get(&write.state).is_some_and(|it| it.contains(&write.value))
                && takes_its_own(signals, waiter, &write.state)
                && is_for_all(signals, waiter)
                && !signals.operations(waiter.id).iter().any(Operation::notifies)
        })
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "several may be put in at once, and one waiter is notified, who takes its own: others wait on although there are more".to_owned(),
        primary: (call_ref(program, id, notification.block), "notifies one of them".to_owned()),
        related: vec![(call_ref(program, waiter.id, waiter.wait), "each of them waits here".to_owned())],
        advice: "notify all, or as many as were put in; or let whoever takes one notify the next while there are more".to_owned(),
    })
}

/// Whether a write adds as much as it is given, or all of another collection.
fn is_of_several(program: &Program, function: &Function, write: &Write) -> bool {
    let call = function.call(write.block);
    match write.value {
        Value::Filled(true) => {
            call.is_some_and(|(call, callee)| callee.is_trait("Extend", "extend") || puts_all(function, call))
        }
        Value::Greater(true) => {
            let by_call = leaves(program, function, write.block) == Some(Leaves::More)
                && call.is_some_and(|(call, _)| matches!(call.arguments.get(1), Some(Operand::Place(_))));
            let block = function.body.block(write.block);
            let mut added = block.into_iter().flat_map(|it| &it.statements).filter_map(|it| match it {
                Statement::Assign(into, _) if !into.projections.is_empty() => Some(into),
                _ => None,
            });
            by_call || added.next().is_some() && adds_given(function, write)
        }
        _ => false,
    }
}

/// Whether the sum that a block writes has a part that is no constant, beside what was there.
fn adds_given(function: &Function, write: &Write) -> bool {
    let blocks =
        function.blocks().filter(|(it, _)| Paths::of(function).leads(*it, write.block) || *it == write.block);
    let mut sums = blocks.flat_map(|(_, it)| &it.statements).filter_map(|it| match it {
        Statement::Assign(_, Rvalue::Made(name, parts)) if name.starts_with("Add") => Some(parts),
        _ => None,
    });
    let only = sums.next().filter(|_| sums.next().is_none());
    only.is_some_and(|parts| {
        let given = |it: &Operand| crate::body::provenance::is_given(function, it);
        matches!(parts.as_slice(), [_, Operand::Place(_)]) && parts.get(1).is_some_and(given)
    })
}

/// Whether a waiter takes a part of the state, and not all of it, and is over with that.
fn takes_its_own(signals: &Signals<'_>, waiter: &Waiter, state: &AbstractObject) -> bool {
    let own = Paths::of(signals.program.function(waiter.id));
    let writes = signals.writes(waiter.id);
    let taken: Vec<&Write> = writes.iter().filter(|it| it.state == *state).collect();
    !taken.is_empty()
        && taken.iter().all(|it| {
            let (made, _) = it.made;
            let function = signals.program.function(made);
            let behind = own.from(own.next(it.block), &|it| it == waiter.wait);
            is_part(signals.program, function, it)
                && !signals.is_repeated_within(waiter.id, it)
                && !taken.iter().any(|it| behind.contains(&it.block))
        })
}

/// What the call at the end of a block leaves in a number.
fn leaves(program: &Program, function: &Function, block: BlockId) -> Option<Leaves> {
    program.row(function, block)?.operation.leaves
}

/// Whether a call puts all elements of what it is given into a collection.
fn puts_all(function: &Function, call: &Call) -> bool {
    let of = |at: usize| call.arguments.get(at).and_then(Operand::place).and_then(|it| function.type_of(it));
    let bare = |it| referent(it).unwrap_or(it);
    let (Some(into), Some(given)) = (of(0).map(bare), of(1).map(bare)) else { return false };
    let is_element = arguments(into).first().is_some_and(|it| *it == given);
    let is_all = given.starts_with('[') || holds_by(given).is_some_and(Holds::is_collection);
    is_all && !is_element
}

fn is_part(program: &Program, function: &Function, write: &Write) -> bool {
    let at = write.made.1;
    let by_call = takes_next(function, at) || leaves(program, function, at) == Some(Leaves::Less);
    let statements = function.body.block(at).into_iter().flat_map(|it| &it.statements);
    let is_subtracted = |value: &Rvalue| match value {
        Rvalue::Use(Operand::Place(from)) => {
            let called = source(function, &Slot::at(from)).and_then(|it| function.call(it));
            called.is_some_and(|(_, callee)| callee.name() == "checked_sub")
        }
        _ => false,
    };
    let by_number = statements.into_iter().any(|it| match it {
        Statement::Assign(into, value) => !into.projections.is_empty() && is_subtracted(value),
        _ => false,
    });
    by_call
        || by_number
        || write.value == Value::Greater(false)
            && !matches!(leaves(program, function, at), Some(Leaves::Argument(_)))
}
