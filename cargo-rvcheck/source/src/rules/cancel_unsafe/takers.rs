//! What takes something out of a channel or collection: operations of libraries, and functions of the workspace that return what they
//! take.

use crate::body::provenance::{gives_inside, is_from, is_part, items};
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::partial_updates::state::{Reach, of_operand};
use crate::mir::{BlockId, Local, Operand, Rvalue, Statement};
use crate::program::Program;
use rvcheck_primitives::code::types::is_container;
use rvcheck_primitives::{Action, Does, adapter};
use std::collections::BTreeSet;

/// The functions and state machines that take something out of what outlives them, and give it to who calls or awaits them.
pub(super) fn takers(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    walk::fixpoint(|| {
        let before = found.len();
        for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
            if !found.contains(&id) && is_taker(program, &found, function) {
                found.insert(id);
            }
        }
        found.len() != before
    });
    found
}

fn is_taker(program: &Program, takers: &BTreeSet<FunctionId>, function: &Function) -> bool {
    function.calls().any(|(block, call, _)| {
        takes(program, takers, function, block) && {
            let from = call.arguments.first().and_then(|it| of_operand(program, function, it));
            let lasts = from.is_some_and(|it| it.whose() > Reach::Owned);
            lasts && gives(function, block)
        }
    })
}

/// Whether the call at the end of a block takes something out of a channel or collection, or calls one of these functions that do.
pub(super) fn takes(
    program: &Program,
    takers: &BTreeSet<FunctionId>,
    function: &Function,
    block: BlockId,
) -> bool {
    let Some((_, callee)) = function.call(block) else { return false };
    let called = program.one_called(function, block);
    if let Some(called) = called {
        let body = program.machine_made_by(called).map_or(called, |(it, _)| it);
        return takers.contains(&body);
    }
    match callee.name() {
        "pop_front" | "pop_back" | "pop" => is_container(function.callee(block).owner()),
        _ => {
            let row = function.callee(block).row();
            row.is_some_and(|it| it.operation.action == Action::Receive)
                || takes_out(program, function, block)
        }
    }
}

/// Whether the call at the end of a block takes something out of a collection that others have, too, or all that is in it.
fn takes_out(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) = function.call(block) else { return false };
    let of = function.callee(block).owner();
    let takes = adapter(of, callee.name())
        .is_some_and(|it| matches!(it.does, Does::Takes(_)) && (it.stores.is_none() || of == "mem"));
    let given = function.type_of(&call.into).map(|it| it.name().to_owned()).unwrap_or_default();
    let is_collection = |it: &str| is_container(it) && it != "Option";
    let from = call.arguments.first().and_then(|it| of_operand(program, function, it));
    takes
        && (is_collection(of) || of == "mem" && is_collection(&given))
        && from.is_some_and(|it| it.whose() > Reach::Owned)
}

/// Whether a body gives what a call takes to who calls or awaits it.
fn gives(function: &Function, taken: BlockId) -> bool {
    let items = items(function, taken);
    let given = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let is_it = |it: &Operand| {
        it.place().is_some_and(|it| is_part(&items, it) || is_from(function, &Slot::at(it), taken))
    };
    let direct = function.calls().any(|(block, call, callee)| {
        let opened = || gives_inside(callee) && call.arguments.first().is_some_and(is_it);
        call.into.local == Local(0) && (block == taken || opened())
    });
    direct
        || items.contains(&Slot::of(Local(0)))
        || given.into_iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Made(_, parts)) if into.local == Local(0) => {
                parts.iter().any(is_it)
            }
            Statement::Assign(into, Rvalue::Use(it)) if into.local == Local(0) => is_it(it),
            _ => false,
        })
}

/// Whether one of these values is what a body gives in the end.
pub(super) fn is_given(function: &Function, values: &BTreeSet<Slot>) -> bool {
    let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let is_it = |it: &Operand| it.place().is_some_and(|it| values.contains(&function.whole(&Slot::at(it))));
    statements.into_iter().any(|it| match it {
        Statement::Assign(into, Rvalue::Made(_, parts)) if into.local == Local(0) => parts.iter().any(is_it),
        Statement::Assign(into, Rvalue::Use(it)) if into.local == Local(0) => is_it(it),
        _ => false,
    })
}
