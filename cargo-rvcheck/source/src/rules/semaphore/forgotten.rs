//! A permit that is forgotten and given back by hand, but not on every path.
//!
//! Between `forget` and `add_permits` nothing owns the permit: a `?` or `return` in between loses it forever. If another body may add
//! permits to the same semaphore, that may give it back, and nothing is reported.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Place};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::call_ref;
use crate::program::fills::fills_of;
use crate::program::library::{mentions, sort};
use rvcheck_primitives::{Action, Is};

/// Finds such permits.
pub(super) fn check(program: &Program, objects: &AbstractObjects<'_>) -> Vec<Hit> {
    let given_back = given_back(program);
    if given_back.is_empty() {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let mine: Vec<BlockId> = given_back.iter().filter(|it| it.0 == id).map(|it| it.1).collect();
        if mine.is_empty() {
            continue;
        }
        let paths = Paths::of(function);
        for (block, call, callee) in function.calls() {
            let permit = call.place(0);
            // Its own method, or `std::mem::forget`.
            let of_permit = permit
                .and_then(|it| function.type_of(it))
                .is_some_and(|it| mentions(it, |it| it == Is::Permits));
            if !callee.forgets_permits() || !of_permit {
                continue;
            }
            let Some(object) = permit.and_then(|it| semaphore_of(objects, id, function, Slot::at(it))) else {
                continue;
            };
            let mut elsewhere = given_back.iter().filter(|it| it.0 != id);
            let is_alone = is_alone(program, &object);
            let apart =
                |on: AbstractObject| matches!(on, AbstractObject::Field(..)) && on != object && is_alone;
            let all_mine = elsewhere.all(|(of, at)| added_to(program, objects, *of, *at).is_some_and(apart));
            let back: Vec<BlockId> = mine
                .iter()
                .copied()
                .filter(|it| added_to(program, objects, id, *it).as_ref() == Some(&object))
                .filter(|it| is_of_permit(function, *it, permit))
                .collect();
            if !all_mine || !back.iter().any(|it| paths.leads(block, *it)) {
                continue;
            }
            let without = paths.from(paths.next(block), &|it| back.contains(&it));
            if without.into_iter().any(|it| function.returns_at(it)) {
                hits.push(hit(call_ref(program, id, block), call_ref(program, id, back[0])));
            }
        }
    }
    hits
}

/// Whether a call adds as many permits as one is of: a number that is computed changes how many there are.
fn is_of_permit(function: &Function, adds: BlockId, permit: Option<&Place>) -> bool {
    let number = function.call(adds).and_then(|(call, _)| call.arguments.get(1));
    let Some(Operand::Place(number)) = number else { return true };
    let made = permit.and_then(|it| source(function, &Slot::at(it))).and_then(|it| function.call(it));
    // A request for several says how many.
    let is_counted =
        |it: &Operand| it.place().is_some_and(|it| function.type_of(it) == function.type_of(number));
    let of_several = made.is_some_and(|(call, _)| call.arguments.iter().skip(1).any(is_counted));
    let given = Slot::at(number);
    of_several || function.is_argument(&given)
}

/// Whether a semaphore is a part of the value that has it, so that no other place leads to it.
pub(super) fn is_alone(program: &Program, object: &AbstractObject) -> bool {
    let AbstractObject::Field(of, field) = object else { return false };
    let mut filled = fills_of(program, of).filter(|it| it.field == *field).peekable();
    filled.peek().is_some()
        && filled.all(|it| {
            program
                .function(it.function)
                .type_of(it.from)
                .and_then(sort)
                .is_some_and(|it| matches!(it, Is::Semaphore(_)))
        })
}

/// The calls that add permits to a semaphore, with their bodies.
pub(super) fn given_back(program: &Program) -> Vec<(FunctionId, BlockId)> {
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        for (block, ..) in function.calls() {
            if function.callee(block).row().is_some_and(|it| matches!(it.operation.action, Action::Add(_))) {
                found.push((id, block));
            }
        }
    }
    found
}

/// The semaphore that a call adds permits to.
pub(super) fn added_to(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Option<AbstractObject> {
    let (call, _) = program.function(id).call(block)?;
    objects.object(id, call.place(0)?)
}

/// The semaphore that a permit is of.
pub(super) fn semaphore_of(
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
    permit: Slot,
) -> Option<AbstractObject> {
    let mut from = permit;
    // The request is awaited and unwrapped before there is a permit.
    for _ in 0..8 {
        let block = source(function, &from)?;
        let (call, callee) = function.call(block)?;
        let on = call.place(0)?;
        if callee.may(|it| matches!(it.action, Action::Acquire(_))) {
            return objects.object(id, on);
        }
        from = Slot::at(on);
    }
    None
}

fn hit(forgotten: CodeRef, back: CodeRef) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "this permit is forgotten, and a path out of the function does not give it back: the semaphore loses it"
            .to_owned(),
        primary: (forgotten, "forgotten here".to_owned()),
        related: vec![(back, "given back here on the other paths".to_owned())],
        advice: "keep the permit until the work is done: it gives itself back when dropped".to_owned(),
    }
}
