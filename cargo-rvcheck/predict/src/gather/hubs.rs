//! What comes after many others at once.
//!
//! A hub is a task of nobody's. Each step that tells it something is followed by one of the hub's, so that what came after the
//! hub's last step came after all of them, and none of them after another.

use crate::history::{HappensBefore, History, Op, Seen, Step, StepId, Task, TaskIx};
use crate::ids::Map;
use rvcheck_event::id::{SiteId, TaskId, UnitId};

/// What a hub is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Topic {
    /// Signals, or permits that were given back.
    Signal(u32),
    /// What was sent into a channel.
    Sent(u32),
    /// What was received from a channel.
    Received(u32),
    /// Ends of a channel that are gone.
    Closed(u32),
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Hubs {
    of: Map<Topic, (TaskIx, StepId)>,
    /// The hub of everything, with its last step.
    world: Option<(TaskIx, StepId)>,
    /// The tasks that went on since it was told.
    changed: Vec<TaskIx>,
    /// Their last steps; none for those that did not go on.
    last: Vec<Option<StepId>>,
}

fn hub(history: &mut History) -> TaskIx {
    history.add_task(Task {
        id: TaskId::NONE,
        unit: UnitId::PROCESS,
        kind: None,
        spawned_at: SiteId::NONE,
        is_hub: true,
        is_of_others: false,
    })
}

fn follow(history: &mut History, hub: TaskIx, from: StepId) -> StepId {
    let Step { event, time, .. } = *history.step(from);
    let step = history.add_step(hub, Op::Point, Seen { event, time, site: SiteId::NONE });
    history.add_edge(HappensBefore { from, careful: false });
    step
}

impl Hubs {
    /// This step tells.
    pub(super) fn tell(&mut self, history: &mut History, topic: Topic, step: StepId) {
        let task = match self.of.get(&topic) {
            Some((task, _)) => *task,
            None => hub(history),
        };
        let latest = follow(history, task, step);
        self.of.insert(topic, (task, latest));
    }

    /// What whoever hears it comes after.
    pub(super) fn latest(&self, topic: Topic) -> Option<StepId> {
        self.of.get(&topic).map(|(_, step)| *step)
    }

    /// A task went on.
    #[inline]
    pub(super) fn changed(&mut self, task: TaskIx, step: StepId) {
        let index = task as usize;
        if index >= self.last.len() {
            self.last.resize(index + 1, None);
        }
        if self.last[index].replace(step).is_none() {
            self.changed.push(task);
        }
    }

    /// What whoever may have been told by anybody comes after.
    pub(super) fn everything(&mut self, history: &mut History, but: TaskIx) -> Option<StepId> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        for task in changed {
            if task == but {
                self.changed.push(task);
                continue;
            }
            let Some(step) = self.last[task as usize].take() else { continue };
            let of_all = match self.world {
                Some((of_all, _)) => of_all,
                None => hub(history),
            };
            self.world = Some((of_all, follow(history, of_all, step)));
        }
        self.world.map(|(_, step)| step)
    }
}
