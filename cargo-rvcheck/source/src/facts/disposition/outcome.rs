//! Calls by which a body tidies up: how its work went is known before them.

use super::errors::errors_in;
use super::reported::sides;
use super::results::Taken;
use crate::body::paths::Paths;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Terminator};
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Whether the call only tidies up: the body has a `Result` of something else meanwhile, which it looks at or gives back behind it, or it makes
/// the call only where something else has failed.
pub(crate) fn tidies_up(program: &Program, taken: &Taken) -> bool {
    let function = program.function(taken.at.0);
    has_outcome(function, taken) || is_after_failure(function, taken.made)
}

fn has_outcome(function: &Function, taken: &Taken) -> bool {
    let paths = Paths::of(function);
    let polled = taken.at.1;
    outcomes(function).iter().any(|(slot, made)| {
        let is_made = |it: BlockId| made.contains(&it);
        let starts: Vec<BlockId> = made.iter().flat_map(|it| paths.next(*it)).copied().collect();
        let is_there = paths.reach(&starts, &|it| it == polled || is_made(it), &|it| it == taken.made)
            || made.contains(&taken.made) && taken.made != polled;
        is_there && paths.reach(paths.next(polled), &is_made, &|it| uses(function, it, slot))
    })
}

/// Whether a block is reached by the side of a branch alone on which a `Result` is an `Err`.
fn is_after_failure(function: &Function, made: BlockId) -> bool {
    let paths = Paths::of(function);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(id, block)| {
        let of_result = block
            .assignments()
            .any(|(_, value)| matches!(value, Rvalue::Discriminant(of) if can_fail(function, of)));
        let Some((Some(failed), other)) = sides(function, id, (1, 0)).filter(|_| of_result) else {
            return false;
        };
        other != Some(failed)
            && paths.leads(id, made)
            && !paths.reach(&[BlockId(0)], &|it| it == failed, &|it| it == made)
    })
}

fn can_fail(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(|it| it.bare().is_result() && !errors_in(it).is_empty())
}

/// The results that can be errors, each with the blocks that give it a value.
fn outcomes(function: &Function) -> BTreeMap<Slot, BTreeSet<BlockId>> {
    let mut found: BTreeMap<Slot, BTreeSet<BlockId>> = BTreeMap::new();
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let assigned = block.assignments().map(|(into, _)| into);
        let called = function.call(id).map(|(call, _)| &call.into);
        for into in assigned.chain(called).filter(|it| can_fail(function, it)) {
            let slot = Slot::at(into);
            if slot.steps.len() == function.root(&slot) {
                let definitions = function.definitions(&slot).iter().map(|it| match it {
                    Definition::Assigned(block, _) | Definition::Called(block) => *block,
                });
                found.entry(slot.clone()).or_insert_with(|| definitions.collect());
            }
        }
    }
    found
}

/// Whether a block looks at a value or gives it on. To drop it is neither.
fn uses(function: &Function, block: BlockId, value: &Slot) -> bool {
    let is_it = |it: &Place| function.whole(&Slot::at(it)) == *value;
    let by = |it: &Operand| it.place().is_some_and(is_it);
    function.body.block(block).is_some_and(|it| {
        let stated = it.assignments().any(|(_, value)| value.places().any(is_it));
        stated || matches!(&it.terminator, Terminator::Call(call) if call.arguments.iter().any(by))
    })
}
