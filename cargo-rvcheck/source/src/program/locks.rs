//! Locks: which calls request them, and which ones a body requests, itself or through what it calls.

mod callbacks;
mod handed;
pub(crate) mod maps;

use self::callbacks::Callback;
use self::maps::Iterated;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Callee, Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Operand, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::held::{GuardId, Origin};
use crate::program::runs::{Run, may_run};
use crate::program::summaries::{Domain, FactSet, drops_and_calls, solve};
use rvcheck_primitives::{self as primitives, Action, Is};
use std::collections::BTreeSet;

/// How a lock is requested.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Together with other readers, unless a writer waits.
    Read,
    /// Together with other readers, even if a writer waits.
    ReadRecursive,
    /// Together with readers, and the only one that may become a writer.
    Upgradable,
    /// Alone.
    Write,
}

/// What waits for a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Waits {
    /// The thread.
    Thread,
    /// The task, at the await.
    Task,
}

/// A request for a lock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub struct Request {
    /// Which lock, in the terms of the body that asks.
    pub lock: AccessPath,
    /// How.
    pub mode: Mode,
    /// What waits.
    pub waits: Waits,
    /// Where it is made, if that can be shown.
    pub place: Option<CodeRef>,
    /// It is for a part of a map: which one depends on the key.
    pub is_part: bool,
    /// Whether every path through the body comes by it.
    pub always: bool,
    /// It is made by something that the body calls.
    pub is_inner: bool,
    /// Only one of several implementations makes it.
    pub one_of_several: bool,
}

/// A lock that is requested while another one, or the same one, is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodyDependency {
    /// The block whose call requests it.
    pub block: BlockId,
    /// What is held.
    pub held: Acquired,
    /// Whether it is held on every path that leads there.
    pub certain: bool,
    /// Only one of several implementations of what is called does so.
    pub one_of_several: bool,
    /// What is requested.
    pub request: Request,
    /// The other locks that are held then. A part of a map keeps nobody out of the others.
    pub besides: Vec<AccessPath>,
    /// Where something is called that acquires what is held, if the body does not do it itself.
    pub held_through: Option<(FunctionId, BlockId)>,
    /// Where something is called that makes the request, if the body does not do it itself.
    pub requested_through: Option<(FunctionId, BlockId)>,
}

/// The requests of all bodies, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    requests: Vec<FactSet<(BlockId, Request)>>,
    callbacks: Vec<Vec<Callback>>,
}

/// What a function requests, if that is a lock and it waits for it.
pub fn request_of(callee: Callee) -> Option<(Mode, Waits)> {
    let operation = callee.row().map(|it| it.operation).filter(|it| !it.is_limited)?;
    let waits = match operation.waits {
        primitives::Waits::Thread => Waits::Thread,
        primitives::Waits::Task => Waits::Task,
        primitives::Waits::No | primitives::Waits::Poll => return None,
    };
    Some((mode_of(callee)?, waits))
}

/// How a guard that a function gives holds its lock, also where it did not wait for it.
fn mode_of(callee: Callee) -> Option<Mode> {
    match callee.row().filter(|it| matches!(it.owner.is, Is::Lock(_)))?.operation.action {
        Action::Request(primitives::Mode::Shared) => Some(Mode::Read),
        Action::Request(primitives::Mode::SharedRecursive) => Some(Mode::ReadRecursive),
        Action::Request(primitives::Mode::Upgradable) => Some(Mode::Upgradable),
        Action::Request(primitives::Mode::Exclusive) => Some(Mode::Write),
        // Who has it may have it again.
        _ => None,
    }
}

/// Whether a function takes a lock, whether it waits for it or not.
pub fn is_lock_call(callee: Callee) -> bool {
    mode_of(callee).is_some()
}

impl Locks {
    /// The requests in a body, each with the block whose call makes it.
    pub fn requests(&self, id: FunctionId) -> &[(BlockId, Request)] {
        self.requests.get(id.0 as usize).map_or(&[], |it| &it.0)
    }

