//! A message in two parts: two sends on one shared sender, the second of which may have to wait, and a receiver that takes both parts
//! together. A future dropped while it waits leaves the first part in the channel, and the receiver combines it with the next message.
//!
//! The parts are two variants of one type. That they belong together is seen in the receiver: one body receives twice, and takes one
//! variant out of the first message and the other out of the second.

use super::{SplitUpdate, What, is_shared};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, is_part, items};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::objects::{is_receiver, is_sender};
use crate::mir::{BlockId, Place, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop};
use crate::program::suspending::after_suspension;
use crate::ty::Ty;

/// A send of one part.
struct Part {
    block: BlockId,
    sender: AccessPath,
    /// The last segment of the type of the message.
    of: String,
    variant: String,
}

/// Finds such a message.
pub(super) fn check(program: &Program, id: FunctionId, function: &Function) -> Option<SplitUpdate> {
    let parts: Vec<Part> = function.calls().filter_map(|(block, ..)| part(program, id, block)).collect();
    parts.iter().find_map(|first| {
        let belongs =
            |it: &&Part| it.sender == first.sender && it.of == first.of && it.variant != first.variant;
        let others: Vec<&Part> = parts.iter().filter(belongs).collect();
        let is_other = |block| others.iter().any(|it| it.block == block);
        let (second, _) = after_suspension(program, function, first.block, &is_other)?;
        let between = awaited_at(function, second)?;
        let second = others.into_iter().find(|it| it.block == second)?;
        is_received_as_one(program, first, second).then_some(SplitUpdate {
            first: (id, first.block),
            second: second.block,
            between,
            what: What::Message,
        })
    })
}

fn part(program: &Program, id: FunctionId, block: BlockId) -> Option<Part> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let [on, message] = call.arguments.as_slice() else { return None };
    let sends = callee.sends() && function.type_of(on.place()?).is_some_and(is_sender);
    awaited_at(function, block).filter(|_| sends)?;
    let sender = AccessPaths::of(program, function).operand(on)?.then(Hop::Deref);
    (sender.is_one() && is_shared(program, id, &sender)).then_some(())?;
    let of = function.type_of(message.place()?)?.name().to_owned();
    let made = function.assigned(function.definition(&Slot::at(message.place()?))?)?;
    let variant = made.constructed()?.0.name().to_owned();
    (variant != of).then_some(Part { block, sender, of, variant })
}

/// Whether a body receives both parts, one after the other, and takes both out of what it receives.
fn is_received_as_one(program: &Program, first: &Part, second: &Part) -> bool {
    program.functions().any(|(_, function)| {
        let access_paths = AccessPaths::of(program, function);
        let receives: Vec<(BlockId, AccessPath)> = function
            .calls()
            .filter_map(|(block, call, callee)| {
                let on = call.arguments.first().filter(|_| callee.receives())?;
                let receives = receives_of(function.type_of(on.place()?)?, &first.of);
                Some((block, access_paths.operand(on).filter(|_| receives)?))
            })
            .collect();
        if receives.len() < 2 {
            return false;
        }
        let paths = Paths::of(function);
        receives.iter().any(|(one, on)| {
            takes_out(function, *one, &first.variant)
                && receives.iter().any(|(other, from)| {
                    other != one
                        && on == from
                        && paths.leads(*one, *other)
                        && takes_out(function, *other, &second.variant)
                })
        })
    })
}

/// Whether something of this type receives messages of a type with this name.
fn receives_of(ty: Ty, of: &str) -> bool {
    let ty = ty.pointee();
    is_receiver(ty) && ty.argument(0).is_some_and(|it| it.name() == of)
}

/// Whether a body takes what is in a variant out of what a call received.
fn takes_out(function: &Function, received: BlockId, variant: &str) -> bool {
    let items = items(function, received);
    let is_it = |place: &Place| is_part(&items, place) && place.is_of_variant(variant);
    let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
    blocks.into_iter().any(|(_, block)| {
        let stated = block.assignments().any(|(_, value)| value.places().any(is_it));
        stated
            || matches!(&block.terminator, Terminator::Call(call)
                if call.places().any(is_it))
    })
}
