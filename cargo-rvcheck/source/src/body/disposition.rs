//! The disposition of a value: what becomes of it on each path from where it is made.

use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, Slot};
use crate::mir::{BlockId, Call, Operand, Rvalue, Terminator};
use std::collections::BTreeSet;

/// What becomes of a value on a path. As far as this can know: what is not understood counts as [`Disposition::Kept`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Disposition {
    /// It is dropped, and nobody but the body itself had it before. The block where.
    Dropped(BlockId),
    /// Something is done with it in this block: it is borrowed, moved on, stored or returned.
    Used(BlockId),
}

/// The dispositions of the value that the call at the end of this block returns.
pub(crate) fn dispositions(function: &Function, paths: &Paths, made: BlockId) -> BTreeSet<Disposition> {
    let mut found = BTreeSet::new();
    let Some((call, _)) = function.call(made) else { return found };
    let next = |at: BlockId, slot: &Slot| {
        paths.next(at).iter().map(|&next| (next, slot.clone())).collect::<Vec<_>>()
    };
    walk::reached(next(made, &Slot::at(&call.into)), |(id, slot)| match through(function, id, slot) {
        Ok(slot) => next(id, &slot),
        Err(disposition) => {
            found.insert(disposition);
            Vec::new()
        }
    });
    found
}

/// Where the value is after the block, if nothing became of it there.
fn through(function: &Function, id: BlockId, mut slot: Slot) -> Result<Slot, Disposition> {
    let used = Disposition::Used(id);
    let Some(block) = function.body.block(id) else { return Err(used) };
    for (into, value) in block.assignments() {
        let into = Slot::at(into);
        match value {
            Rvalue::Use(Operand::Place(from)) if Slot::at(from) == slot => {
                if into.steps.len() != function.root(&into) || is_returned(&into) {
                    return Err(used);
                }
                slot = into;
            }
            value if mentions(value, &slot) => return Err(used),
            _ if into == slot => return Err(used),
            _ => {}
        }
    }
    match &block.terminator {
        Terminator::Drop { place, .. } if slot.within(&Slot::at(place)).is_some() => {
            Err(Disposition::Dropped(id))
        }
        Terminator::Call(call) => match position(call, &slot) {
            None => Ok(slot),
            Some(_) => match function.call(id) {
                Some((_, callee)) if callee.hands_on() && !callee.is_awaiting() => Ok(Slot::at(&call.into)),
                Some((_, callee)) if callee.is_drop() => Err(Disposition::Dropped(id)),
                _ => Err(used),
            },
        },
        Terminator::Return if function.successors(id).is_empty() && is_returned(&slot) => Err(used),
        _ => Ok(slot),
    }
}

/// The argument of the call that the slot is.
fn position(call: &Call, slot: &Slot) -> Option<usize> {
    call.arguments.iter().position(|it| it.place().is_some_and(|it| touches(&Slot::at(it), slot)))
}

/// Whether a value is made of the slot or a part of it.
fn mentions(value: &Rvalue, slot: &Slot) -> bool {
    value.places().any(|it| touches(&Slot::at(it), slot))
}

fn touches(one: &Slot, other: &Slot) -> bool {
    one.within(other).is_some() || other.within(one).is_some()
}

fn is_returned(slot: &Slot) -> bool {
    slot.local.0 == 0
}
