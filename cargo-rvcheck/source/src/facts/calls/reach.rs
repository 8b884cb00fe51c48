//! The locks that bodies request, by what they belong to: also those that are reached in a way which does not tell the instance.

use super::{Foreign, ForeignCalls};
use crate::body::walk;
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::callers::made;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::drops::drops;
use crate::program::locks::{Mode, Waits, maps, request_of};
use crate::program::runs::{Run, runs};
use crate::ty::{Ty, last};
use rvcheck_primitives::{Action, By, Holds, Is, Row, holds};
use std::collections::BTreeSet;

/// What a lock belongs to, whichever instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LockClass {
    /// The field of that number of the struct that has that [name alone](Program::type_named).
    Field(String, u32),
    /// The static of that name.
    Static(String),
    /// It is not known what, but what is in the lock, as it is written.
    Content(String),
}

impl LockClass {
    /// Of the lock to which a path leads.
    pub(crate) fn of(program: &Program, path: &AccessPath) -> Option<LockClass> {
        let field = path.hops.iter().rev().find_map(|it| match it {
            Hop::Field(of, number) if is_named(of) => Some(LockClass::Field(program.type_named(of), *number)),
            _ => None,
        });
        field.or_else(|| match &path.root {
            Root::Static(name) => Some(LockClass::Static(name.clone())),
            _ => None,
        })
    }
}

/// Whether it is the name of a struct with fields of its own, and not of a pointer or tuple.
fn is_named(of: &str) -> bool {
    let holds = holds(last(of));
    let is_pointer = holds.is_some_and(Holds::is_pointer) || holds == Some(Holds::Raw);
    let is_plain = !is_pointer && holds != Some(Holds::Variant);
    of.starts_with(|it: char| it.is_alphabetic() || it == '_') && is_plain
}

/// A request that a body makes, or something that it runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Reach {
    /// What the lock belongs to.
    pub(crate) class: LockClass,
    /// Which lock, in the terms of the body, where that is known.
    pub(crate) lock: Option<AccessPath>,
    /// The type of what is in the lock, unknown for what is not a lock.
    pub(crate) content: Ty,
    /// How it is requested.
    pub(crate) mode: Mode,
    /// The body that requests it.
    pub(crate) body: FunctionId,
    /// Where.
    pub(crate) place: CodeRef,
    /// Foreign code is run on the way.
    pub(crate) is_foreign: bool,
}

/// The requests of all bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    by_body: Vec<BTreeSet<Reach>>,
}

/// The most requests that are kept for a body.
const MOST: usize = 48;
/// The most rounds, beyond which only cycles of calls lead.
const ROUNDS: usize = 12;

impl Reached {
    /// Follows the calls of a program up to a fixpoint.
    pub(crate) fn of(program: &Program, foreign: &ForeignCalls) -> Reached {
        let direct = |(id, function): (FunctionId, &Function)| direct(program, id, function);
        let mut by_body: Vec<BTreeSet<Reach>> = program.functions().map(direct).collect();
        let edges: Vec<Vec<(Run, bool)>> =
            program.functions().map(|(id, it)| edges(program, id, it, foreign)).collect();
        walk::fixpoint_within(ROUNDS, || {
            let mut is_changed = false;
            for (id, function) in program.functions() {
                let access_paths = AccessPaths::of(program, function);
                let at = id.0 as usize;
                for (run, is_foreign) in &edges[at] {
                    if run.body == id || by_body[at].len() >= MOST {
                        continue;
                    }
                    let inner = by_body[run.body.0 as usize].iter().map(|it| {
                        let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
                        let lock = it.lock.as_ref().and_then(seen).filter(AccessPath::is_one);
                        Reach { lock, is_foreign: it.is_foreign || *is_foreign, ..it.clone() }
                    });
                    let inner: Vec<Reach> = inner.collect();
                    for it in inner {
                        is_changed |= by_body[at].insert(it);
                    }
                }
            }
            is_changed
        });
        Reached { by_body }
    }

    /// The requests of a body.
    pub(crate) fn of_body(&self, id: FunctionId) -> impl Iterator<Item = &Reach> {
        self.by_body.get(id.0 as usize).into_iter().flatten()
    }
}

