//! Hand-written futures that keep the waker of their first poll, or of none.
//!
//! - A flag, key or slot says that one is kept already, and the waker of this poll is ignored: once the future has moved to another task,
//!   the wrong one is woken.
//! - If a lock or a place is taken at the moment, it returns `Poll::Pending` and stores no waker: nothing wakes the task when it is free.
//! - A waker is put into its slot only if that is empty, by `get_or_insert` and the like.

use super::super::{Certainty, CodeRef, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::{FunctionId, feasible};
use crate::facts::signals::{Act, Given, Operation, Signals, Sort, Value};
use crate::mir::{BlockId, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions_waker;
use rvcheck_primitives::{Action, Failure, Operation as Primitive};
use std::collections::BTreeSet;

/// Finds such futures.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let functions = signals.program.functions();
    functions
        .filter_map(|(id, function)| {
            let given = Given::of(function).filter(|it| !it.uses.is_empty() && !it.waits.is_empty())?;
            let body = Body { signals, id, given, paths: Paths::of(function) };
            body.skipped().or_else(|| body.only_if_empty())
        })
        .collect()
}

/// A body that is given a waker.
struct Body<'a> {
    signals: &'a Signals<'a>,
    id: FunctionId,
    given: Given,
    paths: &'a Paths,
}

