//! Tasks that have ended: a formula may be decided long after, and speaks of them then.

use rvcheck_event::event::Event;
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::world::{Task, World};
use std::collections::{HashMap, VecDeque};

/// How many are kept. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 16;

/// What was known of the tasks that ended last.
#[derive(Clone, Debug, Default)]
pub(super) struct Departed {
    tasks: HashMap<u32, Task>,
    /// The same tasks, those that ended first in front.
    order: VecDeque<u32>,
}

impl Observer for Departed {
    /// The world right after the event still knows the task that ends by it.
    fn observe(&mut self, event: &Event, world: &World) {
        if !matches!(event.kind, EventKind::Finish | EventKind::Cancel | EventKind::Panic) {
            return;
        }
        let Some(task) = world.task(event.task) else { return };
        if self.tasks.insert(event.task.0, *task).is_some() {
            return;
        }
        self.order.push_back(event.task.0);
        if self.order.len() > MOST
            && let Some(first) = self.order.pop_front()
        {
            self.tasks.remove(&first);
        }
    }
}

impl Departed {
    /// What was known of a task when it ended.
    pub(super) fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(&id.0)
    }
}
