//! A copy of shared state that is changed and written back, although others could change the state in between.

use super::super::{Certainty, Hit};
use super::held;
use crate::body::paths::Paths;
use crate::body::provenance::{is_part, items};
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::partial_updates::effect::{Change, Effect, Effects};
use crate::facts::partial_updates::made_of;
use crate::facts::partial_updates::state::{Reach, State, of_operand};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::{Origin, Program};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Word};
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
            let Some(field) = read(program, function, block).and_then(|it| it.field) else { continue };
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
    for write in all.iter().filter(|it| it.state.whose() == Reach::Shared) {
        let Some(field) = write.state.field.as_ref() else { continue };
        let Some(Written { values, begins }) = written(program, (id, function), write) else { continue };
        let takes = |block: BlockId| all.iter().any(|it| it.block == block && it.change.takes());
        let reads = |block: BlockId| {
            let of_helper = || {
                let called = program.one_called(function, block)?;
                let body = program.machine_made_by(called).map_or(called, |(it, _)| it);
                copied.get(&body).filter(|it| it.contains(field))?;
                let of = of_operand(program, function, function.call(block)?.0.arguments.first()?);
                of.is_none_or(|it| it.root == write.state.root).then_some(())
            };
            read(program, function, block).is_some_and(|it| it.is_same(&write.state)) || of_helper().is_some()
        };
        let is_stale = |it: &BlockId| {
            paths.leads(*it, begins)
                && !takes(*it)
                && held(program, id, *it).is_disjoint(&held(program, id, write.block))
                && {
                    let copies = copies(program, function, *it);
                    values.iter().any(|value| is_part(&copies, value))
                }
        };
        let others = function.calls().map(|it| it.0).filter(|it| *it != write.block && reads(*it));
        let others: Vec<BlockId> = others.collect();
        let Some(read) = others.iter().copied().find(is_stale) else { continue };
        let again = |it: &BlockId| {
            is_look(function, *it) && paths.leads(begins, *it) && paths.leads(*it, write.block)
        };
        if begins != write.block && others.iter().any(again) {
            continue;
        }
        let primary = call_ref(program, id, if write.at.0 == id { write.shown } else { write.block });
        let mut related = vec![(call_or_await(program, id, read), "copied here".to_owned())];
        if write.at.0 != id {
            related
                .push((call_ref(program, write.at.0, write.shown), "the state is replaced here".to_owned()));
        }
        // A number may have one writer, as the ends of a queue have.
        let has_one_writer = stored(program, write).is_some_and(|it| it != Word::Any);
        hits.push(Hit {
            certainty: if has_one_writer { Certainty::Doubt } else { Certainty::Usually },
            message: format!(
                "{} is overwritten with a value made from an earlier copy: changes by other tasks in between are lost",
                AbstractObject::Field(field.0.clone(), field.1).called(program, "shared state")
            ),
            primary: (primary, "written back here".to_owned()),
            related,
            advice: "hold the lock from the copy to the write, or read the state again under the lock before writing".to_owned(),
        });
    }
    hits
}

/// Whether a call looks at the state, and does not only open the way to what is written.
fn is_look(function: &Function, block: BlockId) -> bool {
    !function.call(block).is_some_and(|(_, it)| it.dereferences_mutably() || it.opens())
}

/// What a call gives, and what is made of it by moves, arithmetic and copies.
fn copies(program: &Program, function: &Function, read: BlockId) -> BTreeSet<Slot> {
    let mut given = items(function, read);
    given.extend(function.call(read).map(|(call, _)| function.whole(&Slot::at(&call.into))));
    copies_of(program, function, given, &mut BTreeSet::new())
}

/// What is made of these values. `open` are the parameters that are being followed through the functions that they are given to.
fn copies_of(
    program: &Program,
    function: &Function,
    mut found: BTreeSet<Slot>,
    open: &mut BTreeSet<(FunctionId, u32)>,
) -> BTreeSet<Slot> {
    walk::fixpoint(|| {
        let before = found.len();
        for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in block.assignments().filter(|it| !matches!(it.1, Rvalue::Discriminant(_))) {
                if value.places().any(|it| is_part(&found, it)) {
                    found.insert(function.whole(&Slot::at(into)));
                }
            }
            let Some((call, callee)) = function.call(id) else { continue };
            let into = function.whole(&Slot::at(&call.into));
            if found.contains(&into) {
                continue;
            }
            let given = (1..).zip(&call.arguments);
            let mut copies =
                given.filter(|(_, it)| it.place().is_some_and(|it| is_part(&found, it))).map(|it| it.0);
            let is_carried = match program.one_called(function, id) {
                Some(body) => copies.any(|number| is_given_on(program, body, number, open)),
                None => copies.next() == Some(1) && (callee.carries() || callee.hands_on()),
            };
            if is_carried {
                found.insert(into);
            }
        }
        found.len() != before
    });
    found
}