    /// The locks that a body requests while locks are held: by itself, or by what it calls with a closure that requests them.
    pub fn dependencies(&self, program: &Program, id: FunctionId) -> Vec<BodyDependency> {
        let holding = program.holding(id);
        let mut found = Vec::new();
        for (block, request) in self.requests(id) {
            let Some(held) = holding.at(*block) else { continue };
            // A guard that is given to what runs is held by that, for as long as it wants to.
            let given: BTreeSet<GuardId> =
                given_to(program.function(id), *block).iter().flat_map(|it| held.moved_with(it)).collect();
            let held: Vec<(GuardId, Acquired, bool)> = held
                .guards()
                .into_iter()
                .filter(|(guard, _)| !given.contains(guard))
                .filter_map(|(guard, certain)| {
                    let it = acquired(program, id, guard)?;
                    is_same_object(program, id, guard, &it.lock, *block).then_some((guard, it, certain))
                })
                .collect();
            for (at, (guard, first, certain)) in held.iter().enumerate() {
                let others =
                    held.iter().enumerate().filter(|(other, (_, it, _))| *other != at && !it.is_part);
                found.push(BodyDependency {
                    block: *block,
                    held: first.clone(),
                    certain: *certain,
                    one_of_several: request.one_of_several,
                    request: request.clone(),
                    besides: others.map(|(_, (_, it, _))| it.lock.clone()).collect(),
                    held_through: acquired_through(program, id, *guard, first.place.as_ref())
                        .map(|it| (id, it)),
                    requested_through: request.is_inner.then_some((id, *block)),
                });
            }
        }
        found.extend(callbacks::dependencies(self, program, id));
        found.extend(maps::dependencies(self, program, id));
        found.extend(handed::dependencies_in_handed(self, program, id));
        found
    }

    pub(super) fn of(program: &Program) -> Locks {
        Locks {
            requests: solve(&Requests(program), program.functions().count()),
            callbacks: callbacks::all(program),
        }
    }
}

/// The requests of bodies, each with the block whose call makes it.
struct Requests<'a>(&'a Program);

impl Requests<'_> {
    /// The requests that a body makes itself.
    fn direct(&self, body: FunctionId) -> impl Iterator<Item = (BlockId, Request)> {
        let function = self.0.function(body);
        function.calls().filter_map(move |(block, _, callee)| {
            let polled = callee.is_poll().then(|| function.polled(block)).flatten();
            let request = direct(self.0, (body, function), block, polled.as_ref())?;
            Some((block, Request { always: is_passed_always(function, block), ..request }))
        })
    }
}

impl Domain for Requests<'_> {
    type Summary = FactSet<(BlockId, Request)>;
    type Call = (BlockId, Run);

    fn own(&self, body: FunctionId) -> Self::Summary {
        self.direct(body).collect()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)> {
        // A map runs what it is given.
        let whole = self.direct(body).filter(|(_, it)| !it.is_part).map(|it| it.0);
        let whole: BTreeSet<BlockId> = whole.collect();
        let mut found = drops_and_calls(self.0, self.0.function(body), may_run);
        found.retain(|(_, (block, _))| !whole.contains(block));
        found
    }

    fn at_call(&self, body: FunctionId, (block, run): &Self::Call, callee: &Self::Summary) -> Self::Summary {
        let function = self.0.function(body);
        let access_paths = AccessPaths::of(self.0, function);
        let always = run.always && is_passed_always(function, *block);
        let seen = |(_, it): &(BlockId, Request)| {
            let request = Request {
                lock: access_paths.seen(&it.lock, &run.arguments, &run.captured)?,
                always: always && it.always,
                is_inner: true,
                one_of_several: run.one_of_several || it.one_of_several,
                ..it.clone()
            };
            Some((*block, request))
        };
        callee.0.iter().filter_map(seen).collect()
    }
}

/// The locks that a body holds on every path to the end of a block, and still holds while that runs. A part of a map keeps nobody out of
/// the others, and is none of these.
pub(crate) fn kept_at(program: &Program, id: FunctionId, block: BlockId) -> Vec<Acquired> {
    let kept = kept(program, id, block).into_iter().filter_map(|it| acquired(program, id, it));
    kept.filter(|it| !it.is_part).collect()
}

/// The guards of these locks.
fn kept(program: &Program, id: FunctionId, block: BlockId) -> Vec<GuardId> {
    let holding = program.holding(id);
    let Some(held) = holding.at(block) else { return Vec::new() };
    let given: BTreeSet<GuardId> =
        given_to(program.function(id), block).iter().flat_map(|it| held.moved_with(it)).collect();
    let guards = held.guards().into_iter();
    guards.filter(|(it, certain)| *certain && !given.contains(it)).map(|(it, _)| it).collect()
}

