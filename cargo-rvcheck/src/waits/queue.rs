//! What is known of one lock, channel, semaphore or signal.

use super::Hold;
use rvcheck_event::id::{SiteId, TaskId};
use std::collections::BTreeMap;

/// A signal that was given when nobody was there to take it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lost {
    pub(super) task: TaskId,
    pub(super) site: SiteId,
    pub(super) order: u64,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// Who has it.
    pub(super) holds: Vec<Hold>,
    /// How many wait for it.
    pub(super) waiting: u32,
    /// Who has sent, and where last.
    pub(super) senders: BTreeMap<TaskId, SiteId>,
    /// Who has received or wanted to, and where last.
    pub(super) receivers: BTreeMap<TaskId, SiteId>,
    /// Who has signalled, and where last.
    pub(super) notifiers: BTreeMap<TaskId, SiteId>,
    /// A signal for one is kept for whoever comes next.
    pub(super) stored: bool,
    /// The last signal that nobody got and that was not kept.
    pub(super) lost: Option<Lost>,
    /// The last signal for one that came while several waited.
    pub(super) reached_one: Option<Lost>,
}

impl Object {
    /// Takes back one hold: the task's own, else that which was taken at this place, else any.
    pub(super) fn release(&mut self, task: TaskId, site: SiteId) {
        let own = self.holds.iter().rposition(|it| it.task == task && it.site == site);
        let own = own.or_else(|| self.holds.iter().rposition(|it| it.task == task));
        let placed = || self.holds.iter().rposition(|it| it.site == site);
        if let Some(at) = own.or_else(placed) {
            self.holds.remove(at);
        }
    }

    /// Takes back so many permits, first those of the task.
    pub(super) fn give_back(&mut self, task: TaskId, mut count: u32) {
        self.holds.sort_by_key(|it| it.task == task);
        while count > 0 {
            let Some(last) = self.holds.last_mut() else { return };
            if last.count > count {
                last.count -= count;
                return;
            }
            count -= last.count;
            self.holds.pop();
        }
    }
}