/// Whether a function gives on what it is given by the parameter of that number, or what it makes of that.
fn is_given_on(
    program: &Program,
    body: FunctionId,
    number: u32,
    open: &mut BTreeSet<(FunctionId, u32)>,
) -> bool {
    let function = program.function(body);
    if function.kind != Kind::Function || !open.insert((body, number)) {
        return false;
    }
    let copies = copies_of(program, function, BTreeSet::from([Slot::of(Local(number))]), open);
    open.remove(&(body, number));
    copies.contains(&Slot::of(Local(0)))
}

/// The shared state that a call gives a view or a copy of.
fn read(program: &Program, function: &Function, block: BlockId) -> Option<State> {
    let (call, callee) = function.call(block)?;
    let loads = callee.likely_row().is_some_and(|it| it.operation.action == Action::Load);
    let looks = loads
        || callee.views()
        || callee.opens()
        || callee.reaches()
        || callee.finds()
        || callee.shares()
        || matches!(callee.name(), "copied" | "cloned" | "to_owned");
    if !looks || program.called(function, block).is_some() {
        return None;
    }
    let state = of_operand(program, function, call.arguments.first()?)?;
    (state.field.is_some() && state.whose() == Reach::Shared).then_some(state)
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

/// What a body writes into a state.
struct Written<'a> {
    /// The places whose values it puts there.
    values: Vec<&'a Place>,
    /// Where it takes the lock for that; or where it writes, if it does not take it itself or needs none.
    begins: BlockId,
}

fn written<'a>(
    program: &Program,
    (id, function): (FunctionId, &'a Function),
    write: &Effect,
) -> Option<Written<'a>> {
    if write.at.0 != id {
        return written_by_helper(program, function, write);
    }
    let stores = stored(program, write).is_some();
    let begins = if stores { write.block } else { acquired(program, id, write.block)? };
    Some(Written { values: values(function, write.block, write, stores), begins })
}

/// What a body gives to a function which puts it into the state under a lock of its own, and does not look at what is there.
fn written_by_helper<'a>(program: &Program, function: &'a Function, write: &Effect) -> Option<Written<'a>> {
    let (helper, at) = write.at;
    let inner = program.function(helper);
    let begins = write.block;
    let (call, _) = function.call(begins).filter(|_| program.one_called(function, begins) == Some(helper))?;
    let stores = stored(program, write).is_some();
    if !stores {
        let acquired = acquired(program, helper, at)?;
        let paths = Paths::of(inner);
        let looks = |it: BlockId| {
            read(program, inner, it).is_some_and(|it| it.field == write.state.field)
                && is_look(inner, it)
                && paths.leads(acquired, it)
                && paths.leads(it, at)
        };
        if inner.calls().any(|(it, ..)| it != at && looks(it)) {
            return None;
        }
    }
    let written = values(inner, at, write, stores);
    let is_given = |number: usize| {
        let given = BTreeSet::from([Slot::of(Local(number as u32 + 1))]);
        let copies = copies_of(program, inner, given, &mut BTreeSet::new());
        written.iter().any(|it| is_part(&copies, it))
    };
    let given = call.arguments.iter().enumerate().filter(|(number, _)| *number > 0 && is_given(*number));
    Some(Written { values: given.filter_map(|(_, it)| it.place()).collect(), begins })
}

/// The word that a write stores by an operation of its own, without a lock.
fn stored(program: &Program, write: &Effect) -> Option<Word> {
    let (id, block) = write.at;
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let row = callee.likely_row().filter(|it| it.operation.action == Action::Store)?;
    let Is::Flag(word) = row.owner.is else { return None };
    // A statement of the block may be the write, and the call at its end another one.
    let of = of_operand(program, function, call.arguments.first()?)?;
    (of.field == write.state.field).then_some(word)
}

/// The places whose values a write puts into the state, at the end of that block, by its statements or what that stores.
fn values<'a>(function: &'a Function, block: BlockId, write: &Effect, stores: bool) -> Vec<&'a Place> {
    let call = function.call(block).map(|it| it.0);
    match &write.change {
        Change::Put => {
            // What has no key is added to what is there.
            let call = call.filter(|it| it.arguments.len() > 2);
            call.and_then(|it| it.arguments.last()).and_then(Operand::place).into_iter().collect()
        }
        _ if stores => call.and_then(|it| it.place(1)).into_iter().collect(),
        Change::Set(None) | Change::Up(_) | Change::Down(_) => {
            let statements = function.body.block(block).into_iter().flat_map(|it| &it.statements);
            let stated = statements.filter_map(|it| match it {
                Statement::Assign(into, value) if !into.projections.is_empty() => Some(value),
                _ => None,
            });
            stated.flat_map(Rvalue::places).collect()
        }
        _ => Vec::new(),
    }
}
