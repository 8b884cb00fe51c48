//! A `DashMap` is asked for something while an entry of it is held.
//!
//! The map is many maps with a lock each, and the key tells which. An entry that was handed out keeps the lock of its part, so that the
//! next call waits for ever if its key falls into the same part: always for the same key, and for another one now and then.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::provenance::source;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand};
use crate::program::access::{AccessPath, AccessPaths, Hop};
use crate::program::code_ref::call_ref;
use crate::program::drops::drops;
use crate::program::library::mentions;
use crate::program::locks::{given_to, is_same_object, returned};
use crate::program::runs::{Run, runs};
use crate::program::{GuardId, Origin, Program};
use rvcheck_primitives::{Action, Is, Mode, row};
use std::collections::BTreeSet;

/// Whether a call needs the parts that it looks at for itself alone; `None` where it is no such call, or does not wait.
fn alone(path: &str) -> Option<bool> {
    let row = row(path).filter(|it| it.owner.is == Is::Map && it.operation.may_wait())?;
    match row.operation.action {
        Action::Request(mode) => Some(mode == Mode::Exclusive),
        _ => None,
    }
}

/// A call and the body in which it stands.
type CallSite = (FunctionId, BlockId);

/// A call that waits for a part of a map.
#[derive(Clone, Debug)]
struct Request {
    map: AccessPath,
    alone: bool,
    at: CallSite,
}

/// By body, where it was looked at: its requests, each with the block that makes it or runs what makes it.
type Requests = Vec<Option<Vec<(BlockId, Request)>>>;

/// The most requests that are kept for a body.
const MOST: usize = 64;

/// Finds such calls.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let uses = |it: &Function| it.body.locals.iter().any(|it| mentions(it, |it| it == Is::Map));
    if !program.functions().any(|(_, it)| uses(it)) {
        return Vec::new();
    }
    let mut requests: Requests = vec![None; program.functions().count()];
    for (id, _) in program.functions() {
        find(program, id, &mut requests, 0);
    }
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for (id, _) in program.functions() {
        for (block, request) in requests[id.0 as usize].iter().flatten() {
            hits.extend(
                nested(program, id, *block, request)
                    .into_iter()
                    .filter(|it| reported.insert(it.primary.0.clone())),
            );
        }
    }
    hits
}

/// Finds what a body requests, itself or through what it runs.
fn find(program: &Program, id: FunctionId, requests: &mut Requests, depth: usize) {
    if depth > 100 || requests[id.0 as usize].is_some() {
        return;
    }
    requests[id.0 as usize] = Some(Vec::new());
    let function = program.function(id);
    let mut found = Vec::new();
    let access_paths = AccessPaths::of(program, function);
    let mut ran = drops(program, function);
    for (block, ..) in function.calls() {
        if let Some(alone) = alone(program.callee_path(function, block)) {
            let map = map_at(program, function, block);
            found.extend(map.map(|map| (block, Request { map, alone, at: (id, block) })));
            continue;
        }
        ran.extend(runs(program, function, block).into_iter().map(|it| (block, it)));
        ran.extend(given_to_entry(program, function, block).into_iter().map(|it| (block, it)));
    }
    for (block, run) in ran {
        find(program, run.body, requests, depth + 1);
        for (_, inner) in requests[run.body.0 as usize].iter().flatten() {
            if let Some(map) = access_paths.seen(&inner.map, &run.arguments, &run.captured) {
                found.push((block, Request { map, ..inner.clone() }));
            }
        }
    }
    found.truncate(MOST);
    requests[id.0 as usize] = Some(found);
}

/// The map that the call at the end of a block is about.
fn map_at(program: &Program, function: &Function, block: BlockId) -> Option<AccessPath> {
    let (call, _) = function.call(block)?;
    let map = AccessPaths::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    map.is_one().then_some(map)
}

/// Whether a call takes an entry of a map and keeps its part while it runs what it is given, as `or_insert_with` does.
fn keeps(program: &Program, function: &Function, block: BlockId) -> bool {
    program.callee_path(function, block).starts_with("dashmap::mapref::entry::Entry::")
}

