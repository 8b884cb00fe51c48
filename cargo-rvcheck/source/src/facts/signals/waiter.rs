//! Waiters: bodies that look at state, and wait for a signal where it is not what they want.

use super::operation::{Act, Operation, Sort};
use super::state::{How, Value};
use super::{Decision, Signals};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::select::selects;
use crate::body::walk;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::ty::Ty;
use rvcheck_primitives::{self as primitives, Action, Is, owners_named};
use std::collections::{BTreeMap, BTreeSet};

/// By state: values.
pub(crate) type Leaves = BTreeMap<AbstractObject, BTreeSet<Value>>;

/// A body that waits for a signal.
#[derive(Clone, Debug)]
pub(crate) struct Waiter {
    /// The body.
    pub(crate) id: FunctionId,
    /// By what it becomes one of those who are notified, or waits.
    pub(crate) operation: Operation,
    /// The block that waits.
    pub(crate) wait: BlockId,
    /// The signal.
    pub(crate) object: AbstractObject,
    /// By state that it looks at: with which values it does not wait, or waits no longer.
    pub(crate) leaves: Leaves,
    /// By state that it looks at: with which values it comes to no wait at all that a notification alone ends.
    pub(crate) ends: Leaves,
    /// The state by which it goes to the wait, or past it.
    pub(crate) looks: BTreeSet<AbstractObject>,
    /// Something else ends its wait, too: it waits for several things, or for some time.
    pub(crate) is_ended_otherwise: bool,
}

