//! Traces as JSON lines: one event a line, for people, for other tools, and for replaying what others have recorded.
//!
//! ```json
//! {"e":"acquire","a":{"t":"task:3","l":"lock:17","mode":"write","try":false},"thread":1,"test":"it::moves","time":1200}
//! ```
//!
//! `e` is the name of the event, `a` its arguments and attributes. Where known there are also `thread`, `test`, `time` in ns,
//! `site`, `object` (what exactly a lock, channel, semaphore or signal is), `task` (the acting task, where it is no
//! argument), `by_owner` (of a `detach`: the set or scope that owned the handle is gone) and `caught_at` (of a caught `panic`).

mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use crate::event::Event;
use crate::id::{ObjectId, StringId, TaskId};
use crate::kind::{EventKind, Sort, TaskKind};
use crate::names::Names;
use crate::record::flag;
use crate::stream::EventStream;
use crate::world::{Object, Task, World};
use std::sync::Arc;

pub use read::read;
pub use write::line;

/// A trace that was read from JSON lines.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The events, in the order of their lines.
    pub events: Vec<Event>,
    /// What cannot be understood; the lines with such a problem are left out.
    pub problems: Vec<LineProblem>,
    /// Events with names that are not built in, and how many of each.
    pub unknown: BTreeMap<String, u64>,
    names: Arc<Names>,
    objects: BTreeMap<ObjectId, Object>,
    outputs: BTreeMap<TaskId, StringId>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Log {
    /// What the ids stand for.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The events again, with the world after each.
    pub fn replay(&self) -> Replay<'_> {
        // Ids of others than the recorder may lie far apart.
        let limit = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        let mut world = World::new(Arc::clone(&self.names), limit);
        for (id, object) in &self.objects {
            world.bear(*id, *object);
        }
        Replay { events: self.events.iter(), outputs: &self.outputs, world }
    }
}

/// The events of a log, with the world as it is after the last one.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    events: std::slice::Iter<'a, Event>,
    outputs: &'a BTreeMap<TaskId, StringId>,
    world: World,
}

impl Iterator for Replay<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.world.bury();
        let event = *self.events.next()?;
        let kind = TaskKind::of_bits(event.flags & flag::ENUM).unwrap_or(TaskKind::Async);
        if event.kind == EventKind::Spawn {
            let id = TaskId(event.object);
            let facts = Task {
                kind,
                parent: event.task,
                unit: event.unit,
                spawned_at: event.site,
                output: self.outputs.get(&id).copied().unwrap_or_default(),
            };
            self.world.spawn(id, facts);
        } else if event.kind == EventKind::Start && self.world.task(event.task).is_none() {
            self.world.spawn(event.task, Task { kind, unit: event.unit, ..Task::default() });
        }
        self.world.apply(&event);
        Some(event)
    }
}

impl EventStream for Replay<'_> {
    fn world(&self) -> &World {
        &self.world
    }

    fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        self.world.drain_dead()
    }
}
