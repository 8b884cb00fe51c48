//! Changes that end a wait, and that no notification ever follows.
//!
//! Reported if the waiter then reaches no other wait, and all notifiers of its signal are known: none of them notifies of this change.
//! Not if the code that makes the change reaches the wait itself later.

use super::{Change, place_of};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::body::walk;
use crate::body::{Callee, FunctionId, Slot};
use crate::facts::signals::{Operation, Sort, Waiter};
use crate::mir::BlockId;
use crate::rules::Hit;
use std::collections::BTreeSet;

impl Change<'_> {
    /// No change of this sort is ever followed by a notification, and the waiter waits for nothing else then.
    pub(super) fn by_nobody(&self) -> Option<Hit> {
        let Waiter { object, operation, .. } = self.waiter;
        let is_known = self.signals.is_known(object)
            && matches!(operation.sort, Sort::Condvar | Sort::Notify | Sort::Event | Sort::Waker);
        // Who waits by what it calls may look at something else then.
        let waits = operation.made.0 == self.waiter.id;
        if !self.is_end() || !is_known || !waits || !self.is_all_known() {
            return None;
        }
        if self.is_notified_by_callers() || self.looks_again() || self.notifies_what_it_takes() {
            return None;
        }
        let hit = self.hit(
            self.unless_others(None),
            &format!(
                "{} changes, but its waiters are never notified: they sleep until something else wakes them",
                self.state()
            ),
            Vec::new(),
            "notify after the change",
        );
        // What several callers do through one function is reported there.
        let (made, at) = self.write.made;
        if made == self.id {
            return Some(hit);
        }
        let label = hit.primary.1;
        let paths = Paths::of(self.signals.program.function(made));
        Some(Hit { primary: (place_of(self.signals, made, paths, at), label), ..hit })
    }

    /// Whether the waiter waits for nothing after the change that a notification alone ends.
    pub(super) fn is_end(&self) -> bool {
        self.waiter.ends.get(&self.write.state).is_some_and(|it| it.contains(&self.write.value))
    }

    /// Whether it is known for each signal of this sort who gives it, and the change is one to notify of: the waiter is notified somewhere, or
    /// other signals are given after the change.
    fn is_all_known(&self) -> bool {
        let sort = self.waiter.operation.sort;
        let mut is_given = false;
        for (id, _) in self.signals.program.functions() {
            let operations = self.signals.operations(id);
            for it in operations.iter().filter(|it| it.notifies() && it.sort == sort && it.made.0 == id) {
                let Some(object) = it.object.as_ref().filter(|it| self.signals.is_known(it)) else {
                    return false;
                };
                is_given |= *object == self.waiter.object;
            }
        }
        let operations = self.signals.operations(self.id);
        let after = self.paths.after(self.write.block);
        let tells = |it: &Operation| it.notifies() && it.sort == sort && after.contains(&it.block);
        is_given || operations.iter().any(tells)
    }

    /// Whether the change takes out something that is notified then: each has a signal of its own.
    fn notifies_what_it_takes(&self) -> bool {
        let (made, at) = self.write.made;
        let function = self.signals.program.function(made);
        let is_taken = |block: BlockId| {
            let on = |block: BlockId| function.call(block)?.0.arguments.first()?.place().map(Slot::at);
            let made_of = |slot: Slot| {
                let from = source(function, &slot).filter(|it| *it != block);
                let leads = |it: Callee| it.views() || it.opens() || it.shares();
                let passes = |it: &BlockId| {
                    let callee = function.call(*it).map(|it| it.1);
                    callee.is_some_and(|it| leads(it) || it.takes_element() || it.iterates())
                };
                from.filter(passes).and_then(on)
            };
            let all = walk::reached(on(block), made_of);
            all.iter().any(|it| source(function, it) == Some(at))
        };
        let operations = self.signals.operations(made);
        operations.iter().any(|it| it.notifies() && it.made == (made, it.block) && is_taken(it.block))
    }

    /// Whether whoever makes the change comes to the wait itself later, and looks again.
    fn looks_again(&self) -> bool {
        let to_change = self.ways_to(self.id);
        let to_wait = self.ways_to(self.waiter.id);
        to_change.iter().any(|(body, change)| {
            to_wait.iter().any(|(other, wait)| {
                body == other
                    && change != wait
                    && Paths::of(self.signals.program.function(*body)).leads(*change, *wait)
            })
        })
    }

    /// The blocks that come to a body by calls and awaits.
    fn ways_to(&self, id: FunctionId) -> BTreeSet<(FunctionId, BlockId)> {
        let mut open = vec![id];
        let mut found = BTreeSet::new();
        while let Some(id) = open.pop() {
            for (caller, block) in self.signals.callers(id) {
                let function = self.signals.program.function(caller);
                let is_called = self.signals.program.called(function, block) == Some(id);
                let is_awaited = awaited_at(function, block).is_some();
                if (is_called || is_awaited) && found.len() < 64 && found.insert((caller, block)) {
                    open.push(caller);
                }
            }
        }
        found
    }
}
