//! A gate that is never opened: the only body that gives permits to a semaphore that begins without any leaves by an error before it does.
//!
//! Reported where it gives them all at once, so that it opens a gate and does not count items, and where others wait.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::text::{head, last};
use crate::body::{Function, FunctionId, feasible};
use crate::facts::signals::{Act, Operation, Signals, Sort};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::rules::semaphore::makes_semaphore;
use std::collections::{BTreeMap, BTreeSet};

/// Finds such gates.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let gates = gates(signals);
    let mut hits = Vec::new();
    for (object, gate) in &gates {
        for (id, function) in signals.program.functions() {
            let operations = signals.operations(id);
            let gives: BTreeSet<BlockId> = operations
                .iter()
                .filter(|it| it.notifies() && it.object.as_ref() == Some(object))
                .map(|it| it.block)
                .collect();
            let reached: BTreeSet<(FunctionId, BlockId)> = operations
                .iter()
                .filter(|it| it.notifies() && it.object.as_ref() == Some(object))
                .map(|it| it.made)
                .collect();
            if gives.is_empty() || !gate.gives.is_subset(&reached) {
                continue;
            }
            let others_wait = gate.waits.iter().find(|(it, _)| *it != id);
            let (Some(wait), Some((branch, silent))) = (others_wait, left(function, &gives)) else {
                continue;
            };
            let given = gate.gives.first().map(|it| call_ref(signals.program, it.0, it.1));
            let mut related =
                vec![(call_or_await(signals.program, wait.0, wait.1), "waits here for ever".to_owned())];
            related.extend(given.map(|it| (it, "it is opened here on the other path".to_owned())));
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this leaves by an error before the gate is opened that others wait at: nobody else opens it".to_owned(),
                primary: (place(signals, id, branch, &silent), "left here".to_owned()),
                related,
                advice: "open the gate, or close the semaphore, on this path, too".to_owned(),
            });
        }
    }
    hits
}

/// A semaphore that begins without permits.
#[derive(Default)]
struct Gate {
    gives: BTreeSet<(FunctionId, BlockId)>,
    waits: BTreeSet<(FunctionId, BlockId)>,
}

/// The semaphores that are gates.
fn gates(signals: &Signals<'_>) -> BTreeMap<AbstractObject, Gate> {
    let mut found: BTreeMap<AbstractObject, Gate> = BTreeMap::new();
    let program = signals.program;
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let empty = matches!(call.arguments.first(), Some(Operand::Constant(it)) if it.starts_with("0_"));
            if empty && makes_semaphore(program, function, block) {
                let object = signals.objects.object(id, &call.into);
                found.extend(object.map(|it| (signals.same(it), Gate::default())));
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let mut counts = BTreeSet::new();
    for (id, _) in program.functions() {
        for it in signals.operations(id).iter().filter(|it| it.sort == Sort::Permits) {
            let Some((object, gate)) = it.object.as_ref().and_then(|it| Some((it, found.get_mut(it)?)))
            else {
                continue;
            };
            match it.act {
                Act::Register => gate.waits.insert(it.made),
                _ => gate.gives.insert(it.made),
            };
            if it.notifies() && gives_one(program.function(it.made.0), it) {
                counts.insert(object.clone());
            }
        }
    }
    found.retain(|object, gate| !counts.contains(object) && !gate.gives.is_empty() && !gate.waits.is_empty());
    found
}

/// Whether permits are given for single items, or for as many as there are.
fn gives_one(function: &Function, operation: &Operation) -> bool {
    let Some((call, callee)) = function.call(operation.made.1) else { return true };
    match call.arguments.get(1) {
        Some(Operand::Constant(it)) => it.starts_with("1_"),
        Some(Operand::Place(_)) => true,
        None => callee.name() != "close",
    }
}

/// The branch on an error by which a body leaves without any of these, where it comes to one without the error; with the blocks behind it.
fn left(function: &Function, gives: &BTreeSet<BlockId>) -> Option<(BlockId, BTreeSet<BlockId>)> {
    let paths = Paths::of(function);
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let of = block.statements.iter().rev().find_map(|it| match it {
            Statement::Assign(into, Rvalue::Discriminant(of)) if into == on => Some(of),
            _ => None,
        })?;
        if !matches!(last(&head(function.type_of(of)?)), "Result" | "ControlFlow") {
            return None;
        }
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
        let reached = |from: BlockId| feasible::from(function, &[from], &|_| false);
        let (good, bad) = (reached(to(0)?), reached(to(1)?));
        let given = |it: &BTreeSet<BlockId>| it.iter().any(|it| gives.contains(it));
        let before = gives.iter().any(|it| paths.leads(*it, at));
        let returns = bad.iter().any(|it| function.returns_at(*it));
        (given(&good) && !given(&bad) && !before && returns).then_some((at, bad))
    })
}

/// The first place behind the branch that has a name.
fn place(signals: &Signals<'_>, id: FunctionId, branch: BlockId, behind: &BTreeSet<BlockId>) -> CodeRef {
    let program = signals.program;
    let known =
        behind.iter().map(|it| call_or_await(program, id, *it)).find(|it| !matches!(it, CodeRef::Item(_)));
    known.unwrap_or_else(|| call_or_await(program, id, branch))
}
