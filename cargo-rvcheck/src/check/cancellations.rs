//! Whether the error that a task returned says no more than that somebody had ended it.
//!
//! Some types of libraries always say so. Of others the events tell: in the same poll the task took the result of one that was
//! cancelled, or found that the other end of its channel is gone. An error of the program's own may stand for that as well as for
//! anything else, so that it is in doubt. So is the error of a task whose owner was dropped, and with it the task's handle and the last end
//! of the channel by which the owner spoke to it.

use rvcheck_event::event::Event;
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{EventKind, Outcome};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use rvcheck_source::ended::{Said, said_by_result};
use std::collections::{HashMap, HashSet};

/// How many of each are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 16;

/// What the error of a task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// That its owner ended it.
    ByOwner,
    /// Perhaps that.
    Perhaps,
}

/// What a task has met in its current poll.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// The result of a task that was cancelled.
    cancelled: bool,
    /// A channel whose other end its owner has dropped; or whoever did.
    gone: Option<bool>,
    /// A channel that was closed by what has dropped the task's handle as well.
    owner_gone: bool,
}

/// Values that a task drops one after the other, as the fields of what has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dropping {
    by: TaskId,
    number: u64,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Cancellations {
    cancelled: HashSet<u32>,
    /// By channel: who dropped its receiver.
    dropped: HashMap<u32, TaskId>,
    /// What is being dropped.
    dropping: Dropping,
    /// By channel: with what its last sender was dropped.
    unsent: HashMap<u32, Dropping>,
    /// By task: with what its handle was dropped.
    detached: HashMap<u32, Dropping>,
    met: HashMap<u32, Met>,
    ended: HashMap<u32, Ended>,
}

impl Observer for Cancellations {
    fn observe(&mut self, event: &Event, world: &World) {
        let task = event.task.0;
        if !is_drop(event.kind) && event.task == self.dropping.by {
            self.dropping.by = TaskId::NONE;
        }
        match event.kind {
            EventKind::SenderDrop => {
                let with = self.dropped_with(event.task);
                room_in(&mut self.unsent).insert(event.object, with);
            }
            EventKind::Detach => {
                let with = self.dropped_with(event.task);
                room_in(&mut self.detached).insert(event.object, with);
            }
            EventKind::Cancel => {
                self.met.remove(&task);
                remember(&mut self.cancelled).insert(task);
            }
            EventKind::ReceiverDrop => _ = room_in(&mut self.dropped).insert(event.object, event.task),
            EventKind::Join if self.cancelled.contains(&event.object) => {
                room_in(&mut self.met).entry(task).or_default().cancelled = true;
            }
            EventKind::Closed => {
                if let Some(with) = self.detached.get(&task)
                    && self.unsent.get(&event.object) == Some(with)
                {
                    room_in(&mut self.met).entry(task).or_default().owner_gone = true;
                }
                let Some(by) = self.dropped.get(&event.object) else { return };
                let parent = world.task(event.task).map(|it| it.parent);
                room_in(&mut self.met).entry(task).or_default().gone =
                    Some(parent == Some(*by) && by.is_some());
            }
            // Who unwraps what a closed channel gives ends like that, too.
            EventKind::Panic if event.flags & flag::CAUGHT == 0 => {
                let met = self.met.remove(&task).unwrap_or_default();
                if met.gone.is_some() {
                    room_in(&mut self.ended).insert(task, Ended::Perhaps);
                }
            }
            EventKind::Poll if !self.met.is_empty() => _ = self.met.remove(&task),
            EventKind::Finish => {
                let met = self.met.remove(&task).unwrap_or_default();
                if event.flags & flag::ENUM == Outcome::Err as u8
                    && let Some(ended) = said(event.task, met, world)
                {
                    room_in(&mut self.ended).insert(task, ended);
                }
            }
            _ => {}
        }
    }
}

/// Whether an event of this kind happens where a value is dropped.
const fn is_drop(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Detach
            | EventKind::WakerDrop
            | EventKind::SenderDrop
            | EventKind::ReceiverDrop
            | EventKind::Undelivered
            | EventKind::Release
            | EventKind::PermitRelease
            | EventKind::Abort
    )
}

impl Cancellations {
    /// What a task drops now, together with what it has dropped right before.
    fn dropped_with(&mut self, task: TaskId) -> Dropping {
        if self.dropping.by != task {
            self.dropping = Dropping { by: task, number: self.dropping.number + 1 };
        }
        self.dropping
    }

    /// What the error of a task says of who has ended it; `None` if nothing.
    pub(super) fn of(&self, task: TaskId) -> Option<Ended> {
        self.ended.get(&task.0).copied()
    }
}

fn said(task: TaskId, met: Met, world: &World) -> Option<Ended> {
    let output = world.task(task).map_or("", |it| world.names().text(it.output));
    match said_by_result(output) {
        Some(Said::Ended) => Some(Ended::ByOwner),
        Some(Said::CancelledOrPanicked) => met.cancelled.then_some(Ended::ByOwner),
        Some(Said::Gone) => Some(if met.gone == Some(true) { Ended::ByOwner } else { Ended::Perhaps }),
        None => (met.cancelled || met.gone.is_some() || met.owner_gone).then_some(Ended::Perhaps),
    }
}

fn remember(set: &mut HashSet<u32>) -> &mut HashSet<u32> {
    if set.len() >= MOST {
        set.clear();
    }
    set
}

fn room_in<T>(map: &mut HashMap<u32, T>) -> &mut HashMap<u32, T> {
    if map.len() >= MOST {
        map.clear();
    }
    map
}
