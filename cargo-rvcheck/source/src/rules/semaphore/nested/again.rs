//! Whether a recursive call reaches the same request for a permit as its caller, if not every call does.

use crate::body::paths::Paths;
use crate::body::provenance::{carried, source};
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{Block, BlockId, Local, Operand, Place, Terminator};
use crate::program::Program;
use crate::program::library::mentions_permits;
use crate::ty::Ty;

/// Whether the calls that a body makes of itself come to that request too, as far as is known: each branch that leads to it goes by data, or
/// by a flag that they are given as it is, or as it has to be. Where it goes by whether there is a permit already, they may be given theirs.
pub(super) fn asks_again(program: &Program, id: FunctionId, request: BlockId) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    function.blocks().filter(|(_, it)| !it.cleanup).all(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return true;
        };
        let leads = |to: BlockId| paths.reach(&[to], &|it| it == at, &|it| it == request);
        let sides = paths.next(at);
        if !sides.iter().any(|it| leads(*it)) || sides.iter().all(|it| leads(*it)) {
            return true;
        }
        if goes_by_permit(function, at, on) {
            return false;
        }
        let Some((flag, straight)) = given_flag(function, on) else { return true };
        let when_false = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to);
        let wanted = match (when_false, otherwise) {
            (_, Some(it)) if leads(*it) => straight,
            (Some(it), _) if leads(it) => !straight,
            _ => return true,
        };
        let is_wanted = |it: &Operand| match it {
            Operand::Constant(it) => *it == wanted.to_string(),
            Operand::Place(it) => given_flag(function, it) == Some((flag, true)),
        };
        let mut given = own_arguments(program, id, flag).peekable();
        given.peek().is_some() && given.all(is_wanted)
    })
}

/// Whether a branch goes by whether there is a permit.
fn goes_by_permit(function: &Function, at: BlockId, on: &Place) -> bool {
    let is_permit = |it: &Place| function.type_of(it).is_some_and(mentions_permits);
    let mut asked = function.body.block(at).into_iter().flat_map(Block::looked_at);
    let made = source(function, &Slot::at(on)).and_then(|it| function.call(it));
    asked.any(is_permit) || made.is_some_and(|(call, _)| call.places().any(is_permit))
}

/// How many moves are followed.
const FARTHEST: usize = 16;

/// The number of the captured flag that a value is, and whether it says the same.
fn given_flag(function: &Function, place: &Place) -> Option<(u32, bool)> {
    if !function.type_of(place).is_some_and(Ty::is_bool) {
        return None;
    }
    let (mut slot, mut straight) = (Slot::at(place), true);
    for _ in 0..FARTHEST {
        if let Some((number, [])) = function.captured(&slot) {
            return Some((number, straight));
        }
        let value = function.assigned(function.definition(&slot)?)?;
        slot = Slot::at(carried(value, &mut straight)?);
    }
    None
}

/// What a body gives for one of its captured values where it calls the function that makes it.
fn own_arguments(program: &Program, id: FunctionId, captured: u32) -> impl Iterator<Item = &Operand> {
    let function = program.function(id);
    function.calls().filter_map(move |(block, call, _)| {
        let called = program.called(function, block)?;
        let (machine, given) = program.machine_made_by(called)?;
        let mut slot = Slot::at(given.get(captured as usize)?.place()?);
        let maker = program.function(called);
        while let Some(from) = maker.definition(&slot).and_then(|it| maker.assigned(it)) {
            slot = Slot::at(carried(from, &mut true)?);
        }
        let Local(number) = slot.local;
        let argument = call.arguments.get((number as usize).checked_sub(1)?)?;
        (machine == id).then_some(argument)
    })
}
