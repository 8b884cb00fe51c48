//! Where foreign code runs while a body has a lock: in the body itself, or in what it calls.

use super::reach::{LockClass, content, is_once, place_of};
use super::{Foreign, ForeignCalls};
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Rvalue};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::code_ref::{CodeRef, call_or_await};
use crate::program::locks::{Guarded, Mode, acquired_through, given_to, guarded, is_same_object};
use crate::program::runs::{Run, runs};
use crate::program::summaries::{Domain, FactSet, drops_and_calls, solve};
use crate::program::{GuardId, GuardKind, Origin, Program};
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};

/// A call of foreign code, in the terms of a body that makes it or runs what makes it.
#[derive(Clone, Debug)]
pub(crate) struct Use<'a> {
    /// The call.
    pub(crate) foreign: &'a Foreign,
    /// The block of the body that makes it or runs what makes it.
    pub(crate) block: BlockId,
    /// What is given, in the terms of the body.
    pub(crate) given: Vec<Option<AccessPath>>,
    /// What has been captured, in the terms of the body.
    pub(crate) captured: Vec<Option<AccessPath>>,
    /// What is handed, in the terms of the body.
    pub(crate) handed: Vec<AccessPath>,
}

/// A lock that a body holds while foreign code runs.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub(crate) struct HeldOver<'a> {
    /// The lock, if it is known which one.
    pub(crate) lock: Option<AccessPath>,
    /// The type of what is in it.
    pub(crate) content: Ty,
    /// How it is held.
    pub(crate) mode: Mode,
    /// Where it was acquired.
    pub(crate) acquired: CodeRef,
    /// The call that acquires it in another function, if it is not the body itself.
    pub(crate) through: Option<CodeRef>,
    /// Whether it is held on every path.
    pub(crate) certain: bool,
    /// Whether who waits for the lock spins.
    pub(crate) spins: bool,
    /// How many locks are held then.
    pub(crate) locks: usize,
    /// Whether it is something that is initialised once.
    pub(crate) is_once: bool,
    /// Whether it is a part of a map: which one depends on the key.
    pub(crate) is_part: bool,
    /// Whether the foreign code is given what the lock is around, so that it has to run while the lock is held.
    pub(crate) is_lent: bool,
    /// The foreign code.
    pub(crate) of: Use<'a>,
}

impl HeldOver<'_> {
    /// What the lock belongs to, if that is known.
    pub(crate) fn class(&self, program: &Program) -> Option<LockClass> {
        LockClass::of(program, self.lock.as_ref()?)
    }
}

impl<'a> Use<'a> {
    /// What a call of what a body runs is to that body.
    fn seen(&self, access_paths: &AccessPaths<'_>, block: BlockId, run: &Run) -> Use<'a> {
        let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
        Use {
            foreign: self.foreign,
            block,
            given: self.given.iter().map(|it| it.as_ref().and_then(seen)).collect(),
            captured: self.captured.iter().map(|it| it.as_ref().and_then(seen)).collect(),
            handed: self.handed.iter().filter_map(seen).collect(),
        }
    }
}

/// The same block runs the same call, whatever that is given on each way to it.
impl PartialEq for Use<'_> {
    fn eq(&self, other: &Use<'_>) -> bool {
        let call = |it: &Use<'_>| (it.block, it.foreign.body, it.foreign.block);
        call(self) == call(other)
    }
}

/// The foreign code that all bodies run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses<'a> {
    by_body: Vec<FactSet<Use<'a>>>,
}

/// Through how many calls a lock is followed that is held while foreign code runs.
const DEEPEST: usize = 5;

/// The calls of foreign code that are made for sure.
struct Called<'p, 'a> {
    program: &'p Program,
    foreign: &'a ForeignCalls,
}

impl<'a> Domain for Called<'_, 'a> {
    type Summary = FactSet<Use<'a>>;
    type Call = (BlockId, Run);

    fn own(&self, body: FunctionId) -> FactSet<Use<'a>> {
        let of = |it: &'a Foreign| Use {
            foreign: it,
            block: it.block,
            given: it.given.clone(),
            captured: it.captured.clone(),
            handed: it.handed.clone(),
        };
        FactSet(self.foreign.in_body(body).iter().map(of).collect())
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, (BlockId, Run))> {
        let mut found = drops_and_calls(self.program, self.program.function(body), runs);
        found.retain(|it| it.0 != body);
        found
    }

    fn at_call(
        &self,
        body: FunctionId,
        (block, run): &Self::Call,
        callee: &FactSet<Use<'a>>,
    ) -> FactSet<Use<'a>> {
        let access_paths = AccessPaths::of(self.program, self.program.function(body));
        callee.0.iter().map(|it| it.seen(&access_paths, *block, run)).collect()
    }
}

