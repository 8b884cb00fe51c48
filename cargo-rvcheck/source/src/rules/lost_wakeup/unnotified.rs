//! State that a waiter checks, and that changes after the last notification, or without one.
//!
//! - The notification comes [before the change](too_early): the waiter checks, finds nothing new, and waits on.
//! - Or it comes before [the only change](inverted) that it can be about.
//! - The change [is not followed](never) by a notification, although other changes that end the same wait are: on an error path, or in
//!   another function.
//! - The change is followed by a notification [nowhere](nobody).
//!
//! Not reported if [the only waiter](alone) makes the change itself.

mod alone;
mod branches;
mod callers;
mod dropped;
mod elsewhere;
mod inverted;
mod nobody;
mod open;
mod unlocked;

use super::super::{Certainty, CodeRef, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId};
use crate::facts::signals::{Given, How, Operation, Signals, Sort, Waiter, Write};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use callers::Callers;
use std::collections::BTreeSet;

/// Finds such changes.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits = inverted::check(signals, waiters);
    hits.extend(unlocked::check(signals, waiters));
    let waiters: Vec<&Waiter> =
        waiters.iter().filter(|it| !it.is_ended_otherwise && !it.leaves.is_empty()).collect();
    if waiters.is_empty() {
        return hits;
    }
    for (id, function) in signals.program.functions() {
        let writes = signals.writes(id);
        let mut reported = BTreeSet::new();
        for waiter in &waiters {
            let ends = |it: &&Write| {
                let values = waiter.leaves.get(&it.state);
                it.how != How::Bare
                    && values.is_some_and(|values| values.contains(&it.value))
                    && signals.is_one(&it.state, Some(&waiter.object))
            };
            for write in writes.iter().filter(ends) {
                // What a caller sees is reported in the body that does it.
                if reported.contains(&write.block) {
                    continue;
                }
                let change = Change { signals, id, function, paths: Paths::of(function), write, waiter };
                if change.is_notified_inside() || change.is_named_drop() {
                    continue;
                }
                // Another thread may wait in the body that makes the change.
                let by_others = || change.too_early().or_else(|| change.never());
                let found = if waiter.id == id { change.left() } else { by_others() };
                let found = found.or_else(|| change.unlocked().filter(|_| waiter.id != id));
                if let Some(hit) = found.filter(|_| !change.is_by_the_only_waiter()) {
                    reported.insert(write.block);
                    hits.push(hit);
                }
            }
        }
    }
    hits.sort();
    hits.dedup();
    hits
}

/// A change that ends the wait of a waiter, in a body.
struct Change<'a> {
    signals: &'a Signals<'a>,
    id: FunctionId,
    function: &'a Function,
    paths: &'a Paths,
    write: &'a Write,
    waiter: &'a Waiter,
}

