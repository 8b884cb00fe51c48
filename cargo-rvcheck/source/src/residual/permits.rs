//! Which semaphores may be locks: those that may be made with one permit.

use super::occurs::occurs;
use crate::body::Function;
use crate::body::provenance::number;
use crate::mir::BlockId;
use crate::program::Program;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Row, names_of};

/// Whether there may be a semaphore of one permit: one whose count at its making is 1, or not known, or that comes from elsewhere.
pub(super) fn may_be_locks(programs: &[&Program]) -> bool {
    let given = programs.iter().flat_map(|program| {
        program.functions().flat_map(|(_, function)| {
            function.calls().filter_map(|(block, ..)| is_of_many(program, function, block))
        })
    });
    let mut given = given.peekable();
    let semaphores: Vec<&str> = names_of(|it| matches!(it.is, Is::Semaphore(_))).into_iter().collect();
    let unmade = given.peek().is_none() && programs.iter().any(|it| occurs(it, &semaphores));
    unmade || given.any(|it| !it)
}

/// Whether the semaphore that a call gives has a known number of permits other than one; `None` where it gives none, or one that it was
/// given itself.
fn is_of_many(program: &Program, function: &Function, block: BlockId) -> Option<bool> {
    let has =
        |ty: Ty, is_so: fn(Is) -> bool| names_of(|it| is_so(it.is)).iter().any(|it| ty.text().contains(it));
    let is_semaphore =
        |ty: Ty| has(ty, |it| matches!(it, Is::Semaphore(_))) && !has(ty, |it| it == Is::Permits);
    let (call, callee) = function.call(block)?;
    function.type_of(&call.into).filter(|it| is_semaphore(*it))?;
    let makes =
        |it: &Row| matches!(it.owner.is, Is::Semaphore(_)) && matches!(it.operation.action, Action::Make(_));
    if callee.rows().iter().any(makes) && callee.is_of(|it| matches!(it, Is::Semaphore(_))) {
        let permits = call.arguments.first()?;
        let known = number(function, permits).or_else(|| program.constant_number(permits));
        return Some(known.is_some_and(|it| it != 1));
    }
    let is_given = call.places().any(|it| function.type_of(it).is_some_and(is_semaphore));
    (program.called(function, block).is_none() && !is_given).then_some(false)
}