impl<'a> Uses<'a> {
    /// Follows what is called for sure.
    pub(crate) fn of(program: &Program, foreign: &'a ForeignCalls) -> Uses<'a> {
        Uses { by_body: solve(&Called { program, foreign }, program.functions().count()) }
    }

    /// The foreign code that a body runs while it has a lock.
    pub(crate) fn held_over(&self, program: &Program, id: FunctionId) -> Vec<HeldOver<'a>> {
        let function = program.function(id);
        let holding = program.holding(id);
        let mut found = Vec::new();
        for it in self.by_body.get(id.0 as usize).into_iter().flat_map(|it| &it.0) {
            if let Some(once) = once(program, id, function, it) {
                found.push(once);
            }
            let Some(held) = holding.at(it.block) else { continue };
            let given: BTreeSet<GuardId> =
                given_to(function, it.block).iter().flat_map(|it| held.moved_with(it)).collect();
            let guards: Vec<(GuardId, bool)> =
                held.guards().into_iter().filter(|(guard, _)| !given.contains(guard)).collect();
            let locks = guards.iter().filter(|(guard, certain)| {
                *certain && holding.guard(*guard).is_some_and(|it| it.kinds.contains(GuardKind::Blocking))
            });
            let locks = locks.count();
            for (guard, certain) in guards {
                let Some(Guarded { lock, mode, place, is_part }) = guarded(program, id, guard) else {
                    continue;
                };
                if lock.as_ref().is_some_and(|lock| !is_same_object(program, id, guard, lock, it.block)) {
                    continue;
                }
                let through = acquired_through(program, id, guard, place.as_ref());
                let through = through.map(|it| call_or_await(program, id, it));
                let Some(acquired) = place.or_else(|| origin(program, id, guard)) else {
                    continue;
                };
                let ty = holding.guard(guard).map_or(Ty::default(), |it| it.ty);
                let spins = ty.head().starts_with("spin::");
                found.push(HeldOver {
                    spins,
                    locks,
                    is_lent: is_lent(function, it.block),
                    lock,
                    content: content(ty),
                    mode,
                    acquired,
                    through,
                    certain,
                    is_once: false,
                    is_part,
                    of: it.clone(),
                });
            }
        }
        found
    }
}

/// What bodies hold while foreign code runs that is given something else, in the terms of those that call them.
pub(crate) fn lifted<'a>(
    program: &Program,
    of_bodies: &[(FunctionId, HeldOver<'a>)],
) -> Vec<(FunctionId, HeldOver<'a>)> {
    let is_given = |it: &HeldOver<'_>| {
        let lock = it.lock.as_ref().map(|it| &it.root);
        let handed = it.of.handed.iter().chain(it.of.given.iter().flatten());
        lock.is_some_and(|it| !matches!(it, Root::Static(_) | Root::Made(_)))
            && handed.into_iter().any(|it| Some(&it.root) != lock && !it.root.is_made())
    };
    let mut open: BTreeMap<FunctionId, Vec<HeldOver<'a>>> = BTreeMap::new();
    for (id, it) in of_bodies.iter().filter(|(_, it)| is_given(it)) {
        open.entry(*id).or_default().push(it.clone());
    }
    let mut found = Vec::new();
    for _ in 0..DEEPEST {
        let mut next: BTreeMap<FunctionId, Vec<HeldOver<'a>>> = BTreeMap::new();
        for (id, function) in program.functions().filter(|_| !open.is_empty()) {
            let access_paths = AccessPaths::of(program, function);
            for (block, ..) in function.calls() {
                for run in runs(program, function, block).into_iter().filter(|it| it.body != id) {
                    let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
                    for it in open.get(&run.body).into_iter().flatten() {
                        let Some(lock) = it.lock.as_ref().and_then(seen) else { continue };
                        let of = it.of.seen(&access_paths, block, &run);
                        let it = HeldOver { lock: Some(lock), of, ..it.clone() };
                        if is_given(&it) {
                            next.entry(id).or_default().push(it.clone());
                        }
                        found.push((id, it));
                    }
                }
            }
        }
        open = next;
    }
    found
}

fn origin(program: &Program, id: FunctionId, guard: GuardId) -> Option<CodeRef> {
    match program.holding(id).guard(guard)?.origin {
        Origin::Call(block) => Some(place_of(program, id, block)),
        Origin::Given(_) => None,
    }
}

/// What is initialised once while foreign code runs.
fn once<'a>(program: &Program, id: FunctionId, function: &Function, of: &Use<'a>) -> Option<HeldOver<'a>> {
    let (call, _) = function.call(of.block).filter(|it| is_once(it.1))?;
    let lock = AccessPaths::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    Some(HeldOver {
        lock: Some(lock),
        content: Ty::default(),
        mode: Mode::Write,
        acquired: place_of(program, id, of.block),
        through: None,
        certain: true,
        is_once: true,
        is_part: false,
        spins: false,
        locks: 1,
        is_lent: false,
        of: of.clone(),
    })
}

/// Whether a call gives a reference that is made of a guard: what is in a lock is lent to whoever runs.
fn is_lent(function: &Function, block: BlockId) -> bool {
    let Some((call, _)) = function.call(block) else { return false };
    let tuple = call.place(1);
    let made = tuple.and_then(|it| function.assigned(function.definition(&Slot::at(it))?));
    let Some(Rvalue::Made(_, parts)) = made else { return false };
    parts.iter().filter_map(Operand::place).any(|it| function.type_of(it).is_some_and(Ty::is_exclusive))
}