/// The closures that such a call runs.
fn given_to_entry(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let given = function.call(block).filter(|_| keeps(program, function, block));
    let access_paths = AccessPaths::of(program, function);
    let closures =
        given.into_iter().flat_map(|(call, _)| &call.arguments).filter_map(|it| access_paths.closure_in(it));
    closures
        .map(|(body, captured)| Run {
            body,
            arguments: Vec::new(),
            captured,
            always: false,
            one_of_several: false,
        })
        .collect()
}

/// The violations of a request: one for each part of its map that is held then.
fn nested(program: &Program, id: FunctionId, block: BlockId, request: &Request) -> Vec<Hit> {
    let function = program.function(id);
    let holding = program.holding(id);
    let Some(held) = holding.at(block) else { return Vec::new() };
    // An entry that is given to what runs is held by that, for as long as it wants to.
    let given: BTreeSet<GuardId> = if keeps(program, function, block) {
        BTreeSet::new()
    } else {
        given_to(function, block).iter().flat_map(|it| held.moved_with(it)).collect()
    };
    let mut hits = Vec::new();
    for (guard, certain) in held.guards().into_iter().filter(|(guard, _)| !given.contains(guard)) {
        let Some((map, held_alone, at)) = acquired(program, id, guard, 8) else { continue };
        let is_same = map == request.map && is_same_object(program, id, guard, &map, block);
        if is_same && (held_alone || request.alone) && at != request.at {
            hits.push(hit(program, at, request, certain));
        }
    }
    hits
}

/// The map that a guard of a body holds a part of, and whether alone.
pub(super) fn held(program: &Program, id: FunctionId, guard: GuardId) -> Option<(AccessPath, bool)> {
    let (map, alone, _) = acquired(program, id, guard, 8)?;
    Some((map, alone))
}

/// The map that the call at the end of a block requests a part of, and whether alone.
pub(super) fn requested(program: &Program, id: FunctionId, block: BlockId) -> Option<(AccessPath, bool)> {
    let function = program.function(id);
    let alone = alone(program.callee_path(function, block))?;
    Some((map_at(program, function, block)?, alone))
}

/// The map that a guard holds a part of, whether alone, and the call that gave it.
fn acquired(
    program: &Program,
    id: FunctionId,
    guard: GuardId,
    depth: usize,
) -> Option<(AccessPath, bool, CallSite)> {
    let Origin::Call(block) = program.holding(id).guard(guard)?.origin else { return None };
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let from = if callee.is_trait("Iterator", "next") { iterated(program, function, block)? } else { block };
    if let Some(alone) = alone(program.callee_path(function, from)) {
        return Some((map_at(program, function, from)?, alone, (id, from)));
    }
    let inner = program.called(function, block)?;
    let found = returned(program, inner).into_iter().next()?;
    let (map, alone, at) = acquired(program, inner, found, depth.checked_sub(1)?)?;
    let access_paths = AccessPaths::of(program, function);
    Some((access_paths.seen(&map, &access_paths.arguments(call), &[])?, alone, at))
}

/// The call of `iter` that gave the iterator which a call of `next` asks.
fn iterated(program: &Program, function: &Function, next: BlockId) -> Option<BlockId> {
    let mut at = next;
    for _ in 0..8 {
        let asked = function.call(at)?.0.arguments.first().and_then(Operand::place)?;
        at = source(function, &Slot::at(asked))?;
        if alone(program.callee_path(function, at)).is_some() {
            return Some(at);
        }
        if !function.call(at)?.1.is_trait("IntoIterator", "into_iter") {
            return None;
        }
    }
    None
}

fn hit(program: &Program, held: CallSite, request: &Request, certain: bool) -> Hit {
    let place = |(id, block): CallSite| match call_ref(program, id, block) {
        CodeRef::Item(_) => CodeRef::of_body(program, id),
        known => known,
    };
    Hit {
        certainty: if certain { Certainty::Usually } else { Certainty::Doubt },
        message: "a map is asked while an entry of it is held: this waits for ever where both are in one part of the map, as with the \
                  same key"
            .to_owned(),
        primary: (place(request.at), "the map is asked here".to_owned()),
        related: vec![(place(held), "the entry is held from here".to_owned())],
        advice: "copy what is needed out of the entry and let go of it before the map is asked again".to_owned(),
    }
}
