//! Fields in which all values of a struct have handles to one and the same thing: it is made once, and each value gets a clone of the
//! handle.

use super::fills::fills_of;
use super::{Program, callers};
use crate::body::paths::Paths;
use crate::body::{Definition, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue};

/// How many calls are followed back.
const DEEPEST: usize = 4;

/// Whether all values of the struct of that name have handles to one thing in a field.
pub(crate) fn share_one(program: &Program, of: &str, field: u32) -> bool {
    let mut fills = fills_of(program, of).filter(|it| it.field == field).peekable();
    fills.peek().is_some()
        && fills.all(|it| {
            let made = program.function(it.function).definition(&Slot::at(it.into));
            let block = made.map(|(Definition::Assigned(block, _) | Definition::Called(block))| block);
            is_given_again(program, (it.function, block), it.from, DEEPEST)
        })
}

/// Whether a place has the same handle, or a clone of it, each time that a block is reached.
fn is_given_again(
    program: &Program,
    (id, block): (FunctionId, Option<BlockId>),
    place: &Place,
    depth: usize,
) -> bool {
    let function = program.function(id);
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        if let Some((number, _)) = function.captured(&slot) {
            return depth > 0 && is_captured_again(program, id, number as usize, depth - 1);
        }
        let whole = function.whole(&slot);
        if function.is_argument(&whole) {
            return depth > 0 && is_given_by_all(program, id, whole.local.0 as usize - 1, depth - 1);
        }
        let from = match function.definition(&whole) {
            Some(Definition::Called(made)) => {
                let Some((call, callee)) = function.call(made) else { return false };
                if !callee.shares() {
                    let paths = Paths::of(function);
                    return block
                        .is_some_and(|it| paths.repeats(it) && !paths.loop_around(it).contains(&made));
                }
                call.place(0)
            }
            Some(made) => match function.assigned(made) {
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

/// Whether a closure has the same handle each time that it runs, and there is either one such closure or all have that handle.
fn is_captured_again(program: &Program, id: FunctionId, number: usize, depth: usize) -> bool {
    let Some(((maker, block), (_, _, values))) = callers::maker(program, id).zip(callers::made(program, id))
    else {
        return false;
    };
    let captured = values.get(number).and_then(Operand::place);
    let is_made_again = Paths::of(program.function(maker)).repeats(block);
    !is_made_again || captured.is_some_and(|it| is_given_again(program, (maker, Some(block)), it, depth))
}

/// Whether all callers of a function give it the same handle again and again as the argument of that number.
fn is_given_by_all(program: &Program, id: FunctionId, number: usize, depth: usize) -> bool {
    let mut calls = program
        .functions()
        .flat_map(|(caller, function)| {
            function.calls().map(move |(block, call, _)| (caller, function, block, call))
        })
        .filter(|(_, function, block, _)| program.called(function, *block) == Some(id))
        .peekable();
    calls.peek().is_some()
        && calls.all(|(caller, _, block, call)| {
            let given = call.place(number);
            given.is_some_and(|it| is_given_again(program, (caller, Some(block)), it, depth))
        })
}
