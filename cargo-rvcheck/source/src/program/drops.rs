//! Which `Drop` implementations of the workspace run when a value goes.

use crate::body::emptied::is_empty_at;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Made, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::access::AccessPaths;
use crate::program::runs::Run;
use crate::ty::Ty;
use rvcheck_primitives::code::types::is_container;

/// How deep types are looked into.
const DEEPEST: usize = 4;

/// The blocks of a body at whose end a value is dropped where it goes out of scope or is overwritten, with what that runs.
pub(crate) fn drops(program: &Program, function: &Function) -> Vec<(BlockId, Run)> {
    let mut found = Vec::new();
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        if let Terminator::Drop { place, .. } = &block.terminator
            && !drops_nothing(function, place, id)
        {
            found.extend(run_by(program, function, place).into_iter().map(|it| (id, it)));
        }
    }
    found
}

/// What the call at the end of a block runs if that is `drop`.
pub(super) fn dropped_by_call(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let given = function.call(block).filter(|(_, callee)| callee.is_drop());
    let place = given.and_then(|(call, _)| call.arguments.first()).and_then(Operand::place);
    place.map(|it| run_by(program, function, it)).unwrap_or_default()
}

/// What dropping a place runs.
fn run_by(program: &Program, function: &Function, place: &Place) -> Vec<Run> {
    let Some(ty) = function.type_of(place) else { return Vec::new() };
    if let Some(body) = program.drop_of(ty) {
        let access_path = AccessPaths::of(program, function)
            .place(place)
            .map(|it| it.then(crate::program::access::Hop::Address));
        return vec![Run {
            body,
            arguments: vec![access_path],
            captured: Vec::new(),
            always: true,
            one_of_several: false,
        }];
    }
    let mut bodies = Vec::new();
    collect(program, ty, false, &mut bodies, 0);
    // Which one it is that goes, and whether there is one, is not known.
    let run = |body| Run {
        body,
        arguments: vec![None],
        captured: Vec::new(),
        always: false,
        one_of_several: false,
    };
    bodies.into_iter().map(run).collect()
}

/// The blocks of a body that drop a counted pointer, with the `Drop` implementations that run if it was the last one.
pub(crate) fn last_drops(program: &Program, function: &Function) -> Vec<(BlockId, FunctionId)> {
    let mut found = Vec::new();
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let place = match &block.terminator {
            Terminator::Drop { place, .. } => Some(place),
            Terminator::Call(call) => call.place(0).filter(|_| function.callee(id).is_drop()),
            _ => None,
        };
        let Some(ty) = place.and_then(|it| function.type_of(it)) else { continue };
        let mut bodies = Vec::new();
        collect(program, ty, true, &mut bodies, 0);
        found.extend(bodies.into_iter().map(|it| (id, it)));
    }
    found
}

/// The `Drop` implementations in what a type owns, alone or, where that is wanted, with others.
fn collect(program: &Program, ty: Ty, with_others: bool, found: &mut Vec<FunctionId>, depth: usize) {
    let is_owner = ty.is_tuple() || is_container(ty.name()) || with_others && ty.is_counted();
    if depth > DEEPEST || !is_owner {
        return;
    }
    for inner in ty.arguments() {
        match program.drop_of(*inner) {
            Some(body) => found.push(body),
            None => collect(program, *inner, with_others, found, depth + 1),
        }
    }
}

/// How far the key of a map is followed back.
const FARTHEST: usize = 6;

/// Whether there is nothing in a place where it is dropped.
pub(crate) fn drops_nothing(function: &Function, place: &Place, at: BlockId) -> bool {
    is_given_for_a_fresh_key(function, place) || is_empty_at(function, place, at)
}

/// Whether a value is what a map gave back for a key that it did not have: one that was counted up for this.
fn is_given_for_a_fresh_key(function: &Function, place: &Place) -> bool {
    let Some(Definition::Called(block)) = function.definition(&Slot::of(place.local)) else { return false };
    let Some((call, callee)) = function.call(block) else { return false };
    match call.arguments.as_slice() {
        [_, key, _] if callee.name() == "insert" => is_fresh(function, key, FARTHEST),
        _ => false,
    }
}

fn is_fresh(function: &Function, key: &Operand, depth: usize) -> bool {
    let (Some(place), Some(depth)) = (key.place(), depth.checked_sub(1)) else { return false };
    if let Some(Projection::Field(number, _)) = place.projections.last() {
        // The sum, beside whether it is too great.
        let made = function.definition(&Slot::of(place.local)).and_then(|it| function.assigned(it));
        // That of an operator has a flag beside it where it checks for an overflow.
        if let Some(Rvalue::Made(Made::By(_), parts)) = made.filter(|_| place.projections.len() == 1) {
            return parts.first().is_some_and(|it| is_fresh(function, it, depth));
        }
        // A counter in a field that goes on here.
        let is_it = |into: &Place| {
            matches!(into.projections.last(), Some(Projection::Field(it, _)) if it == number)
                && into.projections.len() == place.projections.len()
        };
        let mut statements = function.blocks().flat_map(|(_, it)| &it.statements);
        return statements.any(|it| matches!(it, Statement::Assign(into, Rvalue::Use(_)) if is_it(into)));
    }
    match function.definition(&Slot::of(place.local)) {
        Some(Definition::Called(block)) => function.call(block).is_some_and(|(call, callee)| {
            matches!(callee.name(), "fetch_add" | "new_v4" | "now_v7")
                || matches!(callee.name(), "clone" | "into" | "from" | "to_string")
                    && call.arguments.first().is_some_and(|it| is_fresh(function, it, depth))
        }),
        Some(it @ Definition::Assigned(..)) => match function.assigned(it) {
            Some(Rvalue::Use(from) | Rvalue::Cast(from, _)) => is_fresh(function, from, depth),
            Some(Rvalue::Reference(of, _)) => is_fresh(function, &Operand::Place(of.clone()), depth),
            Some(Rvalue::Made(_, parts)) => parts.first().is_some_and(|it| is_fresh(function, it, depth)),
            _ => false,
        },
        None => false,
    }
}
