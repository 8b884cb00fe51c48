//! Two locks that a function looks up in one way by two of its arguments, as two elements of a collection: called with the arguments
//! swapped, it takes them in the other order.

use super::super::{CodeRef, Hit};
use super::twins::{changes, decides, said};
use crate::body::provenance::{awaited_at, source};
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::locks::{Mode, request_of};
use crate::program::{GuardId, Origin, Program};
use crate::ty::last;
use std::collections::{BTreeMap, BTreeSet};

/// Through how many callers the arguments are followed.
const DEEPEST: usize = 3;

/// Finds such functions.
pub(super) fn check(program: &Program, makers: &BTreeMap<FunctionId, FunctionId>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        for (block, ..) in function.calls() {
            hits.extend(of_request(program, makers, (id, function), block));
        }
    }
    hits
}

fn of_request(
    program: &Program,
    makers: &BTreeMap<FunctionId, FunctionId>,
    (id, function): (FunctionId, &Function),
    block: BlockId,
) -> Option<Hit> {
    let (mode, _) = request_of(function.callee(block))?;
    let holding = program.holding(id);
    let held = holding.at(awaited_at(function, block).unwrap_or(block))?.guards();
    // Whatever else is held may keep others out.
    let mut held = held.into_iter();
    let (guard, true) = held.next().filter(|_| held.next().is_none())? else { return None };
    let first = acquired_at(program, id, guard).filter(|it| *it != block)?;
    let (before, _) = request_of(function.callee(first))?;
    if mode != Mode::Write || before != Mode::Write {
        return None;
    }
    let [one, other] = [first, block].map(|it| looked_up(program, function, it));
    let (one, other) = (one?, other?);
    if one.0 != other.0 || one.1.len() != other.1.len() {
        return None;
    }
    let owner = makers.get(&id).copied().unwrap_or(id);
    let mut exchanged = None;
    for (given, others) in one.1.iter().zip(&other.1) {
        let (given, others) = (given.as_ref()?, others.as_ref()?);
        if given == others {
            continue;
        }
        let both = [given, others].map(|it| argument(program, id, owner, it));
        let [Some(given), Some(others)] = both else { return None };
        if given == others || exchanged.replace([given, others]).is_some() {
            return None;
        }
    }
    if decides(program, function, block, None)
        || !may_be_exchanged(program, makers, owner, exchanged?, DEEPEST)
    {
        return None;
    }
    let asked: BTreeSet<GuardId> =
        holding.ids().filter(|it| acquired_at(program, id, *it) == Some(block)).collect();
    let [held, requested] = [&BTreeSet::from([guard]), &asked].map(|it| changes(program, id, it));
    if held.is_disjoint(&requested) {
        return None;
    }
    Some(said(program, &CodeRef::Site(function.site(first)?), &CodeRef::Site(function.site(block)?)))
}

/// The call that requested the lock of a guard.
fn acquired_at(program: &Program, id: FunctionId, guard: GuardId) -> Option<BlockId> {
    let function = program.function(id);
    let Origin::Call(made) = program.holding(id).guard(guard)?.origin else { return None };
    source(function, &Slot::at(&function.call(made)?.0.into))
}

/// Whether a method leads to what it is called on, or to what is in it.
fn leads_through(callee: Callee) -> bool {
    callee.views() || callee.shares() || callee.opens() || callee.name() == "to_owned"
}

/// The call by which a lock is found that another call locks: what it calls, and the paths to what it is given.
fn looked_up(
    program: &Program,
    function: &Function,
    block: BlockId,
) -> Option<(&'static str, Vec<Option<AccessPath>>)> {
    let access_paths = AccessPaths::of(program, function);
    let mut on = function.call(block)?.0.arguments.first()?.place()?;
    for _ in 0..16 {
        let found = source(function, &Slot::at(on))?;
        let (call, callee) = function.call(found)?;
        if !leads_through(callee) {
            return Some((callee.path(), access_paths.arguments(call)));
        }
        on = call.place(0)?;
    }
    None
}

/// The argument of a function that a path in it, or in its state machine, leads to as a whole.
fn argument(program: &Program, id: FunctionId, owner: FunctionId, path: &AccessPath) -> Option<u32> {
    let function = program.function(owner);
    let seen = match program.machine_made_by(owner).filter(|_| owner != id) {
        Some((_, values)) => {
            let inside = AccessPaths::of(program, function);
            let captured: Vec<Option<AccessPath>> = values.iter().map(|it| inside.operand(it)).collect();
            path.seen_from(&[], &captured)?
        }
        None => path.clone(),
    };
    let is_whole = seen.hops.iter().all(|it| matches!(it, Hop::Deref | Hop::Address));
    match seen.root {
        Root::Argument(number) if is_whole => Some(number),
        _ => None,
    }
}

/// Whether anybody may call a function, or one that hands two of its own arguments on to it, with these two exchanged.
fn may_be_exchanged(
    program: &Program,
    makers: &BTreeMap<FunctionId, FunctionId>,
    owner: FunctionId,
    both: [u32; 2],
    depth: usize,
) -> bool {
    let types = both.map(|it| program.function(owner).body.type_of(Local(it)));
    if types[0] != types[1] {
        return false;
    }
    let mut calls = program.functions().flat_map(|(caller, it)| {
        let own = it.calls().filter(move |(block, ..)| program.called(it, *block) == Some(owner));
        own.map(move |(block, call, _)| (caller, it, block, call))
    });
    if program.is_public(last(&program.item(owner))) && program.is_open(owner) {
        return !calls.any(|(_, it, block, _)| decides(program, it, block, None));
    }
    depth > 0
        && calls.any(|(caller, it, block, call)| {
            let outer = makers.get(&caller).copied().unwrap_or(caller);
            let given = AccessPaths::of(program, it).arguments(call);
            let seen = both.map(|it| argument(program, caller, outer, given.get(it as usize - 1)?.as_ref()?));
            let [Some(one), Some(other)] = seen else { return false };
            one != other
                && !decides(program, it, block, None)
                && may_be_exchanged(program, makers, outer, [one, other], depth - 1)
        })
}