/// What a body runs, and whether that is foreign code.
fn edges(program: &Program, id: FunctionId, function: &Function, foreign: &ForeignCalls) -> Vec<(Run, bool)> {
    let mut found: Vec<(Run, bool)> = Vec::new();
    found.extend(drops(program, function).into_iter().map(|(_, it)| (it, false)));
    for (block, ..) in function.calls() {
        found.extend(runs(program, function, block).into_iter().map(|it| (it, false)));
    }
    for Foreign { targets, given, captured, .. } in foreign.in_body(id) {
        let run = |body: &FunctionId| Run {
            body: *body,
            arguments: given.clone(),
            captured: captured.clone(),
            always: false,
            one_of_several: targets.len() > 1,
        };
        found.extend(targets.iter().map(|it| (run(it), true)));
    }
    let mut seen = Vec::new();
    found.retain(|it| {
        let is_new = !seen.contains(&it.0);
        seen.push(it.0.clone());
        is_new
    });
    found
}

/// The requests that a body makes itself.
fn direct(program: &Program, id: FunctionId, function: &Function) -> BTreeSet<Reach> {
    let access_paths = AccessPaths::of(program, function);
    let mut found = BTreeSet::new();
    for (block, _, callee) in function.calls() {
        let polled = callee.is_poll().then(|| function.polled(block)).flatten();
        let at = match polled.as_ref().and_then(|it| function.producer(it)) {
            Some(Definition::Called(made)) => made,
            _ => block,
        };
        let Some((mode, waits)) = requested(function.callee(at)) else { continue };
        if (waits == Waits::Task) != polled.is_some() {
            continue;
        }
        let lock = function.call(at).and_then(|(call, _)| access_paths.operand(call.arguments.first()?));
        let lock = lock.map(|it| it.then(Hop::Deref));
        let place = place_of(program, id, at);
        let given = function.call(at).and_then(|(call, _)| function.type_of(call.place(0)?));
        let content = given.map_or(Ty::default(), content);
        let class =
            lock.as_ref().and_then(|it| LockClass::of(program, it).or_else(|| of_captured(program, id, it)));
        let class = class.unwrap_or_else(|| LockClass::Content(content.text().to_owned()));
        found.insert(Reach { class, lock, content, mode, body: id, place, is_foreign: false });
    }
    found
}

/// The class of a lock that a closure has captured without what that belongs to: by what the body calls it that makes the closure.
fn of_captured(program: &Program, id: FunctionId, lock: &AccessPath) -> Option<LockClass> {
    let Root::Captured(number) = lock.root else { return None };
    let (maker, _, values) = made(program, id)?;
    let from = AccessPaths::of(program, program.function(maker)).operand(values.get(number as usize)?)?;
    LockClass::of(program, &from)
}

/// The type of what is in a lock, or behind a guard of it, by the type of that.
pub(super) fn content(ty: Ty) -> Ty {
    let mut ty = super::Ty::pointed(ty);
    while matches!(ty.holds(), Some(Holds::Variant | Holds::Error))
        && let Some(inner) = ty.arguments().last().copied()
    {
        ty = inner;
    }
    ty.arguments().last().copied().unwrap_or_default()
}

/// What a function waits for others to let go of: a lock, a part of a map, or the initialisation of something that happens once.
fn requested(callee: Callee) -> Option<(Mode, Waits)> {
    let of_part = || maps::part_of(callee).map(|it| (it, Waits::Thread));
    request_of(callee).or_else(of_part).or_else(|| is_once(callee).then_some((Mode::Write, Waits::Thread)))
}

/// Whether a function runs what it is given at most once, while others wait.
pub(super) fn is_once(callee: Callee) -> bool {
    callee.likely_row().is_some_and(|Row { owner, operation }| {
        let by_thread = owner.is == Is::Once(By::Thread);
        by_thread && operation.action == Action::Initialise && operation.arguments > 0
    })
}

/// Where a call stands, or the body in which it does.
pub(super) fn place_of(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    match call_ref(program, id, block) {
        CodeRef::Item(_) => CodeRef::of_body(program, id),
        known => known,
    }
}
