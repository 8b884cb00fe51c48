//! Which `Drop` implementations of the workspace run when a value goes.

use super::access::AccessPaths;
use super::function::Function;
use super::program::{FunctionId, Program};
use super::runs::Run;
use super::text::{arguments, head, last};
use crate::mir::{BlockId, Operand, Place, Terminator};
use rvcheck_primitives::code::types::is_container;

/// How deep types are looked into.
const DEEPEST: usize = 4;

/// The blocks of a body at whose end a value is dropped where it goes out of scope or is overwritten, with what that runs.
pub(crate) fn drops(program: &Program, function: &Function) -> Vec<(BlockId, Run)> {
    let mut found = Vec::new();
    for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        if let Terminator::Drop { place, .. } = &block.terminator {
            found.extend(run_by(program, function, place).into_iter().map(|it| (id, it)));
        }
    }
    found
}

/// What the call at the end of a block runs if that is `drop`.
pub(super) fn dropped_by_call(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let given = function.call(block).filter(|(_, callee)| {
        callee.of_trait.is_none() && matches!(callee.path.as_str(), "drop" | "std::mem::drop" | "mem::drop")
    });
    let place = given.and_then(|(call, _)| call.arguments.first()).and_then(Operand::place);
    place.map(|it| run_by(program, function, it)).unwrap_or_default()
}

/// What dropping a place runs.
fn run_by(program: &Program, function: &Function, place: &Place) -> Vec<Run> {
    let Some(ty) = function.type_of(place) else { return Vec::new() };
    if let Some(body) = program.drop_of(ty) {
        let access_path =
            AccessPaths::of(program, function).place(place).map(|it| it.then(super::access::Hop::Address));
        return vec![Run {
            body,
            arguments: vec![access_path],
            captured: Vec::new(),
            always: true,
            one_of_several: false,
        }];
    }
    let mut bodies = Vec::new();
    collect(program, ty, &mut bodies, 0);
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

fn collect(program: &Program, ty: &str, found: &mut Vec<FunctionId>, depth: usize) {
    let is_owner = ty.starts_with('(') || is_container(last(&head(ty)));
    if depth > DEEPEST || !is_owner {
        return;
    }
    for inner in arguments(ty) {
        match program.drop_of(inner) {
            Some(body) => found.push(body),
            None => collect(program, inner, found, depth + 1),
        }
    }
}
