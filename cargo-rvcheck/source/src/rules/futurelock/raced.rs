//! `futures::future::select` gives the slower future back: until that is polled again it stays queued for what it requested.

use super::super::Hit;
use super::{hit, queued, waits};
use crate::body::provenance::awaited_at;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Rvalue, Terminator};
use crate::program::Program;
use crate::ty::Ty;
use rvcheck_primitives::Is;

/// Finds waits behind such a race.
pub(super) fn check(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (made, call, callee) in function.calls() {
        let [one, other] = call.arguments.as_slice() else { continue };
        let of_futures = function.type_of(&call.into).is_some_and(|it| it.is_of(|it| it == Is::Race));
        if callee.name() != "select" || !of_futures {
            continue;
        }
        let Some(poll) = awaited_at(function, made) else { continue };
        // The first one is left where the second one is done, which is the second variant.
        for (left, variant) in [(one, 1), (other, 0)] {
            let Some(place) = left.place() else { continue };
            let Some(queued) = queued(program, function, &Slot::at(place)) else { continue };
            let given_back = function.type_of(place).unwrap_or_default();
            let found = arms(function, variant).into_iter().find_map(|arm| {
                waits(program, id, made, arm, &queued).filter(|at| !polled(function, arm, *at, given_back))
            });
            hits.extend(found.map(|it| hit(program, (id, queued.made), (id, poll), it)));
        }
    }
    hits
}

/// Where a body goes on by a variant of what the race gave.
fn arms(function: &Function, variant: i128) -> Vec<BlockId> {
    let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
    let found = blocks.filter_map(|(_, block)| {
        let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
        let of_race = block.assignments().any(|(_, value)| {
            let Rvalue::Discriminant(of) = value else { return false };
            function.type_of(of).is_some_and(|it| it.name() == "Either")
        });
        let to = cases.iter().find(|(it, _)| *it == variant).map(|(_, to)| *to).or(*otherwise);
        to.filter(|_| of_race)
    });
    found.collect()
}

/// Whether something is done with what is given back before a wait.
fn polled(function: &Function, arm: BlockId, wait: BlockId, given_back: Ty) -> bool {
    let paths = crate::body::paths::Paths::of(function);
    let between = &paths.from(&[arm], &|it| it == wait) & &paths.to(&[wait], &|_| false);
    between.iter().filter_map(|it| function.call(*it)).any(|(call, _)| {
        let places = call.places();
        places.into_iter().any(|it| function.type_of(it) == Some(given_back))
    })
}
