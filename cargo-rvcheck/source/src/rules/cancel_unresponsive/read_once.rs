//! The flag or token is read once, before the loop that it is to end.

use super::asks_to_stop;
use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::{FunctionId, Kind, Slot};
use crate::mir::{Operand, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Loops that end by a flag that was read before them.
pub(super) fn check(program: &Program, id: FunctionId, paths: &Paths) -> Vec<Hit> {
    let function = program.function(id);
    let mut found = BTreeSet::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
            function.body.block(block).map(|it| &it.terminator)
        else {
            continue;
        };
        if function.type_of(on) != Some("bool") {
            continue;
        }
        let Some(read) = flag(function, &Slot::at(on)).filter(|it| asks_to_stop(program, function, *it))
        else {
            continue;
        };
        let around = paths.loop_around(block);
        let leaves = paths.next(block).iter().any(|it| !around.contains(it));
        let looks_again = around.iter().any(|it| asks_to_stop(program, function, *it));
        let waits = function.kind != Kind::Coroutine
            || function.suspensions.iter().any(|it| around.contains(&it.block));
        if around.is_empty()
            || !leaves
            || around.contains(&read)
            || looks_again
            || !waits
            || !paths.leads(read, block)
        {
            continue;
        }
        found.insert(read);
    }
    found
        .into_iter()
        .map(|read| Hit {
            certainty: Certainty::Usually,
            message: "whether to stop is read once, before the loop: an order to stop that comes later is never noticed".to_owned(),
            primary: (call_ref(program, id, read), "read here, and not in the loop that it is to end".to_owned()),
            related: Vec::new(),
            advice: "read it in each round".to_owned(),
        })
        .collect()
}