/// The slots whose values are given to what the end of a block runs: the arguments of a call, the future that it polls, or what is
/// dropped.
pub(crate) fn given_to(function: &Function, block: BlockId) -> Vec<Slot> {
    if let Some(Terminator::Drop { place, .. }) = function.body.block(block).map(|it| &it.terminator) {
        return vec![Slot::at(place)];
    }
    let Some((call, callee)) = function.call(block) else { return Vec::new() };
    let polled = callee.is_poll().then(|| function.polled(block)).flatten();
    call.places().map(Slot::at).chain(polled).collect()
}

/// The request that the call at the end of a block makes itself.
fn direct(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    polled: Option<&Slot>,
) -> Option<Request> {
    // A lock that a task waits for is requested when what `lock` gave is polled.
    let at = match polled {
        Some(slot) => match function.producer(slot)? {
            Definition::Called(made) => made,
            Definition::Assigned(..) => return None,
        },
        None => block,
    };
    let callee = function.callee(at);
    let of_part = maps::part_of(callee);
    let (mode, waits) = of_part.map(|it| (it, Waits::Thread)).or_else(|| request_of(callee))?;
    if (waits == Waits::Task) != polled.is_some() {
        return None;
    }
    let lock = lock_at(program, function, at)?;
    Some(Request {
        lock,
        mode,
        waits,
        place: place_of(program, (id, function), at, of_part.is_some()),
        is_part: of_part.is_some(),
        always: false,
        is_inner: false,
        one_of_several: false,
    })
}

/// Where a lock is requested: at a site, a part of a map at any call.
fn place_of(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    is_part: bool,
) -> Option<CodeRef> {
    let anywhere = || match call_ref(program, id, block) {
        CodeRef::Item(_) => CodeRef::of_body(program, id),
        known => known,
    };
    function.site(block).map(CodeRef::Site).or_else(|| is_part.then(anywhere))
}

/// The lock that the call at the end of a block is about.
pub(crate) fn lock_at(program: &Program, function: &Function, block: BlockId) -> Option<AccessPath> {
    let (call, _) = function.call(block)?;
    let lock = AccessPaths::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    lock.is_one().then_some(lock)
}

/// Whether every path through a body that comes to its end comes by a block.
pub(crate) fn is_passed_always(function: &Function, block: BlockId) -> bool {
    Paths::of(function).pass(function, &[BlockId(0)], &|it| it == block)
}

/// A lock that a guard holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acquired {
    /// Which lock, in the terms of the body.
    pub lock: AccessPath,
    /// How.
    pub mode: Mode,
    /// Where it was acquired, if that can be shown.
    pub place: Option<CodeRef>,
    /// It is a part of a map: which one depends on the key.
    pub is_part: bool,
}

/// The lock that a guard of a body holds, followed into the functions of the workspace that return it.
pub fn acquired(program: &Program, id: FunctionId, guard: GuardId) -> Option<Acquired> {
    let Guarded { lock, mode, place, is_part } = guarded(program, id, guard)?;
    Some(Acquired { lock: lock?, mode, place, is_part })
}

/// What a guard holds, whether it is known which lock that is or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Guarded {
    /// Which lock, in the terms of the body, if it is one.
    pub(crate) lock: Option<AccessPath>,
    /// How.
    pub(crate) mode: Mode,
    /// Where it was acquired, if that can be shown.
    pub(crate) place: Option<CodeRef>,
    /// It is a part of a map: which one depends on the key.
    pub(crate) is_part: bool,
}

/// What a guard of a body holds, followed as [`acquired`] does.
pub(crate) fn guarded(program: &Program, id: FunctionId, guard: GuardId) -> Option<Guarded> {
    guarded_within(program, id, guard, 8)
}

