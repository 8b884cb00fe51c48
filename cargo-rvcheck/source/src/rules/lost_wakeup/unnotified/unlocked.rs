//! Changes made without the lock under which the waiter checks and starts to wait.

use super::Change;
use super::inverted::is_beside;
use crate::body::paths::Paths;
use crate::facts::signals::{How, Signals, Sort, Value, Waiter, Write};
use crate::mir::BlockId;
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};

/// Finds such changes of which the value is not known, as of a level that waiters compare: that a notification follows says what they are for.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in signals.program.functions() {
        let writes = signals.writes(id);
        for waiter in waiters.iter().filter(|it| !it.is_ended_otherwise && it.id != id) {
            let is_open = |it: &&Write| {
                let is_unknown = it.value == Value::Unknown || !waiter.leaves.contains_key(&it.state);
                let is_looked_at = is_unknown && waiter.looks.contains(&it.state);
                is_looked_at && it.made == (id, it.block) && signals.is_one(&it.state, Some(&waiter.object))
            };
            for write in writes.iter().filter(is_open) {
                let paths = Paths::of(function);
                let change = Change { signals, id, function, paths, write, waiter };
                let notifies = change.notifies(id);
                let follows = |it: &BlockId| paths.leads(write.block, *it);
                if notifies.iter().any(|it| follows(it) && is_beside(signals, id, write.block, *it)) {
                    hits.extend(change.unlocked());
                }
            }
        }
    }
    hits
}

impl Change<'_> {
    /// It is made without the lock under which the waiter looks and begins to wait, and so is the notification.
    pub(super) fn unlocked(&self) -> Option<Hit> {
        let at = self.write.block;
        if self.waiter.operation.sort != Sort::Condvar || self.write.how != How::Atomic {
            return None;
        }
        let program = self.signals.program;
        let notifies = self.notifies(self.id);
        let after: Vec<BlockId> =
            notifies.iter().copied().filter(|it| *it == at || self.paths.leads(at, *it)).collect();
        let notified = *after.first()?;
        let locked = |it: BlockId| self.signals.is_locked(self.id, it);
        let between = |it: BlockId| {
            (it == at || self.paths.leads(at, it))
                && after.iter().any(|to| it == *to || self.paths.leads(it, *to))
        };
        let requested = program.locks().requests(self.id).iter().any(|(it, _)| between(*it));
        let by_callers = self
            .signals
            .callers(self.id)
            .iter()
            .any(|(caller, block)| self.signals.is_locked(*caller, *block));
        if locked(at) || after.iter().any(|it| locked(*it)) || requested || by_callers {
            return None;
        }
        let related = [
            (self.place(), "changed here without the lock"),
            (call_ref(program, self.id, notified), "notified without the lock"),
        ];
        Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "{} changes without the lock: a notification between the check and the wait is lost",
                self.write.state.called(program, "the condition of this wait")
            ),
            primary: (call_ref(program, self.waiter.id, self.waiter.wait), "waits here".to_owned()),
            related: related.into_iter().map(|(at, label)| (at, label.to_owned())).collect(),
            advice: "guard the condition with the lock; at the least, hold the lock for the change or the notification".to_owned(),
        })
    }
}
