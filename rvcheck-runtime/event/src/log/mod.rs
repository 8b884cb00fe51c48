//! A trace that was written as text, whatever its format: [`crate::jsonl`] and [`crate::csv`] read it.

pub(crate) mod collect;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::kind::{EventKind, Sort, TaskKind};
use crate::names::Names;
use crate::record::flag;
use crate::stream::EventStream;
use crate::value::Value;
use crate::world::{Object, Task, World};

/// Sites from this number on are lines of the text itself: those of events of which no place in the source is known.
pub(crate) const LINES: u32 = 1 << 31;

/// The line of the text, from 1, that a site is, if it is one.
pub fn line_of(site: SiteId) -> Option<u32> {
    site.0.checked_sub(LINES).filter(|it| *it > 0)
}

/// A trace that was read from a text.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The events, in the order of their lines.
    pub events: Vec<Event>,
    /// What cannot be understood; the lines with such a problem are left out.
    pub problems: Vec<LineProblem>,
    /// Events with names that are neither built in nor declared, and how many of each. They are positions and nothing else.
    pub unknown: BTreeMap<String, u64>,
    /// The first line that tells no time, if there is one.
    pub untimed: Option<usize>,
    /// The arguments of all events of the program's own, one after another.
    arguments: Vec<Value>,
    /// For each of these events: where its arguments end.
    ends: Vec<usize>,
    /// By the place of an event: the group that it belongs to, and what its message was sent to. Only of those of which one is known.
    contexts: Vec<(usize, Context)>,
    names: Arc<Names>,
    objects: BTreeMap<ObjectId, Object>,
    outputs: BTreeMap<TaskId, StringId>,
}

/// What a line says of an event beside what it is: see [`World::group`] and [`World::callee`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    pub(crate) group: Value,
    pub(crate) callee: Value,
}

impl Context {
    /// Nothing is known.
    pub(crate) const NONE: Context = Context { group: Value::Absent, callee: Value::Absent };
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineProblem {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl Log {
    /// What the ids stand for.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Makes what belongs to no test a unit of that name, so that it is checked like a test; also where nothing happened at all.
    #[must_use]
    pub fn with_unit_for_the_rest(mut self, name: &str) -> Log {
        let last = self.names.units().map(|(unit, _)| unit.0).max().unwrap_or(0);
        let unit = UnitId(last.saturating_add(1));
        let mut found = self.events.is_empty();
        for event in self.events.iter_mut().filter(|it| it.unit == UnitId::PROCESS) {
            event.unit = unit;
            found = true;
        }
        if found {
            Arc::make_mut(&mut self.names).set_unit(unit, name);
        }
        self
    }

    /// Gives objects other numbers.
    fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for event in &mut self.events {
            event.task = TaskId(number(event.task.0));
            event.thread = ThreadId(number(event.thread.0));
            // That of an event of the program's own is its name.
            if event.kind != EventKind::User {
                event.object = number(event.object);
            }
        }
        let callees = self.contexts.iter_mut().map(|(_, it)| &mut it.callee);
        for argument in self.arguments.iter_mut().chain(callees) {
            if let Value::Object(_, id) = argument {
                *id = number(*id);
            }
        }
        let objects = std::mem::take(&mut self.objects);
        self.objects = objects.into_iter().map(|(id, it)| (ObjectId(number(id.0)), it)).collect();
        let outputs = std::mem::take(&mut self.outputs);
        self.outputs = outputs.into_iter().map(|(id, it)| (TaskId(number(id.0)), it)).collect();
    }

    /// The events again, with the world after each.
    pub fn replay(&self) -> Replay<'_> {
        // Ids of others than the recorder may lie far apart.
        let limit = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        let mut world = World::new(Arc::clone(&self.names), limit);
        for (id, object) in &self.objects {
            world.bear(*id, *object);
        }
        let user = User { arguments: &self.arguments, ends: self.ends.iter(), start: 0 };
        let contexts = self.contexts.iter().peekable();
        Replay { events: self.events.iter().enumerate(), user, contexts, outputs: &self.outputs, world }
    }
}

/// The events of a log, with the world as it is after the last one.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    events: std::iter::Enumerate<std::slice::Iter<'a, Event>>,
    user: User<'a>,
    contexts: std::iter::Peekable<std::slice::Iter<'a, (usize, Context)>>,
    outputs: &'a BTreeMap<TaskId, StringId>,
    world: World,
}

/// The arguments of the events of the program's own that are to come.
#[derive(Clone, Debug)]
struct User<'a> {
    arguments: &'a [Value],
    ends: std::slice::Iter<'a, usize>,
    start: usize,
}

impl User<'_> {
    fn take(&mut self, world: &mut World) {
        let end = self.ends.next().copied().unwrap_or(self.start);
        world.set_arguments(self.arguments[self.start..end].iter().copied());
        self.start = end;
    }
}

impl Iterator for Replay<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.world.bury();
        let (place, event) = self.events.next()?;
        let event = *event;
        let context = self.contexts.next_if(|(at, _)| *at == place).map_or(Context::NONE, |(_, it)| *it);
        self.world.set_context(context.group, context.callee);
        let kind = TaskKind::of_bits(event.flags & flag::ENUM).unwrap_or(TaskKind::Async);
        if event.kind == EventKind::Spawn {
            let id = TaskId(event.object);
            let facts = Task {
                kind,
                parent: event.task,
                unit: event.unit,
                spawned_at: event.site,
                output: self.outputs.get(&id).copied().unwrap_or_default(),
                runs: StringId::NONE,
                group: Value::Absent,
            };
            self.world.spawn(id, facts);
        } else if event.kind == EventKind::Start && self.world.task(event.task).is_none() {
            self.world.spawn(event.task, Task { kind, unit: event.unit, ..Task::default() });
        }
        if event.kind == EventKind::User {
            self.user.take(&mut self.world);
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

/// Whether the event is about a lock, channel, semaphore or signal.
pub(crate) fn is_about_object(kind: EventKind) -> bool {
    let is_object = |sort| matches!(sort, Sort::Lock | Sort::Chan | Sort::Sem | Sort::Signal);
    kind.signature().params.iter().any(|(_, sort)| is_object(*sort))
}
