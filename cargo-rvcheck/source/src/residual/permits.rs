//! Which semaphores may be locks: those that may be made with one permit.

use super::occurs::occurs;
use crate::body::provenance::number;
use crate::body::{Function, owner};
use crate::mir::{BlockId, Operand};
use crate::program::Program;

/// Whether there may be a semaphore of one permit: one whose count at its making is 1, or not known, or that comes from elsewhere.
pub(super) fn may_be_locks(programs: &[&Program]) -> bool {
    let given = programs.iter().flat_map(|program| {
        program.functions().flat_map(|(_, function)| {
            function.calls().filter_map(|(block, ..)| is_of_many(program, function, block))
        })
    });
    let mut given = given.peekable();
    let unmade = given.peek().is_none() && programs.iter().any(|it| occurs(it, &["Semaphore"]));
    unmade || given.any(|it| !it)
}

/// Whether the semaphore that a call gives has a known number of permits other than one; `None` where it gives none, or one that it was
/// given itself.
fn is_of_many(program: &Program, function: &Function, block: BlockId) -> Option<bool> {
    let is_semaphore = |ty: &str| ty.contains("Semaphore") && !ty.contains("Permit");
    let (call, callee) = function.call(block)?;
    function.type_of(&call.into).filter(|it| is_semaphore(it))?;
    let path = program.callee_path(function, block);
    if owner(path) == "Semaphore" && matches!(callee.name(), "new" | "const_new") {
        let permits = call.arguments.first()?;
        let known = number(function, permits).or_else(|| program.constant_number(permits));
        return Some(known.is_some_and(|it| it != 1));
    }
    let is_given = call
        .arguments
        .iter()
        .filter_map(Operand::place)
        .any(|it| function.type_of(it).is_some_and(is_semaphore));
    (program.called(function, block).is_none() && !is_given).then_some(false)
}