impl Body<'_> {
    /// What is reached from a block while the waker is not looked at.
    fn unseen(&self, from: BlockId) -> BTreeSet<BlockId> {
        let function = self.signals.program.function(self.id);
        feasible::from(function, &[from], &|it| self.given.uses.contains(&it))
    }

    /// A branch behind which the task waits without its waker being looked at, where the other side keeps it.
    fn skipped(&self) -> Option<Hit> {
        let function = self.signals.program.function(self.id);
        let reached = self.unseen(BlockId(0));
        let waits = |it: &BTreeSet<BlockId>| !it.is_disjoint(&self.given.waits);
        // It may be done without a look at the waker.
        let may_be_done = self.given.done.is_empty() || !reached.is_disjoint(&self.given.done);
        if !waits(&reached) || !may_be_done {
            return None;
        }
        for at in reached.iter().copied().filter(|it| self.paths.next(*it).len() > 1) {
            let (skips, keeps): (Vec<BlockId>, Vec<BlockId>) =
                self.paths.next(at).iter().copied().partition(|it| waits(&self.unseen(*it)));
            let Some(skips) = skips.first().copied() else { continue };
            let kept = keeps.iter().find_map(|it| {
                let behind = self.paths.from(&[*it], &|it| it == at);
                // Only what is done on the same way as that, and before the task waits.
                let is_on_way = |kept: BlockId, it: BlockId| {
                    it == kept || self.paths.leads(it, kept) || self.paths.leads(kept, it)
                };
                let on_way =
                    |kept: BlockId| behind.iter().copied().filter(|it| is_on_way(kept, *it)).collect();
                let waits_then = |kept: BlockId| {
                    self.given.waits.iter().any(|it| *it == kept || self.paths.leads(kept, *it))
                };
                behind.iter().copied().find(|it| {
                    self.is_kept_at(*it) && waits_then(*it) && self.is_once((at, skips), &on_way(*it))
                })
            });
            if let Some(kept) = kept {
                return Some(self.hit(
                    "the waker is stored once and never updated: if another task polls this later, the wrong task is woken",
                    kept,
                    "stored here, the first time",
                    "store the waker of each poll, unless the stored one `will_wake` the same task",
                ));
            }
            if let Some(tried) = decided_by(function, at).filter(|it| self.tries(*it))
                && self.paths.next(at).len() > 1
                && self.fails(at, skips)
            {
                return Some(self.hit(
                    "this reports pending when the resource is taken, but stores no waker: nothing wakes the task when it is free",
                    tried,
                    "tried here, without the waker",
                    "store the waker first, or wake it immediately so that the task tries again",
                ));
            }
        }
        None
    }

    /// Whether a block keeps the waker, or gives it to a thread or task.
    fn is_kept_at(&self, at: BlockId) -> bool {
        let function = self.signals.program.function(self.id);
        let spawns = || {
            let spawns = |it: &Primitive| matches!(it.action, Action::Spawn(_));
            function.callee(at).may(spawns)
        };
        let registers = |it: &Operation| it.block == at && it.act == Act::Register && it.sort == Sort::Waker;
        self.given.uses.contains(&at) && (self.signals.operations(self.id).iter().any(registers) || spawns())
    }

    /// Whether a branch goes by what is changed where the waker is kept, and to what leads to the side that skips that.
    fn is_once(&self, (branch, skips): (BlockId, BlockId), behind: &BTreeSet<BlockId>) -> bool {
        let decisions = self.signals.decisions(self.id);
        let Some(decision) = decisions.iter().find(|it| it.block == branch) else { return false };
        let states: BTreeSet<&AbstractObject> = decision.reads.iter().map(|it| &it.state).collect();
        let [read] = states.into_iter().collect::<Vec<_>>()[..] else { return false };
        let skipping: Option<BTreeSet<&Value>> = decision
            .test
            .as_ref()
            .filter(|it| it.state == *read)
            .map(|it| it.leads.iter().filter(|(_, to)| *to == skips).map(|(value, _)| value).collect());
        let leads = |value: &Value| skipping.as_ref().is_none_or(|values| values.contains(value));
        let operations = self.signals.operations(self.id);
        let mut slots = operations.iter().filter(|it| it.act == Act::Register && it.sort == Sort::Waker);
        if slots.any(|it| behind.contains(&it.block) && it.object.as_ref() == Some(read)) {
            return leads(&Value::Present(true)) || leads(&Value::Filled(true));
        }
        self.signals
            .writes(self.id)
            .iter()
            .any(|it| it.state == *read && behind.contains(&it.block) && leads(&it.value))
    }

    /// Whether a call takes something only if it is free.
    fn tries(&self, at: BlockId) -> bool {
        let function = self.signals.program.function(self.id);
        let row = function.callee(at).row().map(|it| it.operation);
        row.is_some_and(|it| matches!(it.action, Action::Request(_)) && !it.may_wait())
    }

    /// Whether a side of a branch is the one of an error, or of nothing.
    fn fails(&self, branch: BlockId, side: BlockId) -> bool {
        let function = self.signals.program.function(self.id);
        let Some(Terminator::Switch { cases, otherwise, .. }) =
            function.body.block(branch).map(|it| &it.terminator)
        else {
            return false;
        };
        let Some(tried) = decided_by(function, branch) else { return false };
        let ty = function.call(tried).and_then(|(call, _)| function.type_of(&call.into)).unwrap_or_default();
        let failed = i128::from(ty.names("Result"));
        let to = cases.iter().find(|(it, _)| *it == failed).map(|(_, to)| *to).or(*otherwise);
        to == Some(side)
    }

    /// A slot that keeps what it has, and is all that looks at the waker.
    fn only_if_empty(&self) -> Option<Hit> {
        let function = self.signals.program.function(self.id);
        let [only] = self.given.uses.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let (call, callee) = function.call(only)?;
        let fills_once = || {
            let row = function.callee(only).row().map(|it| it.operation);
            row.is_some_and(|it| {
                it.action == Action::Initialise
                    || it.action == Action::Store && it.failures.contains(&Failure::Already)
            })
        };
        let of_waker = function.type_given(call, 0);
        ((callee.keeps_first() || fills_once()) && of_waker.is_some_and(mentions_waker)).then(|| {
            self.hit(
                "the waker is stored only if there is none yet: if another task polls this later, the wrong task is woken",
                only,
                "stored here, the first time",
                "store the waker of each poll, unless the stored one `will_wake` the same task",
            )
        })
    }

    fn hit(&self, message: &str, at: BlockId, label: &str, advice: &str) -> Hit {
        let mut related = Vec::new();
        let waits = self.given.waits.iter().map(|it| call_ref(self.signals.program, self.id, *it));
        related.extend(
            waits
                .filter(|it| !matches!(it, CodeRef::Item(_)))
                .map(|it| (it, "reports pending here".to_owned())),
        );
        Hit {
            certainty: Certainty::Usually,
            message: message.to_owned(),
            primary: (place(self.signals, self.id, self.paths, at), label.to_owned()),
            related,
            advice: advice.to_owned(),
        }
    }
}
