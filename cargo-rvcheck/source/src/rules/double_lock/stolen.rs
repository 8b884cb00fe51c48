//! A worker of a pool holds a lock while it waits for work that it submitted. Meanwhile it runs other work on its own stack: if that
//! requests the same lock, the worker waits for itself.
//!
//! Rayon's `join`, scopes and parallel iterators wait in that way.

use super::super::{Certainty, CodeRef, Hit};
use super::conflict;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::facts::calls::LockClass;
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop};
use crate::program::code_ref::call_ref;
use crate::program::handles::share_one;
use crate::program::locks::{Mode, kept_at};
use crate::program::runs::{Run, iterator_asked, runs};
use rvcheck_primitives::Action;
use std::collections::{BTreeMap, BTreeSet};

/// Finds such locks.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let handed_over: Vec<HandedOver> = program.functions().flat_map(|it| handed_over(program, it)).collect();
    if handed_over.is_empty() {
        return Vec::new();
    }
    let held = held_over_waits(program, &handed_over);
    let mut found = BTreeMap::new();
    for HandedOver { body, runs, many, .. } in &handed_over {
        let jobs: Vec<Vec<Requested>> = runs.iter().map(|it| requested(program, *body, it)).collect();
        for (at, job) in jobs.iter().enumerate() {
            for first in job {
                let Some((mode, waits)) = held.get(&first.place) else { continue };
                let others = jobs.iter().enumerate().filter(|(other, _)| *other != at || *many);
                let mut again = others.flat_map(|(_, it)| it).filter(|it| it.lock == first.lock);
                if let Some(again) = again.find(|it| conflict(*mode, it.mode) == Some(Certainty::Definite)) {
                    found.entry(first.place.clone()).or_insert_with(|| hit(program, first, again, waits));
                }
            }
        }
    }
    found.into_values().collect()
}

/// Work that a body gives to a pool, and waits for.
struct HandedOver {
    body: FunctionId,
    block: BlockId,
    runs: Vec<Run>,
    /// Each is run for many items.
    many: bool,
}

fn handed_over(program: &Program, (body, function): (FunctionId, &Function)) -> Vec<HandedOver> {
    let calls = function.calls().filter_map(|(block, _, callee)| {
        let of_pool = callee.row().is_some_and(|it| it.operation.action == Action::RunInPool);
        let many = callee.is_parallel() && iterator_asked(callee).is_some();
        (many || of_pool).then_some((block, many))
    });
    calls
        .map(|(block, many)| HandedOver { body, block, runs: runs(program, function, block), many })
        .collect()
}

/// Which lock it is, the same one for each item.
#[derive(PartialEq, Eq)]
enum Lock {
    /// In the terms of the body that gives the job to the pool.
    Path(AccessPath),
    /// One to which all values of a struct have handles in that field.
    OfAll(LockClass),
}

/// A lock that a job requests.
struct Requested {
    lock: Lock,
    mode: Mode,
    place: CodeRef,
}

fn requested(program: &Program, body: FunctionId, job: &Run) -> Vec<Requested> {
    let access_paths = AccessPaths::of(program, program.function(body));
    let requests = program.locks().requests(job.body).iter().filter(|(_, it)| !it.is_part);
    let seen = requests.filter_map(|(_, it)| {
        let path = access_paths.seen(&it.lock, &[], &job.captured).map(Lock::Path);
        let lock = path.or_else(|| of_all(program, &it.lock))?;
        Some(Requested { lock, mode: it.mode, place: it.place.clone()? })
    });
    seen.collect()
}

/// A lock of the item that the job is given, if all items share it.
fn of_all(program: &Program, lock: &AccessPath) -> Option<Lock> {
    let class = LockClass::of(program, lock)?;
    let LockClass::Field(of, field) = &class else { return None };
    let is_handle = lock.hops.iter().filter(|it| **it == Hop::Deref).count() > 1;
    (is_handle && lock.is_one() && share_one(program, of, *field)).then_some(Lock::OfAll(class))
}

/// Where locks are acquired that a body keeps while it waits for a pool: how, and where it waits.
fn held_over_waits(program: &Program, handed_over: &[HandedOver]) -> BTreeMap<CodeRef, (Mode, CodeRef)> {
    let direct: BTreeSet<(FunctionId, BlockId)> = handed_over.iter().map(|it| (it.body, it.block)).collect();
    let mut waiting: BTreeSet<FunctionId> = direct.iter().map(|it| it.0).collect();
    let calls: Vec<(FunctionId, BlockId, Vec<Run>)> = program
        .functions()
        .flat_map(|(id, function)| {
            function.calls().map(move |(block, ..)| (id, block, runs(program, function, block)))
        })
        .filter(|(.., runs)| !runs.is_empty())
        .collect();
    walk::fixpoint(|| {
        let before = waiting.len();
        let waits = |runs: &[Run]| runs.iter().any(|it| waiting.contains(&it.body));
        let more: Vec<FunctionId> = calls.iter().filter(|it| waits(&it.2)).map(|it| it.0).collect();
        waiting.extend(more);
        waiting.len() > before
    });
    let through = calls.iter().filter(|it| it.2.iter().any(|it| waiting.contains(&it.body)));
    let mut held = BTreeMap::new();
    for (id, block) in direct.into_iter().chain(through.map(|it| (it.0, it.1))) {
        for kept in kept_at(program, id, block) {
            let Some(place) = kept.place else { continue };
            held.entry(place).or_insert_with(|| (kept.mode, call_ref(program, id, block)));
        }
    }
    held
}

fn hit(program: &Program, first: &Requested, again: &Requested, waits: &CodeRef) -> Hit {
    let name = match &first.place {
        CodeRef::Site(number) => program.site(*number).and_then(|it| it.binding.clone()),
        _ => None,
    };
    let name = name.map_or_else(|| "the lock".to_owned(), |it| format!("`{it}`"));
    let mut related =
        vec![(waits.clone(), "the worker waits for parallel work here, holding the lock".to_owned())];
    if again.place != first.place {
        related.push((again.place.clone(), "another job of the pool locks it here".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "{name} is held across a wait for the thread pool: a worker that waits may run another job on its stack, which locks {name} \
             again and deadlocks"
        ),
        primary: (first.place.clone(), "locked here by a job of the pool".to_owned()),
        related,
        advice: "drop the guard before the parallel call, or compute first and lock afterwards".to_owned(),
    }
}
