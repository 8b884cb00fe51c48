//! What has happened lately and the world does not keep, because findings speak of it.

use super::cancellations::{Cancellations, Ended};
use super::departed::Departed;
use super::served::Serving;
use super::tail::{Kept, Tails};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::observer::Observer;
use rvcheck_event::world::{Task, World};
use std::collections::HashMap;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    tails: Tails,
    departed: Departed,
    cancellations: Cancellations,
    serving: Serving,
    /// For each task that did suspend, where it did so last.
    awaits: HashMap<u32, SiteId>,
}

impl Recent {
    /// So many events of each unit are kept.
    pub(super) fn new(tail: usize) -> Recent {
        Recent { tails: Tails::new(tail), ..Recent::default() }
    }

    /// The last events of a unit, in their order.
    pub(super) fn tail_of(&self, unit: UnitId) -> Vec<Kept> {
        self.tails.of(unit)
    }

    /// What was known of a task when it ended.
    pub(super) fn departed(&self, task: TaskId) -> Option<&Task> {
        self.departed.task(task)
    }

    /// What the error of a task says of who has ended it; `None` if nothing.
    pub(super) fn ended(&self, task: TaskId) -> Option<Ended> {
        self.cancellations.of(task)
    }

    /// The test that a task works for now, if it has ever worked for another one than that which has started it.
    pub(super) fn serves(&self, task: TaskId) -> Option<UnitId> {
        self.serving.of(task)
    }

    /// Where a task suspended last.
    pub(super) fn awaited_at(&self, task: TaskId) -> Option<SiteId> {
        self.awaits.get(&task.0).copied()
    }
}

impl Observer for Recent {
    fn observe(&mut self, event: &Event, world: &World) {
        self.tails.observe(event, world);
        self.departed.observe(event, world);
        self.cancellations.observe(event, world);
        self.serving.observe(event, world);
        if event.kind == EventKind::Await {
            self.awaits.insert(event.task.0, event.site);
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.serving.collect(dead);
        for (_, task) in dead.iter().filter(|(sort, _)| *sort == Sort::Task) {
            self.awaits.remove(task);
        }
    }
}