impl Signals<'_> {
    /// The waiters among the bodies.
    pub(crate) fn waiters(&self) -> &[Waiter] {
        self.waiters.get_or_init(|| self.all_waiters())
    }

    fn all_waiters(&self) -> Vec<Waiter> {
        let mut found = Vec::new();
        for (id, function) in self.program.functions() {
            let operations = self.operations(id);
            let waits: Vec<&Operation> =
                operations.iter().filter(|it| matches!(it.act, Act::Register | Act::Wait)).collect();
            if waits.is_empty() {
                continue;
            }
            let paths = Paths::of(function);
            let decisions = self.decisions(id);
            let selected: BTreeSet<BlockId> = selects(function).iter().map(|it| it.poll).collect();
            let mut waiting = Vec::new();
            for operation in waits {
                // Who unparks a thread may be known by any handle to it.
                let parked = || {
                    (operation.sort == Sort::Thread).then(|| AbstractObject::Value(id, Slot::of(Local(0))))
                };
                let Some(object) = operation.object.clone().or_else(parked) else { continue };
                if operation.sort == Sort::Permits {
                    continue;
                }
                let by_hand = || is_of_poll(function).then_some(operation.block);
                let Some(wait) = self.waits_at(id, paths, operation).or_else(by_hand) else { continue };
                let is_ended_otherwise = selected.contains(&wait)
                    || !waits_alone(function, wait) && is_timed(self.program, function, paths, wait);
                waiting.push((operation.clone(), object, wait, is_ended_otherwise));
            }
            for (operation, object, wait, is_ended_otherwise) in waiting.clone() {
                // Where it waits for the same signal and for something else, it has seen what it waited for.
                let others = waiting.iter().filter(|(_, of, _, otherwise)| !otherwise || *of != object);
                let all: BTreeSet<BlockId> = others.map(|(_, _, at, _)| *at).chain([wait]).collect();
                let mut leaves = self.leaves_of(id, paths, &decisions, &BTreeSet::from([wait]), &|_| true);
                // Whoever comes back to the wait without a look at it does not wait for it.
                let suspends = function.suspensions.iter().filter(|it| it.poll == Some(wait));
                let suspends: BTreeSet<BlockId> = suspends.map(|it| it.block).collect();
                let iteration = iteration_of(paths, wait, &suspends);
                let is_look = |at: BlockId| {
                    let past = |it: BlockId| it == at || suspends.contains(&it);
                    iteration.is_empty()
                        || iteration.contains(&at) && !paths.reach(paths.next(wait), &past, &|it| it == wait)
                };
                let mut ends = self.leaves_of(id, paths, &decisions, &all, &is_look);
                // Whoever is among those who are notified waits, and whoever becomes one of them elsewhere does not leave.
                if operation.sort == Sort::Waker {
                    let of_all = self.leaves_of(id, paths, &decisions, &all, &|_| true);
                    let keeps = |it: &AbstractObject| waiting.iter().any(|(_, of, ..)| of == it);
                    for (state, values) in leaves.iter_mut().chain(&mut ends) {
                        let is_kept = keeps(state);
                        values.retain(|value| {
                            let is_there = matches!(value, Value::Filled(true) | Value::Present(true));
                            !(is_kept && is_there) && of_all.get(state).is_some_and(|it| it.contains(value))
                        });
                    }
                }
                let mut looks = looked_at(paths, &decisions, wait);
                // What it looks at before a wait that looks at something else again and again does not end that.
                if let Some(again) = self.looked_at_again(id, operation.made) {
                    leaves.retain(|state, _| again.contains(state));
                    ends.retain(|state, _| again.contains(state));
                    looks.retain(|state| again.contains(state));
                }
                found.push(Waiter { id, operation, wait, object, leaves, ends, looks, is_ended_otherwise });
            }
        }
        found
    }

    /// The state that a wait in another body than this one looks at whenever it is woken; `None` where it leaves that to its callers.
    fn looked_at_again(
        &self,
        id: FunctionId,
        (inside, wait): (FunctionId, BlockId),
    ) -> Option<BTreeSet<AbstractObject>> {
        if inside == id {
            return None;
        }
        let around = Paths::of(self.program.function(inside)).loop_around(wait);
        let decisions = self.decisions(inside);
        let reads = decisions.iter().filter(|it| around.contains(&it.block)).flat_map(|it| &it.reads);
        let mut found: BTreeSet<AbstractObject> = reads.map(|it| it.state.clone()).collect();
        let mut by_predicate = Leaves::new();
        self.leaves_by_predicate(inside, wait, &mut by_predicate);
        found.extend(by_predicate.into_keys());
        (!found.is_empty()).then_some(found)
    }

    /// By state: the values with which a body does not come to those waits, as the blocks say that count.
    fn leaves_of(
        &self,
        id: FunctionId,
        paths: &Paths,
        decisions: &[Decision],
        waits: &BTreeSet<BlockId>,
        looks: &dyn Fn(BlockId) -> bool,
    ) -> Leaves {
        let looked_at: Vec<Decision> = decisions.iter().filter(|it| looks(it.block)).cloned().collect();
        let mut found = leaves(paths, &looked_at, waits);
        self.leaves_by_helpers(id, paths, waits, looks, &mut found);
        for wait in waits {
            self.leaves_by_predicate(id, *wait, &mut found);
        }
        found
    }

    /// The block that waits for what an operation has made a waiter of.
    pub(crate) fn waits_at(&self, id: FunctionId, paths: &Paths, operation: &Operation) -> Option<BlockId> {
        let function = self.program.function(id);
        let at = operation.block;
        if operation.act == Act::Wait || self.is_polled_by_hand(id, operation) {
            return Some(at);
        }
        // What it calls waits itself.
        if function.callee(at).is_poll() {
            return Some(at);
        }
        if let Some(poll) = awaited_at(function, at) {
            return Some(poll);
        }
        let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
        let blocking: BTreeSet<BlockId> = self
            .operations(id)
            .iter()
            .filter(|it| it.act == Act::Wait && it.sort == operation.sort)
            .map(|it| it.block)
            .collect();
        let waits = |it: BlockId| polls.contains(&it) || blocking.contains(&it);
        let next = |it: BlockId| paths.next(it).iter().copied();
        walk::nearest(next(at), next, |it| waits(*it))
    }
}

impl Signals<'_> {
    /// Whether a waiter is a future by hand, which waits by its return.
    fn is_polled_by_hand(&self, id: FunctionId, operation: &Operation) -> bool {
        operation.sort == Sort::Waker && self.program.function(id).kind != Kind::Coroutine
    }

    /// Whether a block awaits a future of a type of the workspace that is written by hand: what that looks at is not known.
    pub(crate) fn awaits_by_hand(&self, id: FunctionId, at: BlockId) -> bool {
        let function = self.program.function(id);
        let Some((_, callee)) = function.call(at).filter(|(_, it)| it.is_poll()) else {
            return false;
        };
        let bodies = self.bodies_at(id, at);
        let is_machine = |it: &FunctionId| self.program.function(*it).kind == Kind::Coroutine;
        if !bodies.is_empty() && bodies.iter().all(is_machine) {
            return false;
        }
        let ty = callee.self_type().unwrap_or_default();
        if ty.has(Ty::is_body) {
            return false;
        }
        let is_own = |it: &str| self.program.knows_type(it) || self.program.is_parameter(it);
        ty.words().any(is_own) || ty.has_opaque()
    }
}