impl Change<'_> {
    /// The blocks of a body that notify the waiter.
    fn notifies(&self, id: FunctionId) -> BTreeSet<BlockId> {
        // Which waker it is may be hard to tell.
        let is_it = |it: &&Operation| {
            let alike = || it.sort == self.waiter.operation.sort && self.is_loose(it);
            it.notifies() && (self.is_exact(it) || alike())
        };
        self.signals.operations(id).iter().filter(is_it).map(|it| it.block).collect()
    }

    /// Whether an operation is about what the waiter waits for, and not only about something of that sort.
    fn is_exact(&self, it: &Operation) -> bool {
        it.object.as_ref() == Some(&self.waiter.object)
    }

    /// Whether a block notifies this waiter for sure.
    fn is_sure(&self, (id, block): (FunctionId, BlockId)) -> bool {
        let operations = self.signals.operations(id);
        operations.iter().any(|it| it.block == block && it.notifies() && self.is_exact(it))
    }

    fn is_loose(&self, it: &Operation) -> bool {
        matches!(self.waiter.operation.sort, Sort::Waker | Sort::Thread | Sort::Listed)
            || !matches!(it.object, Some(AbstractObject::Field(..)))
    }

    fn hit(
        &self,
        certainty: Certainty,
        message: &str,
        mut related: Vec<(CodeRef, String)>,
        advice: &str,
    ) -> Hit {
        let waiter = (
            if self.waiter.operation.sort == Sort::Waker {
                call_ref(self.signals.program, self.waiter.id, self.waiter.wait)
            } else {
                await_ref(self.signals.program, self.waiter.id, self.waiter.wait)
            },
            "waits here until it changes".to_owned(),
        );
        related.insert(0, waiter);
        related.extend(self.only_call().map(|it| (it, "only called from here".to_owned())));
        Hit {
            certainty,
            message: message.to_owned(),
            primary: (self.place(), "changed here".to_owned()),
            related,
            advice: advice.to_owned(),
        }
    }

    /// The call by which alone the body that makes the change is run, if it is a helper.
    fn only_call(&self) -> Option<CodeRef> {
        let program = self.signals.program;
        let callers = self.signals.callers(self.id);
        let [(caller, block)] = callers.as_slice() else { return None };
        let is_open = program.is_open(self.id);
        let at = call_or_await(program, *caller, *block);
        (!is_open && !matches!(at, CodeRef::Item(_)) && at != self.place()).then_some(at)
    }

    /// Where the change is made, or the lock for it is taken.
    fn place(&self) -> CodeRef {
        place_of(self.signals, self.id, self.paths, self.write.block)
    }

    /// What the source calls the state that changes.
    fn state(&self) -> String {
        self.write.state.called(self.signals.program, "shared state")
    }

    /// What is wrong where no notification follows.
    fn unnotified(&self) -> String {
        let program = self.signals.program;
        let state = self.state();
        let signal = match self.waiter.operation.sort {
            Sort::Condvar | Sort::Notify | Sort::Event => {
                let signal = self.waiter.object.called(program, "");
                if signal.is_empty() { signal } else { format!(" {signal}") }
            }
            _ => String::new(),
        };
        let (changes, waits) = (program.item(self.id), program.item(self.waiter.id));
        if changes == waits {
            return format!("{state} changes without notifying{signal}: its waiter sleeps forever");
        }
        format!("`{changes}` changes {state} without notifying{signal}: a waiter in `{waits}` sleeps forever")
    }

    /// The last notification comes before the change.
    fn too_early(&self) -> Option<Hit> {
        let at = self.write.block;
        let notifies = self.notifies(self.id);
        let after = self.paths.after(at);
        if notifies.contains(&at) || after.iter().any(|it| notifies.contains(it)) {
            return None;
        }
        let early = self.notified_before(&notifies)?;
        if self.signals.in_one_section(self.id, early, at) || self.is_notified_by_callers() {
            return None;
        }
        // Behind a call it may be of another instance.
        let own = self.write.made.0 == self.id;
        Some(self.hit(
            if own { Certainty::Usually } else { Certainty::Doubt },
            &format!(
                "{} changes after the last notification: a waiter that checked in between waits forever",
                self.state()
            ),
            vec![(
                call_ref(self.signals.program, self.id, early),
                "notified here, before the change".to_owned(),
            )],
            "notify after the change, or do both under the lock that the waiter checks under",
        ))
    }

    /// No notification follows on some path, where one does on another, or elsewhere.
    fn never(&self) -> Option<Hit> {
        let at = self.write.block;
        if self.write.made.0 != self.id && self.is_in_workspace_of(self.write.made.0) {
            return None;
        }
        let notifies = self.notifies(self.id);
        let after = self.paths.after(at);
        if after.iter().any(|it| notifies.contains(it)) {
            return self.left();
        }
        if notifies.contains(&at) || notifies.iter().any(|it| self.paths.leads(*it, at)) {
            return None;
        }
        // Whoever waits was asked for first, and notified if there was one. A thread that does not look again waits for its own turn.
        if self.is_decided(&notifies) || !self.is_seen_when_woken() || self.ends_with_the_last() {
            return None;
        }
        let notified = self.notified_of_it().or_else(|| self.notified_elsewhere().filter(|_| self.is_end()));
        let Some(notified) = notified else { return self.by_nobody() };
        let called = match self.notified_by_callers(true) {
            Callers::Never => None,
            Callers::Except(caller, block) if self.is_sure(notified) => Some((caller, block)),
            Callers::Always | Callers::Except(..) => return None,
        };
        let program = self.signals.program;
        let mut related = vec![(
            call_ref(program, notified.0, notified.1),
            "a change elsewhere is notified here".to_owned(),
        )];
        let Some((caller, block)) = called else {
            // A body that is given no waker may keep something else in that collection.
            let waiter = self.signals.program.function(self.waiter.id);
            let is_by_hand = self.waiter.operation.sort != Sort::Waker || Given::of(waiter).is_some();
            let is_it = is_by_hand || self.is_sure(notified);
            let certainty = if is_it { self.unless_others(None) } else { Certainty::Doubt };
            return Some(self.hit(certainty, &self.unnotified(), related, "notify on this path, too"));
        };
        // Others who make the change by the same function notify.
        related.push((self.place(), "changed here".to_owned()));
        related.retain(|(it, _)| !matches!(it, CodeRef::Item(_)));
        let hit =
            self.hit(self.unless_others(called), &self.unnotified(), related, "notify after this call, too");
        let called = call_or_await(program, caller, block);
        Some(Hit { primary: (called, "changed by this call, and no notification follows".to_owned()), ..hit })
    }

    /// A notification follows on one path, and none on another.
    fn left(&self) -> Option<Hit> {
        let at = self.write.block;
        let notifies = self.notifies(self.id);
        let is_notified_before =
            |it: &BlockId| self.paths.leads(*it, at) && self.signals.in_one_section(self.id, *it, at);
        let is_made_here = self.write.made.0 == self.id || !self.is_in_workspace_of(self.write.made.0);
        // A future that is polled wakes itself.
        let is_by_hand = self.waiter.id == self.id && self.waiter.operation.sort == Sort::Waker;
        if is_by_hand || !is_made_here || notifies.contains(&at) || notifies.iter().any(is_notified_before) {
            return None;
        }
        let (branch, notified) = self.left_by_error(&notifies).or_else(|| self.left_otherwise(&notifies))?;
        let Callers::Never = self.notified_by_callers(false) else { return None };
        let program = self.signals.program;
        let related = vec![
            (call_ref(program, self.id, notified), "notified here on the other path".to_owned()),
            (call_or_await(program, self.id, branch), "leaves without notifying here".to_owned()),
        ];
        Some(self.hit(self.unless_others(None), &self.unnotified(), related, "notify on this path, too"))
    }

    /// Whether what waits is of the type whose `Drop` makes the change: when the last one is dropped, none of them waits.
    fn ends_with_the_last(&self) -> bool {
        let program = self.signals.program;
        let dropped = program.type_of(self.id).filter(|_| program.is_drop(self.id));
        dropped.is_some() && program.type_of(self.waiter.id) == dropped
    }

    /// Whether the waiter looks at the state again when it is woken, as far as it matters: any handle may unpark a thread.
    fn is_seen_when_woken(&self) -> bool {
        if self.waiter.operation.sort != Sort::Thread {
            return true;
        }
        let paths = Paths::of(self.signals.program.function(self.waiter.id));
        let around = paths.loop_around(self.waiter.wait);
        self.signals
            .decisions(self.waiter.id)
            .iter()
            .any(|it| around.contains(&it.block) && it.reads.iter().any(|it| it.state == self.write.state))
    }

    /// Whether the body that makes the change is found by itself.
    fn is_in_workspace_of(&self, made: FunctionId) -> bool {
        self.signals.writes(made).iter().any(|it| it.made == self.write.made && it.how != How::Bare)
    }
}

/// Where a block of a body changes something, or the lock for it is taken.
fn place_of(signals: &Signals<'_>, id: FunctionId, paths: &Paths, block: BlockId) -> CodeRef {
    let program = signals.program;
    let at = call_or_await(program, id, block);
    if !matches!(at, CodeRef::Item(_)) {
        return at;
    }
    let before = place(signals, id, paths, block);
    if !matches!(before, CodeRef::Item(_)) {
        return before;
    }
    // The lock under which it is made.
    let holding = program.holding(id);
    let guards = holding.at(block).map(crate::program::Held::guards).unwrap_or_default();
    let mut sites = guards.keys().filter_map(|it| {
        let origin = &holding.guard(*it)?.origin;
        program.acquisition(id, origin)
    });
    sites.next().map_or(at, CodeRef::Site)
}
