//! Which state machines only run within a time limit: they give up what they wait for in the end, and what they hold.

use crate::body::provenance::{awaited_at, source};
use crate::body::timeout::{is_kept, timeouts};
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Rvalue, Statement};
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// What a state machine is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// It is given to a `timeout`.
    Limited,
    /// The body that makes it awaits it.
    Awaited(FunctionId),
    /// Anything else, such as a task of its own.
    Other,
}

/// The state machines that are under a `timeout`, or are awaited by such, wherever the program makes them.
pub(crate) fn limited(program: &Program) -> BTreeSet<FunctionId> {
    let mut uses: BTreeMap<FunctionId, Vec<Use>> = BTreeMap::new();
    for (id, function) in program.functions() {
        for (machine, its_use) in made(program, id, function) {
            uses.entry(machine).or_default().push(its_use);
        }
    }
    let mut found = BTreeSet::new();
    walk::fixpoint(|| {
        let ends = |it: &Use| match it {
            Use::Limited => true,
            Use::Awaited(by) => found.contains(by),
            Use::Other => false,
        };
        let more: Vec<FunctionId> = uses
            .iter()
            .filter(|(machine, uses)| !found.contains(*machine) && uses.iter().all(ends))
            .map(|(machine, _)| *machine)
            .collect();
        found.extend(&more);
        !more.is_empty()
    });
    found
}

/// The state machines that a body makes, by a call of an `async fn` or as an async block, and what for.
fn made(program: &Program, id: FunctionId, function: &Function) -> Vec<(FunctionId, Use)> {
    let given = timeouts(function).filter(|(_, it)| !is_kept(function, it)).map(|(_, it)| Slot::at(it));
    let given: Vec<Slot> = given.collect();
    let calls: BTreeSet<BlockId> = given.iter().filter_map(|it| source(function, it)).collect();
    let blocks: BTreeSet<FunctionId> =
        given.iter().filter_map(|it| program.machine_in(function, it)).collect();
    let mut found = Vec::new();
    for (block, ..) in function.calls() {
        let called = program.called(function, block).and_then(|it| program.machine_made_by(it));
        let Some((machine, _)) = called else { continue };
        found.push(match awaited_at(function, block) {
            _ if calls.contains(&block) => (machine, Use::Limited),
            Some(_) => (machine, Use::Awaited(id)),
            None => (machine, Use::Other),
        });
    }
    // What an `async fn` makes of itself is given to its callers.
    let own = program.machine_made_by(id).map(|it| it.0);
    let statements = function.blocks().flat_map(|(_, it)| &it.statements);
    for statement in statements {
        let Statement::Assign(into, Rvalue::Made(..)) = statement else { continue };
        let machine = function.type_of(into).and_then(|it| program.body_of(it)).filter(|it| Some(*it) != own);
        let Some(machine) = machine.filter(|it| program.function(*it).kind == Kind::Coroutine) else {
            continue;
        };
        let is_awaited = || {
            let mut awaited = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
            awaited.any(|it| program.machine_in(function, it) == Some(machine))
        };
        found.push(match machine {
            _ if blocks.contains(&machine) => (machine, Use::Limited),
            _ if is_awaited() => (machine, Use::Awaited(id)),
            _ => (machine, Use::Other),
        });
    }
    found
}
