//! A copy of shared state that is changed and written back, although others could change the state in between.

use super::super::{Certainty, Hit};
use super::held;
use crate::body::paths::Paths;
use crate::body::provenance::{is_part, items};
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::halves::effect::{Change, Effect, Effects};
use crate::facts::halves::made_of;
use crate::facts::halves::state::{Reach, of_operand};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::{Origin, Program};
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};

/// The field of a type.
type Field = (String, u32);

/// By body: the fields of shared state that it gives copies of.
pub(super) type Copied = BTreeMap<FunctionId, BTreeSet<Field>>;

/// What the functions and state machines of a program read under a lock of their own, and give to who calls or awaits them.
pub(super) fn copied_out(program: &Program) -> Copied {
    let mut found = Copied::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let given = function.body.type_of(Local(0));
        if given.has(Ty::is_pointer) || program.guards().owns(program, given) {
            continue;
        }
        let results: Vec<Slot> = results(function);
        for (block, ..) in function.calls() {
            if held(program, id, block).is_empty() {
                continue;
            }
            let Some(field) = read(program, function, block) else { continue };
            let made = made_of(function, block);
            if results.iter().any(|it| made.contains(it)) {
                found.entry(id).or_default().insert(field);
            }
        }
    }
    found
}

/// What a body gives in the end: its return value, or what is in it once it is ready.
fn results(function: &Function) -> Vec<Slot> {
    let mut found = vec![Slot::of(Local(0))];
    if function.kind == Kind::Coroutine {
        let statements = function.blocks().flat_map(|(_, it)| &it.statements);
        found.extend(statements.filter_map(|it| match it {
            Statement::Assign(into, value) if into.local == Local(0) => {
                Some(function.whole(&Slot::at(value.variant("Ready")?.first()?.place()?)))
            }
            _ => None,
        }));
    }
    found
}

/// Finds what a body writes back.
pub(super) fn check(effects: &Effects<'_>, copied: &Copied, id: FunctionId, function: &Function) -> Vec<Hit> {
    let program = effects.program;
    let paths = Paths::of(function);
    let all = effects.in_body(id);
    let mut hits = Vec::new();
    for write in all.iter().filter(|it| it.at.0 == id && it.state.whose() == Reach::Shared) {
        let Some(field) = write.state.field.as_ref() else { continue };
        let Some(acquired) = acquired(program, id, write.block) else { continue };
        let values = written(function, write);
        let takes = |block: BlockId| all.iter().any(|it| it.block == block && it.change.takes());
        let reads = |block: BlockId| {
            let of_helper = || {
                let called = program.one_called(function, block)?;
                let body = program.machine_made_by(called).map_or(called, |(it, _)| it);
                copied.get(&body).filter(|it| it.contains(field))
            };
            read(program, function, block).as_ref() == Some(field) || of_helper().is_some()
        };
        // It looks again under the lock, and does not only open the way to what it writes.
        let looks = |block: BlockId| !function.call(block).is_some_and(|(_, it)| it.lends() || it.opens());
        let again = |it: BlockId| looks(it) && paths.leads(acquired, it) && paths.leads(it, write.block);
        let is_stale = |it: &BlockId| {
            paths.leads(*it, acquired)
                && !takes(*it)
                && held(program, id, *it).is_disjoint(&held(program, id, write.block))
                && values.iter().any(|value| is_part(&items(function, *it), value))
        };
        let others = function.calls().map(|it| it.0).filter(|it| *it != write.block && reads(*it));
        let others: Vec<BlockId> = others.collect();
        let Some(read) = others.iter().copied().find(is_stale) else { continue };
        if others.into_iter().any(again) {
            continue;
        }
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this writes back what was made of a copy, and the lock was released in between: what another task has changed meanwhile is lost"
                .to_owned(),
            primary: (call_ref(program, id, write.shown), "written back here".to_owned()),
            related: vec![(call_or_await(program, id, read), "copied here".to_owned())],
            advice: "keep the lock from the copy to the write, or read again under the lock and change that".to_owned(),
        });
    }
    hits
}

/// The field of shared state that a call gives a view or a copy of.
fn read(program: &Program, function: &Function, block: BlockId) -> Option<Field> {
    let (call, callee) = function.call(block)?;
    let looks = callee.views()
        || callee.opens()
        || callee.reaches()
        || callee.finds()
        || callee.shares()
        || matches!(callee.name(), "copied" | "cloned" | "to_owned" | "load");
    if !looks || program.called(function, block).is_some() {
        return None;
    }
    let state = of_operand(program, function, call.arguments.first()?)?;
    state.field.clone().filter(|_| state.whose() == Reach::Shared)
}

/// The block in which the guard was acquired under which something is written, if there is one.
fn acquired(program: &Program, id: FunctionId, at: BlockId) -> Option<BlockId> {
    let holding = program.holding(id);
    let mut guards = held(program, id, at).into_iter().filter_map(|it| holding.guard(it));
    match (guards.next().map(|it| &it.origin), guards.next()) {
        (Some(Origin::Call(block)), None) => Some(*block),
        _ => None,
    }
}

/// The places whose values a write puts into the state.
fn written<'a>(function: &'a Function, write: &Effect) -> Vec<&'a Place> {
    match write.change {
        Change::Put => {
            // What has no key is added to what is there.
            let call = function.call(write.block).map(|it| it.0).filter(|it| it.arguments.len() > 2);
            call.and_then(|it| it.arguments.last()).and_then(Operand::place).into_iter().collect()
        }
        Change::Set(None) | Change::Up(_) | Change::Down(_) => {
            let block = function.body.block(write.block);
            let statements = block.into_iter().flat_map(|it| &it.statements);
            let stated = statements.filter_map(|it| match it {
                Statement::Assign(into, value) if !into.projections.is_empty() => Some(value),
                _ => None,
            });
            stated.flat_map(Rvalue::places).collect()
        }
        _ => Vec::new(),
    }
}
