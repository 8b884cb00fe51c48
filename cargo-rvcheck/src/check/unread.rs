//! Panics that nobody reads from a handle, but that somebody may see otherwise: who waits for a reply or a value finds that its sender is gone.

use super::monitors::LOST_ERROR;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, TaskId};
use rvcheck_event::kind::{EventKind, ObjectKind, Sort};
use rvcheck_event::world::World;
use rvcheck_spec::{Property, Violation};
use std::collections::{BTreeSet, HashMap};

/// How many are kept. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 10;

/// What is said of one that was seen.
pub(super) const SEEN: &str = "; who waited for its reply found the channel closed";

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// By task: the channels of replies of which it has dropped a sender since it was polled last.
    dropped: HashMap<TaskId, BTreeSet<ObjectId>>,
    held: Vec<Held>,
}

/// A violation that is not reported yet.
#[derive(Debug)]
struct Held {
    violation: Violation,
    task: TaskId,
    replies: BTreeSet<ObjectId>,
    is_seen: bool,
}

impl Unread {
    /// Follows what tasks drop, and who finds it gone.
    pub(super) fn observe(&mut self, event: &Event, world: &World) {
        let object = ObjectId(event.object);
        match event.kind {
            // Only what it drops when it panics matters.
            EventKind::Poll | EventKind::Finish | EventKind::Cancel => _ = self.dropped.remove(&event.task),
            EventKind::SenderDrop if is_reply(object, world) && self.dropped.len() < MOST => {
                self.dropped.entry(event.task).or_default().insert(object);
                let of_it = |it: &&mut Held| it.task == event.task;
                self.held.iter_mut().filter(of_it).for_each(|it| _ = it.replies.insert(object));
            }
            EventKind::Closed => {
                let of_it = |it: &&mut Held| it.task != event.task && it.replies.contains(&object);
                self.held.iter_mut().filter(of_it).for_each(|it| it.is_seen = true);
            }
            _ => {}
        }
    }

    /// The ids of these objects may be used again.
    pub(super) fn collect(&mut self, dead: &[(Sort, u32)]) {
        for (_, id) in dead.iter().filter(|it| it.0 == Sort::Chan) {
            let id = ObjectId(*id);
            self.dropped.values_mut().for_each(|it| _ = it.remove(&id));
            self.held.iter_mut().for_each(|it| _ = it.replies.remove(&id));
        }
    }

    /// Keeps a violation until it is known whether the panic was seen; gives it back where nobody could see it.
    pub(super) fn hold(&mut self, violation: Violation, property: &Property) -> Option<Violation> {
        let panic = violation.witness.iter().rev().find(|it| it.kind == EventKind::Panic);
        let of_task = panic.filter(|_| property.id() == LOST_ERROR).map(|it| it.task);
        let replies = of_task.and_then(|it| self.dropped.remove(&it));
        match (of_task, replies) {
            (Some(task), Some(replies)) if self.held.len() < MOST => {
                self.held.push(Held { violation, task, replies, is_seen: false });
                None
            }
            _ => Some(violation),
        }
    }

    /// All that are kept, each with whether its panic was seen.
    pub(super) fn take(&mut self) -> Vec<(Violation, bool)> {
        self.held.drain(..).map(|it| (it.violation, it.is_seen)).collect()
    }
}

/// Whether a channel carries one value that somebody waits for.
fn is_reply(channel: ObjectId, world: &World) -> bool {
    let kind = world.object(channel).or_else(|| world.buried(channel)).map(|it| it.kind);
    matches!(kind, Some(ObjectKind::TokioOneshot | ObjectKind::FuturesOneshot | ObjectKind::TokioWatch))
}
