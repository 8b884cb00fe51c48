//! A permit that is acquired and forgotten in each iteration, of a semaphore to which none is ever given back.
//!
//! Once all permits are used up, the next iteration waits forever. Forgetting a permit once may be meant to shrink the semaphore.

use super::super::{Certainty, Hit};
use super::forgotten::{added_to, given_back, is_alone, semaphore_of};
use super::is_handed_out;
use crate::body::Slot;
use crate::body::paths::Paths;
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use rvcheck_primitives::{Action, Is};

/// Finds such permits.
pub(super) fn check(program: &Program, objects: &AbstractObjects<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let paths = Paths::of(function);
        for (block, call, _) in function.calls().filter(|(.., it)| it.forgets_permits()) {
            let permit = call.place(0);
            let permit = permit
                .filter(|it| function.type_of(it).is_some_and(|it| mentions(it, |it| it == Is::Permits)));
            let semaphore = permit.and_then(|it| semaphore_of(objects, id, function, Slot::at(it)));
            let Some(object @ AbstractObject::Field(..)) = semaphore.filter(|_| paths.repeats(block)) else {
                continue;
            };
            if may_come_back(program, objects, &object) || is_handed_out(program) {
                continue;
            }
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "each iteration forgets a permit, and nothing gives one back: once all are used up, this waits forever"
                    .to_owned(),
                primary: (call_ref(program, id, block), "forgotten here".to_owned()),
                related: Vec::new(),
                advice: "keep the permit until the work is done, or give it back with `add_permits` when that ends"
                    .to_owned(),
            });
        }
    }
    hits
}

/// Whether somebody adds permits to a semaphore or closes it, or may do so.
fn may_come_back(program: &Program, objects: &AbstractObjects<'_>, semaphore: &AbstractObject) -> bool {
    let is_apart = is_alone(program, semaphore);
    let is_it = |on: Option<AbstractObject>| match on {
        // What is shared goes by several fields.
        Some(on @ AbstractObject::Field(..)) => on == *semaphore || !is_apart,
        _ => true,
    };
    let adds = given_back(program).into_iter().any(|(id, at)| is_it(added_to(program, objects, id, at)));
    let closes = |(id, function): (_, &crate::body::Function)| {
        function.calls().any(|(block, ..)| {
            let row = function.callee(block).row();
            row.is_some_and(|it| {
                it.operation.action == Action::Close && matches!(it.owner.is, Is::Semaphore(_))
            }) && is_it(added_to(program, objects, id, block))
        })
    };
    adds || program.functions().any(closes)
}
