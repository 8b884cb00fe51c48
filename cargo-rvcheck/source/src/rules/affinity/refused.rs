//! A value that keeps the id of the thread that made it and refuses others, and that another thread is given and uses.
//!
//! It refuses where a method compares the ids, and panics or does nothing more where they differ. One that has the work done by its own
//! thread instead does not refuse.

use super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::{carried, source};
use crate::body::text::{head, last};
use crate::body::{Definition, Function, FunctionId, Slot, owner};
use crate::mir::{BlockId, Local, Operand, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects, fills};
use crate::program::access::{AccessPath, AccessPaths, Root};
use crate::program::code_ref::call_ref;
use crate::program::runs::runs;
use std::collections::{BTreeMap, BTreeSet};

/// Finds such uses.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let objects = AbstractObjects::of(program);
    let bound = bound(program);
    if bound.is_empty() {
        return Vec::new();
    }
    let refusing: BTreeMap<FunctionId, (BlockId, AbstractObject)> = program
        .functions()
        .filter_map(|(id, function)| Some((id, refuses(program, &objects, &bound, id, function)?)))
        .collect();
    let mut hits = Vec::new();
    let mut told = BTreeSet::new();
    for (spawner, function) in program.functions().filter(|_| !refusing.is_empty()) {
        for (spawn, call, _) in function.calls() {
            let Some(certainty) = elsewhere(program, function, spawn) else { continue };
            let paths = AccessPaths::of(program, function);
            let closures = call.arguments.iter().filter_map(|it| paths.closure_in(it));
            for (agent, _) in closures {
                for used in uses(program, &refusing, agent, 8, &mut BTreeSet::new()) {
                    let given = matches!(used.path.root, Root::Captured(_));
                    if !given || !told.insert(used.at) {
                        continue;
                    }
                    let (check, object) = &refusing[&used.method];
                    let mut related = vec![
                        (call_ref(program, used.method, *check), "it compares the ids here".to_owned()),
                        (call_ref(program, spawner, spawn), "the other thread begins here".to_owned()),
                    ];
                    related.extend(bound.get(object).map(|(id, block)| {
                        (call_ref(program, *id, *block), "it belongs to the thread that makes it".to_owned())
                    }));
                    related.retain(|(at, _)| !matches!(at, CodeRef::Item(_)));
                    hits.push(Hit {
                        certainty,
                        message: "this belongs to the thread that made it and refuses others, and is used by another one".to_owned(),
                        primary: (call_ref(program, used.at.0, used.at.1), "used here, on another thread".to_owned()),
                        related,
                        advice: "send what there is to do to the thread that owns it, or make the value on the thread that uses it"
                            .to_owned(),
                    });
                }
            }
        }
    }
    hits
}

/// The fields that keep the id of the thread that makes the value, with where that is asked for.
fn bound(program: &Program) -> BTreeMap<AbstractObject, (FunctionId, BlockId)> {
    let mut found = BTreeMap::new();
    for fill in fills(program) {
        let function = program.function(fill.function);
        let is_id = function.type_of(fill.from).is_some_and(|it| last(&head(it)) == "ThreadId");
        if !is_id {
            continue;
        }
        let Some(asked) = source(function, &Slot::at(fill.from)) else { continue };
        if is_current(program, function, asked) {
            found.insert(AbstractObject::Field(fill.of.clone(), fill.field), (fill.function, asked));
        }
    }
    found
}

/// Whether a call gives the id of the current thread.
fn is_current(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) = function.call(block) else { return false };
    let thread = call.arguments.first().and_then(Operand::place);
    let of_thread = callee.name() == "id" && owner(program.callee_path(function, block)) == "Thread";
    of_thread
        && thread
            .and_then(|it| source(function, &Slot::at(it)))
            .is_some_and(|it| function.call(it).is_some_and(|(_, callee)| callee.name() == "current"))
}

