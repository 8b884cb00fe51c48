//! How much a write puts in or takes out: one, a part, or as much as there is.

use super::state::{Value, Write, takes_next};
use crate::body::paths::Paths;
use crate::body::provenance::{is_given, source};
use crate::ty::Ty;

use crate::body::{Function, Slot};
use crate::mir::{BlockId, Call, Made, Operand, Operator, Rvalue, Statement};
use rvcheck_primitives::{Holds, Leaves};

/// Whether a write adds as much as it is given, or all of another collection.
pub(crate) fn is_of_several(function: &Function, write: &Write) -> bool {
    let call = function.call(write.block);
    match write.value {
        Value::Filled(true) => {
            call.is_some_and(|(call, callee)| callee.is_trait("Extend", "extend") || puts_all(function, call))
        }
        Value::Greater(true) => {
            let by_call = leaves(function, write.block) == Some(Leaves::More)
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
        Statement::Assign(_, Rvalue::Made(Made::By(Operator::Add), parts)) => Some(parts),
        _ => None,
    });
    let only = sums.next().filter(|_| sums.next().is_none());
    only.is_some_and(|parts| {
        let given = |it: &Operand| is_given(function, it);
        matches!(parts.as_slice(), [_, Operand::Place(_)]) && parts.get(1).is_some_and(given)
    })
}

/// What the call at the end of a block leaves in a number.
fn leaves(function: &Function, block: BlockId) -> Option<Leaves> {
    function.callee(block).row()?.operation.leaves
}

/// Whether a call puts all elements of what it is given into a collection.
fn puts_all(function: &Function, call: &Call) -> bool {
    let of = |at: usize| function.type_given(call, at);
    let (Some(into), Some(given)) = (of(0).map(Ty::pointee), of(1).map(Ty::pointee)) else { return false };
    let is_element = into.argument(0) == Some(given);
    let is_all = given.is_sequence() || given.holds().is_some_and(Holds::is_collection);
    is_all && !is_element
}

/// Whether a write takes a part of what is there, and not all of it.
pub(crate) fn is_part(function: &Function, write: &Write) -> bool {
    let at = write.made.1;
    let by_call = takes_next(function, at) || leaves(function, at) == Some(Leaves::Less);
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
        || write.value == Value::Greater(false) && !matches!(leaves(function, at), Some(Leaves::Argument(_)))
}
