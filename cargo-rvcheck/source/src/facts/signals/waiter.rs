//! Waiters: bodies that look at state, and wait for a signal where it is not what they want.

use super::operation::{Act, Operation, Sort};
use super::state::Value;
use super::{Decision, Signals};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::select::selects;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Local};
use crate::program::abstract_object::AbstractObject;
use crate::program::library::any_named;
use rvcheck_primitives::Action;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// Something else ends its wait, too: it waits for several things, or for some time.
    pub(crate) is_ended_otherwise: bool,
}

impl Signals<'_> {
    /// The waiters among the bodies.
    pub(crate) fn waiters(&self) -> Vec<Waiter> {
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
            for operation in waits {
                // Who unparks a thread may be known by any handle to it.
                let parked = || {
                    (operation.sort == Sort::Thread).then(|| AbstractObject::Value(id, Slot::of(Local(0))))
                };
                let Some(object) = operation.object.clone().or_else(parked) else { continue };
                if operation.sort == Sort::Permits {
                    continue;
                }
                let Some(wait) = self.waits_at(id, &paths, operation) else { continue };
                let mut leaves = leaves(&paths, &decisions, &BTreeSet::from([wait]));
                self.leaves_by_helpers(id, &paths, wait, &mut leaves);
                self.leaves_by_predicate(id, wait, &mut leaves);
                let is_ended_otherwise = selected.contains(&wait) || is_timed(function, &paths, wait);
                found.push(Waiter {
                    id,
                    operation: operation.clone(),
                    wait,
                    object,
                    leaves,
                    is_ended_otherwise,
                });
            }
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
        if function.call(at).is_some_and(|(_, callee)| callee.is_trait("Future", "poll")) {
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
        let mut open: VecDeque<BlockId> = paths.next(at).iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(block) = open.pop_front() {
            if !seen.insert(block) {
                continue;
            }
            if polls.contains(&block) || blocking.contains(&block) {
                return Some(block);
            }
            open.extend(paths.next(block));
        }
        None
    }
}

impl Signals<'_> {
    /// Whether a waiter is a future by hand, which waits by its return.
    fn is_polled_by_hand(&self, id: FunctionId, operation: &Operation) -> bool {
        operation.sort == Sort::Waker && self.program.function(id).kind != crate::body::Kind::Coroutine
    }

    /// Whether a block awaits a future of a type of the workspace that is written by hand: what that looks at is not known.
    pub(crate) fn awaits_by_hand(&self, id: FunctionId, at: BlockId) -> bool {
        let function = self.program.function(id);
        let Some((_, callee)) = function.call(at).filter(|(_, it)| it.is_trait("Future", "poll")) else {
            return false;
        };
        let bodies = self.bodies_at(id, at);
        let is_machine = |it: &FunctionId| self.program.function(*it).kind == crate::body::Kind::Coroutine;
        if !bodies.is_empty() && bodies.iter().all(is_machine) {
            return false;
        }
        let ty = callee.self_type.as_deref().unwrap_or_default();
        if ty.contains("{async") || ty.contains("{closure") {
            return false;
        }
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        ty.split(|it: char| !is_word(it))
            .any(|it| self.program.knows_type(it) || self.program.is_parameter(it))
            || ty.contains("impl ")
            || ty.contains("dyn ")
    }
}

/// By state: the values with which a body does not come to a wait, or to one of several.
pub(super) fn leaves(paths: &Paths, decisions: &[Decision], waits: &BTreeSet<BlockId>) -> Leaves {
    let mut found = Leaves::new();
    for decision in decisions {
        let Some(test) = &decision.test else { continue };
        let waits = |to: BlockId| !paths.from(&[to], &|it| it == decision.block).is_disjoint(waits);
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

/// Whether a wait, or the loop around it, ends after some time.
pub(super) fn is_timed(function: &Function, paths: &Paths, wait: BlockId) -> bool {
    let mut around = paths.loop_around(wait);
    around.insert(wait);
    around.iter().filter_map(|it| function.call(*it)).any(|(_, callee)| looks_again(callee.name()))
        || function.calls().any(|(_, _, callee)| matches!(callee.name(), "timeout" | "timeout_at"))
}

/// Whether a waiter looks again after such a call whatever happens.
fn looks_again(name: &str) -> bool {
    any_named(name, |it| {
        let waits = matches!(it.action, Action::Wait | Action::WaitReleasing) && it.is_limited;
        waits || matches!(it.action, Action::Limit | Action::Sleep)
    })
}