/// The block that compares, and what, where a body panics or does no more when another thread calls it.
fn refuses(
    program: &Program,
    objects: &AbstractObjects<'_>,
    bound: &BTreeMap<AbstractObject, (FunctionId, BlockId)>,
    id: FunctionId,
    function: &Function,
) -> Option<(BlockId, AbstractObject)> {
    let paths = Paths::of(function);
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let [(0, when_false)] = cases.as_slice() else { return None };
        let (compared, object, same_when_true) = same_thread(program, objects, bound, id, &Slot::at(on), 3)?;
        let when_true = (*otherwise)?;
        let (same, other) = if same_when_true { (when_true, *when_false) } else { (*when_false, when_true) };
        let refused = paths.from(&[other], &|it| it == at);
        let allowed = paths.from(&[same], &|it| it == at);
        let panics = !refused.iter().any(|it| function.returns_at(*it));
        // Nothing is done for the other thread, and something for the own one.
        let works = |it: &BlockId| {
            function.call(*it).is_some_and(|(_, callee)| {
                matches!(callee.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"))
                    || HANDS_OVER.iter().any(|name| callee.name().contains(name))
            })
        };
        let only = |of: &BTreeSet<BlockId>, but: &BTreeSet<BlockId>| -> Vec<BlockId> {
            of.difference(but).copied().collect()
        };
        let gives_up = !only(&refused, &allowed).iter().any(works)
            && only(&allowed, &refused).iter().any(|it| function.call(*it).is_some());
        // A function that only says whether it is the thread leaves the rest to whoever asks.
        let says = function.body.type_of(Local(0)) == "bool" && !panics;
        ((panics || gives_up) && !says).then_some((compared, object))
    })
}

/// Parts of names of functions that have something done elsewhere.
const HANDS_OVER: [&str; 11] =
    ["send", "push", "spawn", "post", "dispatch", "schedule", "execute", "enqueue", "queue", "defer", "run"];

/// The comparison with the id of the current thread that a flag is, with what is compared, and whether the flag is set where they are the
/// same.
fn same_thread(
    program: &Program,
    objects: &AbstractObjects<'_>,
    bound: &BTreeMap<AbstractObject, (FunctionId, BlockId)>,
    id: FunctionId,
    slot: &Slot,
    depth: usize,
) -> Option<(BlockId, AbstractObject, bool)> {
    let function = program.function(id);
    let (mut slot, mut straight) = (slot.clone(), true);
    for _ in 0..12 {
        slot.steps.truncate(function.root(&slot));
        let definition = function.definition(&slot)?;
        let from = match definition {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.hands_on() {
                    call.arguments.first()?.place()?
                } else if callee.of_trait.as_deref() == Some("PartialEq") {
                    let own = call
                        .arguments
                        .iter()
                        .filter_map(|it| objects.object(id, it.place()?))
                        .find(|it| bound.contains_key(it))?;
                    return Some((block, own, (callee.name() == "eq") == straight));
                } else {
                    let called = program.called(function, block).filter(|_| depth > 0)?;
                    let (_, own, same) =
                        same_thread(program, objects, bound, called, &Slot::of(Local(0)), depth - 1)?;
                    return Some((block, own, same == straight));
                }
            }
            definition @ Definition::Assigned(..) => carried(function.assigned(definition)?, &mut straight)?,
        };
        slot = Slot::at(from);
    }
    None
}

/// How sure it is that what a call is given runs on another thread.
fn elsewhere(program: &Program, function: &Function, block: BlockId) -> Option<Certainty> {
    let (_, callee) = function.call(block)?;
    let path = program.callee_path(function, block);
    match callee.name() {
        "spawn_blocking" => Some(Certainty::Usually),
        "spawn" | "spawn_scoped"
            if path.contains("thread") || matches!(owner(path), "Scope" | "ScopedThreadBuilder") =>
        {
            Some(Certainty::Usually)
        }
        // A runtime may have one thread alone.
        "spawn" if path.starts_with("tokio") || path.starts_with("async_std") || path.starts_with("smol") => {
            Some(Certainty::Doubt)
        }
        _ => None,
    }
}

/// A use of a value that refuses other threads.
struct Use {
    /// The value, in the terms of the body that was asked about.
    path: AccessPath,
    /// Where a method is called that refuses.
    at: (FunctionId, BlockId),
    /// That method.
    method: FunctionId,
}

/// The uses in a body, and in what it calls.
fn uses(
    program: &Program,
    refusing: &BTreeMap<FunctionId, (BlockId, AbstractObject)>,
    id: FunctionId,
    depth: usize,
    within: &mut BTreeSet<FunctionId>,
) -> Vec<Use> {
    let mut found = Vec::new();
    if depth == 0 || !within.insert(id) {
        return found;
    }
    let function = program.function(id);
    let paths = AccessPaths::of(program, function);
    for (block, call, _) in function.calls() {
        for run in runs(program, function, block) {
            if refusing.contains_key(&run.body) {
                let path = call.arguments.first().and_then(|it| paths.operand(it));
                found.extend(path.map(|path| Use { path, at: (id, block), method: run.body }));
                continue;
            }
            for it in uses(program, refusing, run.body, depth - 1, within) {
                let seen = it.path.seen_from(&run.arguments, &run.captured);
                found.extend(seen.map(|path| Use { path, ..it }));
            }
        }
    }
    within.remove(&id);
    found
}
