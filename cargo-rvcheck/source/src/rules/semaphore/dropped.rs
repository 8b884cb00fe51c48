//! A permit that is forgotten, and given back by the `Drop` of what it was for, unless that finds some flag set. No other body adds
//! permits.

use super::super::{Certainty, Hit};
use super::forgotten::{added_to, given_back, semaphore_of};
use crate::body::paths::Paths;
use crate::body::{Function, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::Is;

/// Finds such permits.
pub(super) fn check(program: &Program, objects: &AbstractObjects<'_>) -> Vec<Hit> {
    let [(dropper, adds)] = given_back(program)[..] else { return Vec::new() };
    let Some(object) = added_to(program, objects, dropper, adds).filter(|_| program.is_drop(dropper)) else {
        return Vec::new();
    };
    if !is_passed_by_a_flag(program.function(dropper), adds) {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls().filter(|(.., it)| it.forgets_permits()) {
            let permit = call.place(0);
            let permit = permit
                .filter(|it| function.type_of(it).is_some_and(|it| mentions(it, |it| it == Is::Permits)));
            let of = permit.and_then(|it| semaphore_of(objects, id, function, Slot::at(it)));
            if of.as_ref() != Some(&object) {
                continue;
            }
            hits.push(Hit {
                // The pool may be meant to shrink there.
                certainty: Certainty::Doubt,
                message: "this permit is forgotten, and a path through the `Drop` does not give it back: the semaphore loses it".to_owned(),
                primary: (call_ref(program, id, block), "forgotten here".to_owned()),
                related: vec![(call_ref(program, dropper, adds), "given back here on the other paths".to_owned())],
                advice: "give it back on every path, or keep the permit in the value: it gives itself back when dropped".to_owned(),
            });
        }
    }
    hits
}

/// Whether a branch on a flag leads past a block.
fn is_passed_by_a_flag(function: &Function, adds: BlockId) -> bool {
    let paths = Paths::of(function);
    let leads = |it: BlockId| paths.from(&[it], &|_| false).contains(&adds);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return false;
        };
        let mut targets = cases.iter().map(|(_, to)| *to).chain(*otherwise);
        function.type_of(on).is_some_and(Ty::is_bool) && targets.clone().any(leads) && !targets.all(leads)
    })
}