fn guarded_within(program: &Program, id: FunctionId, guard: GuardId, depth: usize) -> Option<Guarded> {
    let Origin::Call(block) = program.holding(id).guard(guard)?.origin else { return None };
    let function = program.function(id);
    let access_paths = AccessPaths::of(program, function);
    let (call, callee) = function.call(block)?;
    let polled = callee.is_poll().then(|| function.polled(block)).flatten();
    let at = match polled.as_ref().and_then(|it| function.producer(it)) {
        Some(Definition::Called(made)) => made,
        _ => block,
    };
    // An entry that an iterator of a map gives has the part that the iterator is in.
    if let Some(Iterated { from, mode, map }) = maps::asked(program, function, at) {
        let place = place_of(program, (id, function), from, true);
        return Some(Guarded { lock: Some(map), mode, place, is_part: true });
    }
    let callee = function.callee(at);
    let of_part = maps::part_of(callee);
    if let Some(mode) = of_part.or_else(|| mode_of(callee)) {
        let place = place_of(program, (id, function), at, of_part.is_some());
        return Some(Guarded {
            lock: lock_at(program, function, at),
            mode,
            place,
            is_part: of_part.is_some(),
        });
    }
    let (inner, arguments, captured) = match &polled {
        Some(slot) => {
            let (inner, captured) = access_paths.captured_in(slot)?;
            (inner, Vec::new(), captured)
        }
        None => match program.called(function, block) {
            Some(inner) => (inner, access_paths.arguments(call), Vec::new()),
            None => access_paths.called_at_once(block)?,
        },
    };
    let found = returned(program, inner).into_iter().next()?;
    let found = guarded_within(program, inner, found, depth.checked_sub(1)?)?;
    let lock = found.lock.and_then(|it| access_paths.seen(&it, &arguments, &captured));
    Some(Guarded { lock, ..found })
}

/// The block that calls something which acquires a guard at that site, if it is not the call itself that does.
pub(crate) fn acquired_through(
    program: &Program,
    id: FunctionId,
    guard: GuardId,
    place: Option<&CodeRef>,
) -> Option<BlockId> {
    let Origin::Call(block) = program.holding(id).guard(guard)?.origin else { return None };
    let function = program.function(id);
    let made = match function.polled(block).and_then(|it| function.producer(&it)) {
        Some(Definition::Called(made)) if function.call(block)?.1.is_poll() => made,
        _ => block,
    };
    let is_inner = program.called(function, made).is_some() && Some(&call_ref(program, id, made)) != place;
    is_inner.then_some(made)
}

/// The guards that a body may return.
pub fn returned(program: &Program, id: FunctionId) -> BTreeSet<GuardId> {
    let holding = program.holding(id);
    let ends = program.function(id).blocks().filter(|(_, it)| it.terminator == Terminator::Return);
    ends.filter_map(|(at, _)| holding.at(at)).flat_map(|it| it.within(&Slot::of(Local(0)))).collect()
}

/// Whether a guard can be held from where it is acquired to a block without that the value with which the access path to its lock begins is
/// made anew in between.
pub fn is_same_object(
    program: &Program,
    id: FunctionId,
    guard: GuardId,
    lock: &AccessPath,
    block: BlockId,
) -> bool {
    let Root::Made(slot) = &lock.root else { return true };
    let function = program.function(id);
    let holding = program.holding(id);
    let Some(Origin::Call(begin)) = holding.guard(guard).map(|it| it.origin.clone()) else { return false };
    let definitions: BTreeSet<BlockId> = function
        .definitions(slot)
        .iter()
        .map(|it| match it {
            Definition::Called(block) | Definition::Assigned(block, _) => *block,
        })
        .collect();
    let is_held = |at: BlockId| holding.at(at).is_some_and(|it| it.guards().contains_key(&guard));
    // An assignment comes before the end of its block, and the result of a call after it.
    let is_assigned = |at: BlockId| {
        let mut definitions = function.definitions(slot).iter();
        definitions.any(|it| matches!(it, Definition::Assigned(block, _) if *block == at))
    };
    let paths = Paths::of(function);
    let next = |from: BlockId| {
        let next = paths.next(from).iter().copied();
        next.filter(move |it| *it != begin && is_held(*it) && !is_assigned(*it))
    };
    let after = |at: BlockId| (!definitions.contains(&at)).then(|| next(at)).into_iter().flatten();
    walk::reaches(next(begin), after, |it| *it == block)
}

/// Whether a call passes a constant, by which it may choose what the callee does.
pub fn passes_a_choice(function: &Function, block: BlockId) -> bool {
    let is_choice =
        |it: &Operand| matches!(it, Operand::Constant(text) if matches!(text.as_str(), "true" | "false"));
    function.call(block).is_some_and(|(call, _)| call.arguments.iter().any(is_choice))
}
