//! What is known of one lock, channel, semaphore or signal.

use super::Hold;
use rvcheck_event::id::{SiteId, TaskId, UnitId};
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
    /// The unit that used it first.
    pub(super) unit: Option<UnitId>,
    /// Other units have used it, too.
    pub(super) is_shared: bool,
    /// When a lock was taken last, in events of the process.
    pub(super) taken: u64,
    /// When it was given back last, in events of the process.
    pub(super) freed: u64,
    /// What is known of it where it is a channel.
    pub(super) contents: Contents,
    /// What is known of its signals.
    pub(super) given: Given,
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

/// What a channel has in it, and what may come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contents {
    /// How many messages were sent and not received.
    pub(super) messages: u32,
    /// When something was sent last, in events of the process.
    pub(super) sent: u64,
    /// The last sender is gone.
    pub(super) no_sender: bool,
    /// The last receiver is gone.
    pub(super) no_receiver: bool,
    /// It was closed.
    pub(super) closed: bool,
}

/// The signals that were given to those who waited, and that they need not have noticed yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Given {
    /// So many signals for one.
    pub(super) to_one: u32,
    /// When the last signal for all was given, in events of the process.
    pub(super) to_all: u64,
}

/// How many tasks are remembered that have used one side of an object. Memory does not grow with the length of a trace.
const MOST: usize = 256;

/// The task has used a side of an object here.
pub(super) fn note(users: &mut BTreeMap<TaskId, SiteId>, task: TaskId, site: SiteId) {
    if users.len() < MOST || users.contains_key(&task) {
        users.insert(task, site);
    }
}

impl Object {
    /// This unit uses it.
    pub(super) fn used_by(&mut self, unit: UnitId) {
        self.is_shared |= *self.unit.get_or_insert(unit) != unit;
    }

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
