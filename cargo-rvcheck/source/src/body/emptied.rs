//! Places that have nothing in them where they are dropped: a branch has said so before.

use super::paths::Paths;
use super::provenance::source;
use super::text::{head, last};
use super::{Function, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Terminator};

/// Whether an `Option` is `None` at a block on every path that leads there, as far as branches on it tell.
pub(crate) fn is_empty_at(function: &Function, place: &Place, at: BlockId) -> bool {
    let is_option = function.type_of(place).is_some_and(|it| last(&head(it)) == "Option");
    // What is put into it later is not followed.
    if !is_option || function.definition(&Slot::at(place)).is_none() {
        return false;
    }
    let paths = Paths::of(function);
    let mut sides = function.blocks().filter_map(|(from, _)| empty_side(function, place, from));
    sides.any(|(from, to)| {
        let only_from_there = paths.before(to) == [from];
        only_from_there && !paths.from(&[BlockId(0)], &|it| it == to).contains(&at)
    })
}

/// Where a branch on whether something is in a place leads if there is nothing.
fn empty_side(function: &Function, place: &Place, from: BlockId) -> Option<(BlockId, BlockId)> {
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } =
        &function.body.block(from)?.terminator
    else {
        return None;
    };
    let to = |value: i128| cases.iter().find(|(it, _)| *it == value).map(|(_, to)| *to).or(*otherwise);
    let made = function.definition(&Slot::at(on))?;
    if let Some(Rvalue::Discriminant(of)) = function.assigned(made) {
        return (of == place).then(|| to(0)).flatten().map(|it| (from, it));
    }
    let asked = source(function, &Slot::at(on))?;
    let (call, callee) = function.call(asked)?;
    let given = Slot::at(call.arguments.first()?.place()?);
    let Some(Rvalue::Reference(of, _)) = function.definition(&given).and_then(|it| function.assigned(it))
    else {
        return None;
    };
    let value = match callee.name() {
        "is_none" => 1,
        "is_some" => 0,
        _ => return None,
    };
    (of == place).then(|| to(value)).flatten().map(|it| (from, it))
}