/// The blocks by which a body comes back to a wait without suspending there; none if it does not.
fn iteration_of(paths: &Paths, wait: BlockId, suspends: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
    let past = |it: BlockId| suspends.contains(&it);
    let after = paths.from(paths.next(wait), &past);
    if !after.contains(&wait) {
        return BTreeSet::new();
    }
    paths.to(&[wait], &past).intersection(&after).copied().collect()
}

/// The shared state by which a body goes to a wait, or past it.
fn looked_at(paths: &Paths, decisions: &[Decision], wait: BlockId) -> BTreeSet<AbstractObject> {
    let decides = |it: &&Decision| {
        let waits = |to: &BlockId| paths.reach(&[*to], &|at| at == it.block, &|at| at == wait);
        let sides = paths.next(it.block);
        sides.iter().any(waits) && !sides.iter().all(waits)
    };
    let reads = decisions.iter().filter(decides).flat_map(|it| &it.reads);
    reads.filter(|it| it.how != How::Bare).map(|it| it.state.clone()).collect()
}

/// By state: the values with which a body does not come to a wait, or to one of several.
pub(super) fn leaves(paths: &Paths, decisions: &[Decision], waits: &BTreeSet<BlockId>) -> Leaves {
    let mut found = Leaves::new();
    let ends: Vec<BlockId> = waits.iter().copied().collect();
    let before = paths.to(&ends, &|_| false);
    for decision in decisions {
        let Some(test) = &decision.test else { continue };
        let waits = |to: BlockId| {
            before.contains(&to) && paths.reach(&[to], &|it| it == decision.block, &|it| waits.contains(&it))
        };
        if !test.leads.iter().any(|(_, to)| waits(*to)) {
            continue;
        }
        for (value, to) in &test.leads {
            if !waits(*to) {
                found.entry(test.state.clone()).or_default().insert(value.clone());
            }
        }
    }
    found
}

/// Whether a body is the `poll` of a future that is written by hand: it waits by what it returns.
fn is_of_poll(function: &Function) -> bool {
    function.kind != Kind::Coroutine && function.body.type_of(Local(0)).is_poll()
}

/// Whether a block waits for a signal, and for nothing else.
fn waits_alone(function: &Function, wait: BlockId) -> bool {
    let Some((_, callee)) = function.call(wait) else { return false };
    if callee.is_poll() {
        let ty = callee.self_type().unwrap_or_default().pointed();
        // A mark is around what is awaited.
        let inner = if ty.name() == "Awaited" { ty.argument(0) } else { None };
        let name = inner.map_or(ty, crate::ty::Ty::pointed).name();
        return owners_named(name).iter().any(|it| it.is == Is::Listener);
    }
    let row = function.callee(wait).row();
    row.is_some_and(|it| {
        matches!(it.operation.action, Action::Wait | Action::WaitReleasing) && !it.operation.is_limited
    })
}

/// Whether a wait, or the loop around it, ends after some time.
fn is_timed(program: &Program, function: &Function, paths: &Paths, wait: BlockId) -> bool {
    let mut around = paths.loop_around(wait);
    around.insert(wait);
    // A function of the workspace may have such a name, too.
    let is_foreign = |function: &Function, it: BlockId| program.called(function, it).is_none();
    let foreign = around.iter().filter(|it| is_foreign(function, **it));
    // So may what it calls that waits.
    let inner =
        program.one_called(function, wait).or_else(|| program.machine_in(function, &function.polled(wait)?));
    let called = |id: FunctionId| {
        let inside = program.function(id);
        inside.calls().filter_map(|(it, ..)| program.one_called(inside, it)).collect::<Vec<_>>()
    };
    let within = walk::reaches(inner, called, |id| {
        let inside = program.function(*id);
        inside.calls().any(|(it, _, callee)| is_foreign(inside, it) && callee.may(waits_in_time))
    });
    within
        || foreign.filter_map(|it| function.call(*it)).any(|(_, callee)| looks_again(callee))
        || function.calls().any(|(_, _, callee)| callee.limits())
}

/// Whether a waiter looks again after such a call whatever happens.
fn looks_again(callee: Callee) -> bool {
    callee.may(|it| waits_in_time(it) || matches!(it.action, Action::Limit | Action::Sleep))
}

fn waits_in_time(it: &primitives::Operation) -> bool {
    matches!(it.action, Action::Wait | Action::WaitReleasing) && it.is_limited
}
