//! Places that have nothing in them where they are dropped: a branch has said so before.

use super::paths::Paths;
use super::provenance::source;
use super::{Definition, Function, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::ty::Ty;

/// Whether an `Option` is `None` at a block on every path that leads there, as far as branches on it tell.
pub(crate) fn is_empty_at(function: &Function, place: &Place, at: BlockId) -> bool {
    let is_option = function.type_of(place).is_some_and(Ty::is_option);
    let paths = Paths::of(function);
    if is_option && is_not_filled_yet(function, paths, place, at) {
        return true;
    }
    // A branch says nothing of what is put into it later.
    if !is_option || function.definition(&Slot::at(place)).is_none() {
        return false;
    }
    let mut sides = function.blocks().filter_map(|(from, _)| empty_side(function, place, from));
    sides.any(|(from, to)| {
        let only_from_there = paths.before(to) == [from];
        only_from_there && !paths.from(&[BlockId(0)], &|it| it == to).contains(&at)
    })
}

/// Whether all that a body puts into a place before a block is `None`.
fn is_not_filled_yet(function: &Function, paths: &Paths, place: &Place, at: BlockId) -> bool {
    let slot = Slot::at(place);
    let is_none = |it: Definition| match function.assigned(it) {
        Some(Rvalue::Use(Operand::Constant(text))) => text.ends_with("::None"),
        value => value.and_then(|it| it.variant("None")).is_some_and(<[_]>::is_empty),
    };
    let definitions = function.definitions(&slot);
    let is_borrowed = function.blocks().flat_map(|(_, it)| &it.statements).any(|it| {
        matches!(it, Statement::Assign(_, Rvalue::Reference(of, kind)) if of.local == place.local && *kind)
    });
    let block_of = |it: Definition| match it {
        Definition::Assigned(block, _) | Definition::Called(block) => block,
    };
    slot.steps.is_empty()
        && !is_borrowed
        && definitions.iter().any(|it| is_none(*it))
        && definitions.iter().all(|it| is_none(*it) || !paths.leads(block_of(*it), at))
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
    let given = Slot::at(call.place(0)?);
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
