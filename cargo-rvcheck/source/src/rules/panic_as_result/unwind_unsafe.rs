//! State that is taken out of shared state, handed to code that is given by a caller, and put back behind that: where the code panics and
//! the panic is caught, the state stays without it.
//!
//! Not reported: locks that a panic poisons, and state that a value puts back when it is dropped.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::partial_updates::effect::{Change, Effect};
use crate::facts::partial_updates::restored::{Restorers, is_restored_at};
use crate::facts::partial_updates::state::Reach;
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;
use crate::program::runs::{Run, runs};
use crate::program::{Held, Origin, Program};
use crate::ty::Ty;
use std::collections::BTreeMap;

/// Finds such state.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let restorers = Restorers::default();
    let caught = caught(facts.program);
    caught.into_iter().filter_map(|(id, catch)| unwind_unsafe(facts, &restorers, id, catch)).collect()
}

/// The bodies that run where a panic is caught, with the call that catches it.
fn caught(program: &Program) -> BTreeMap<FunctionId, (FunctionId, BlockId)> {
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls().filter(|(.., it)| it.catches_panics()) {
            let given = call.places().filter_map(|it| function.type_of(it));
            let bodies: Vec<FunctionId> =
                given.flat_map(Ty::closures).filter_map(|it| program.body_of(it)).collect();
            let inner = walk::reached(bodies, |body| {
                let function = program.function(body);
                let run = function.calls().flat_map(move |(at, ..)| runs(program, function, at));
                run.map(|Run { body, .. }| body)
            });
            for body in inner {
                found.entry(body).or_insert((id, block));
            }
        }
    }
    found
}

fn unwind_unsafe(
    facts: &Facts<'_>,
    restorers: &Restorers,
    id: FunctionId,
    catch: (FunctionId, BlockId),
) -> Option<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let all = facts.effects().in_body(id);
    let takes = |it: &&Effect| {
        matches!(it.change, Change::Remove | Change::Clear) && it.state.whose() == Reach::Shared
    };
    all.iter().filter(takes).find_map(|taken| {
        let between = function.calls().map(|it| it.0).find(|at| {
            is_given(program, function, *at)
                && paths.leads(taken.block, *at)
                && is_kept_unpoisoned(program, id, *at)
                && !is_restored_at(facts.effects(), restorers, function, *at, taken)
        })?;
        let puts = |it: &&Effect| {
            it.change == Change::Put && it.state.is_same(&taken.state) && paths.leads(between, it.block)
        };
        let put = all.iter().find(puts)?;
        let field = taken.state.field.clone();
        let object = field.map(|(of, number)| AbstractObject::Field(of, number));
        let what = object.map_or_else(|| "the state".to_owned(), |it| it.called(program, "the state"));
        let at = [
            (call_ref(program, id, between), "a panic in here skips what puts it back"),
            (call_ref(program, id, put.shown), "put back here, if nothing has panicked"),
            (call_ref(program, catch.0, catch.1), "the panic is caught here"),
        ];
        let related = at.into_iter().filter(|(at, _)| !matches!(at, CodeRef::Item(_)));
        Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "{what} is taken out while code of the caller runs: if that panics, the panic is caught and {what} is lost"
            ),
            primary: (call_ref(program, id, taken.shown), "taken out here".to_owned()),
            related: related.map(|(at, label)| (at, label.to_owned())).collect(),
            advice: "put it back in the `Drop` of a guard, or change a copy and swap that in at the end".to_owned(),
        })
    })
}

/// Whether a call runs code that is given by a caller: a closure, or a method of a type parameter or trait object.
fn is_given(program: &Program, function: &Function, block: BlockId) -> bool {
    let callee = function.callee(block);
    let of_given = callee.self_type().is_some_and(|it| program.is_open_type(it.pointee()));
    (callee.invokes() || of_given) && runs(program, function, block).is_empty()
}

/// Whether a lock is held for sure at a block that a panic does not poison.
fn is_kept_unpoisoned(program: &Program, id: FunctionId, at: BlockId) -> bool {
    let (function, holding) = (program.function(id), program.holding(id));
    let held = holding.at(at).map(Held::guards).unwrap_or_default();
    held.into_iter().filter(|(_, is_certain)| *is_certain).any(|(guard, _)| {
        let Some(Origin::Call(block)) = holding.guard(guard).map(|it| it.origin.clone()) else {
            return false;
        };
        let given = function.call(block).and_then(|(call, _)| function.type_of(&call.into));
        // A lock that a panic poisons says so by a `Result`.
        given.is_some_and(|it| !it.is_result())
    })
}
