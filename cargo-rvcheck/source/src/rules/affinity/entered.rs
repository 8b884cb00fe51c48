//! A value whose `Drop` changes a thread-local, such as one that leaves a span or scope of the thread, held while its task is suspended:
//! other tasks of the thread then run in that scope, and the value may be dropped on another thread.

use super::{Certainty, Hit};
use crate::body::{Definition, Function, FunctionId, Kind, Selector, Slot};
use crate::mir::{BlockId, Place, Projection, Terminator};
use crate::program::Program;
use crate::program::code_ref::{await_ref, call_ref};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Holds, Is, Row, named};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such values.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let leaves = leaves(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        for (slot, ty) in kept(function) {
            let name = ty.name();
            let key = leaves.get(name).filter(|_| program.knows_type(name));
            if key.is_none() && program.sort(ty) != Some(Is::Mark) {
                continue;
            }
            let Some(&Definition::Called(made)) = function.definitions(&slot).first() else { continue };
            let Some(poll) = suspended_with(function, &slot) else { continue };
            let of = key.map_or_else(
                || "the thread's current span".to_owned(),
                |it| format!("the thread-local `{it}`"),
            );
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: format!(
                    "this value is bound to its thread but held across an await: meanwhile other tasks see \
                     {of}, and its `Drop` may run on another thread"
                ),
                primary: (call_ref(program, id, made), "entered here".to_owned()),
                related: vec![(await_ref(program, id, poll), "the task may be suspended here".to_owned())],
                advice: "enter it in each poll, as `Instrument` does for a span, or keep it in a \
                         `tokio::task_local!`"
                    .to_owned(),
            });
        }
    }
    hits
}

/// The types that do something to a thread-local when they are dropped, with its name.
fn leaves(program: &Program) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        if !program.is_drop(id) || function.kind != Kind::Function {
            continue;
        }
        let Some(of) = program.type_of(id) else { continue };
        found.extend(touched(program, id, 2).map(|key| (of.to_owned(), key)));
    }
    found
}

/// The thread-local that a body changes: it has the value by a reference that is the only one, or sets it.
fn touched(program: &Program, id: FunctionId, depth: usize) -> Option<String> {
    let function = program.function(id);
    function.calls().find_map(|(block, call, callee)| {
        if callee.is_of(|it| it == Is::PerThread) {
            let on = call.arguments.first()?;
            let ty = function.type_of(on.place()?)?.referent()?;
            let writes = |it: &Row| {
                let of_cell = matches!(it.owner.is, Is::Slot | Is::Cell);
                of_cell && matches!(it.operation.action, Action::Store | Action::Swap)
            };
            let changes = named(callee.name()).iter().any(writes)
                || matches!(callee.name(), "with_borrow_mut" | "with");
            let of_cell = ty.argument(0).is_some_and(|it| it.holds() == Some(Holds::Cell));
            let own = changes && program.sort(ty) == Some(Is::PerThread) && of_cell;
            return program.promoted(function, on).filter(|_| own).map(str::to_owned);
        }
        let inner = program.called(function, block).filter(|_| depth > 0)?;
        touched(program, inner, depth - 1)
    })
}

/// The values of its own that a state machine keeps while it is suspended, with their types.
fn kept(function: &Function) -> BTreeSet<(Slot, Ty)> {
    let mut found = BTreeSet::new();
    let mut take = |place: &Place| {
        let at = place
            .projections
            .iter()
            .position(|it| matches!(it, Projection::Variant(name) if name.starts_with("variant#")));
        if let Some(Projection::Field(_, ty)) = at.and_then(|it| place.projections.get(it + 1)) {
            let mut slot = Slot::at(place);
            slot.steps.truncate(function.root(&slot));
            if slot.steps.iter().any(|it| matches!(it, Selector::State(_))) {
                found.insert((slot, *ty));
            }
        }
    };
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            take(into);
            value.places().for_each(&mut take);
        }
        match &block.terminator {
            Terminator::Call(call) => {
                take(&call.into);
                call.places().for_each(&mut take);
            }
            Terminator::Drop { place, .. } => take(place),
            _ => {}
        }
    }
    found
}

/// An await at which a value is kept: it comes between the place where the value is made and one where it is dropped.
fn suspended_with(function: &Function, slot: &Slot) -> Option<BlockId> {
    let paths = crate::body::paths::Paths::of(function);
    let drops: Vec<BlockId> = function
        .blocks()
        .filter(|(_, it)| !it.cleanup)
        .filter(
            |(_, it)| matches!(&it.terminator, Terminator::Drop { place, .. } if Slot::at(place) == *slot),
        )
        .map(|(id, _)| id)
        .collect();
    let Some(&Definition::Called(made)) = function.definitions(slot).first() else { return None };
    let alive = paths.from(paths.next(made), &|it| drops.contains(&it));
    let before = paths.to(&drops, &|_| false);
    let polls = function.suspensions.iter().filter_map(|it| it.poll);
    polls.into_iter().find(|it| alive.contains(it) && before.contains(it))
}
