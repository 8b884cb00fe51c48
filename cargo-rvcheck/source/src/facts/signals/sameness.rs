//! Where a body asks whether two wakers wake the same task.

use crate::body::provenance::carried;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Call, Local, Operand, Terminator};
use crate::program::Program;
use crate::program::library::mentions_waker;
use crate::ty::Ty;

/// A branch that goes by whether two wakers wake the same task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sameness {
    /// The call that asks.
    pub(crate) asked: BlockId,
    /// The block that branches.
    pub(crate) branch: BlockId,
    /// Where it goes on if they do.
    pub(crate) same: BlockId,
    /// Where it goes on if they do not.
    pub(crate) other: BlockId,
}

/// How deep closures are followed that give the answer.
const DEEPEST: usize = 3;
/// How many values are followed back.
const FARTHEST: usize = 16;

/// The branches of a body that go by whether two wakers wake the same task.
pub(crate) fn sameness(program: &Program, function: &Function) -> Vec<Sameness> {
    let branches = function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(branch, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let [(0, when_false)] = cases.as_slice() else { return None };
        let (asked, straight) = answer(program, function, &Slot::at(on), DEEPEST)?;
        let (when_true, when_false) = ((*otherwise)?, *when_false);
        let (same, other) = if straight { (when_true, when_false) } else { (when_false, when_true) };
        Some(Sameness { asked, branch, same, other })
    });
    branches.collect()
}

/// The call that a flag has its answer from, and whether the flag says the same.
fn answer(program: &Program, function: &Function, slot: &Slot, depth: usize) -> Option<(BlockId, bool)> {
    let (mut slot, mut straight) = (slot.clone(), true);
    for _ in 0..FARTHEST {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if compares(function, call) {
                    return Some((block, straight));
                }
                if callee.runs_given() && depth > 0 {
                    let inner = call.arguments.iter().find_map(|it| program.closure_of(function, it))?;
                    let inside = program.function(inner);
                    let (_, same) = answer(program, inside, &Slot::of(Local(0)), depth - 1)?;
                    return Some((block, same == straight));
                }
                if !callee.opens() && !callee.hands_on() {
                    return None;
                }
                call.place(0)?
            }
            definition @ Definition::Assigned(..) => carried(function.assigned(definition)?, &mut straight)?,
        };
        slot = Slot::at(from);
    }
    None
}

/// Whether a call is given two wakers, and says yes or no.
fn compares(function: &Function, call: &Call) -> bool {
    let is_waker = |it: &Operand| it.place().and_then(|it| function.type_of(it)).is_some_and(mentions_waker);
    let gives = function.type_of(&call.into);
    gives.is_some_and(Ty::is_bool) && call.arguments.len() == 2 && call.arguments.iter().all(is_waker)
}
