//! What is alive at one moment of a trace: the tasks and objects, and what is known of them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use crate::kind::{EventKind, ObjectKind, Sort, TaskKind};
use crate::names::{Names, Thread};
use crate::record::flag;
use crate::table::Table;
use crate::value::Value;

/// How many arguments an event of the program's own can have.
pub const MAX_ARGUMENTS: usize = 16;

/// How many objects are remembered after their deaths. Memory does not grow with the length of a trace.
const MOST_BURIED: usize = 1 << 12;

/// A task that is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// What sort of task it is.
    pub kind: TaskKind,
    /// The task that spawned it.
    pub parent: TaskId,
    /// The unit that it acts for.
    pub unit: UnitId,
    /// Where it was spawned.
    pub spawned_at: SiteId,
    /// The type of its result.
    pub output: StringId,
    /// The type of the future or closure that it runs; none before it has begun.
    pub runs: StringId,
    /// The instance of a named group that it belongs to, as a text such as `workers:1`; absent where it belongs to none.
    pub group: Value,
}

impl Default for Task {
    fn default() -> Task {
        Task {
            kind: TaskKind::Async,
            parent: TaskId::NONE,
            unit: UnitId::PROCESS,
            spawned_at: SiteId::NONE,
            output: StringId::NONE,
            runs: StringId::NONE,
            group: Value::Absent,
        }
    }
}

/// A lock, channel, semaphore or signal that is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Where it was created.
    pub born_at: SiteId,
    /// The name of what was created there, the same for all objects of one place.
    pub class: StringId,
    /// Channels: how many messages it holds at most. Semaphores: how many permits there are, free or taken.
    pub capacity: u32,
    /// Channels: there is room for no message, and whoever sends goes on when it is received.
    pub hands_over: bool,
    /// A static keeps it, so that any code of the process may reach it at any time.
    pub is_static: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct World {
    names: Arc<Names>,
    pub(crate) tasks: Table<TaskEntry>,
    pub(crate) objects: Table<ObjectEntry>,
    /// Ended by the last event; buried before the next one.
    ending: Vec<(Sort, u32)>,
    dead: Vec<(Sort, u32)>,
    /// The objects that died last, the first of them in front.
    buried: VecDeque<(ObjectId, Object)>,
    /// Of the last event of the program's own.
    arguments: Vec<Value>,
    /// Of the last event.
    group: Value,
    callee: Value,
    /// How many instances there are of each named group.
    groups: BTreeMap<StringId, u32>,
}

/// A task, with what the merge needs to order its records.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaskEntry {
    pub(crate) facts: Task,
    /// Its spawn was seen, or given up.
    pub(crate) spawned: bool,
    /// It finished, panicked or was cancelled.
    pub(crate) ended: bool,
    /// Nobody has a handle of it any more.
    released: bool,
    /// How many of its ordered records were seen.
    pub(crate) position: u32,
    /// How many threads wait for it.
    pub(crate) waiters: u32,
    /// When its poll began, in ns, while it runs.
    pub(crate) polled_at: Option<u64>,
}

/// An object, with what the merge needs to order its records.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectEntry {
    pub(crate) facts: Option<Object>,
    /// Its birth was seen, or given up.
    pub(crate) born: bool,
    /// How many of its ordered records were seen.
    pub(crate) position: u32,
    /// How many threads wait for it.
    pub(crate) waiters: u32,
    /// The messages that were sent.
    pub(crate) sent: crate::sent::Sent,
}

impl Default for World {
    fn default() -> World {
        World::new(Arc::default(), 1 << 20)
    }
}

impl World {
    /// A world in which nothing happened yet, for ids that are mostly below `limit`.
    pub(crate) fn new(names: Arc<Names>, limit: u32) -> World {
        let threads: Vec<Thread> = names.threads().map(|(_, thread)| thread.clone()).collect();
        let tasks = Table::new(limit);
        let mut world = World {
            names,
            tasks,
            objects: Table::new(limit),
            ending: Vec::new(),
            dead: Vec::new(),
            buried: VecDeque::new(),
            arguments: Vec::new(),
            group: Value::Absent,
            callee: Value::Absent,
            groups: BTreeMap::new(),
        };
        for thread in &threads {
            world.meet(thread);
        }
        world
    }

    /// A thread that nobody was seen to spawn. The task that it stands for is alive.
    pub(crate) fn meet(&mut self, thread: &Thread) {
        if let Some(entry) = self.tasks.entry(thread.task.0) {
            entry.facts = Task { kind: thread.kind, unit: thread.unit, ..Task::default() };
            entry.spawned = true;
            entry.released = true;
        }
    }

    /// The names, to add to.
    pub(crate) fn names_mut(&mut self) -> &mut Names {
        Arc::make_mut(&mut self.names)
    }

    /// What the ids of the trace stand for.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// A task that is alive: not ended, or with a handle that can still be read or dropped.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(id.0).map(|it| &it.facts)
    }

    /// An object that is alive and whose birth was recorded.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.0).and_then(|it| it.facts.as_ref())
    }

    /// What was known of an object when it died, where that is not long ago: a finding may speak of what is gone.
    pub fn buried(&self, id: ObjectId) -> Option<&Object> {
        self.buried.iter().rev().find(|it| it.0 == id).map(|it| &it.1)
    }

    /// The unit that a task acts for.
    pub fn unit_of(&self, task: TaskId) -> UnitId {
        self.task(task).map_or(UnitId::PROCESS, |it| it.unit)
    }

    /// The arguments of the last [`EventKind::User`], in the order of its declaration; one that is missing is
    /// [`Value::Absent`], and so are those behind the last one.
    #[inline]
    pub fn arguments(&self) -> &[Value] {
        &self.arguments
    }

    /// Sets the arguments of the next [`EventKind::User`]; those behind the [`MAX_ARGUMENTS`]th are left out. Whoever streams
    /// such an event does this before it returns the event.
    pub fn set_arguments(&mut self, arguments: impl IntoIterator<Item = Value>) {
        self.arguments.clear();
        self.arguments.extend(arguments.into_iter().take(MAX_ARGUMENTS));
    }

    /// The instance of a named group of tasks that the last event belongs to, as a text such as `workers:1`; [`Value::Absent`] where it
    /// belongs to none, or that is not known.
    #[inline]
    pub fn group(&self) -> Value {
        self.group
    }

    /// What the message of the last event was sent to; [`Value::Absent`] where it is no message, or that is not known.
    #[inline]
    pub fn callee(&self) -> Value {
        self.callee
    }

    /// Sets the group and the callee of the next event: see [`World::group`] and [`World::callee`]. They stay until they are set again,
    /// so whoever streams an event after one that had them sets them before it returns the event. The text of a group is one that
    /// [`Names::intern`] gave: texts that are equal have the same number.
    #[inline]
    pub fn set_context(&mut self, group: Value, callee: Value) {
        (self.group, self.callee) = (group, callee);
    }

    /// Takes the list of what died since this was last asked, in the order of death. No later event speaks of them,
    /// except for what can outlive its object (such as an `abort` of a task that is gone).
    ///
    /// The list grows until it is taken, so whoever steps through long traces should take it now and then.
    pub fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        self.dead.drain(..)
    }

    /// The instance of a group that a task belongs to. It begins one if its spawn says so, and else belongs to that of its parent. So does
    /// what a group of that name spawns.
    fn group_of(&mut self, facts: &Task) -> Value {
        let of_parent = self.task(facts.parent).map_or(Value::Absent, |it| it.group);
        let Some(name) = self.names.group(facts.spawned_at) else { return of_parent };
        if let Value::Group(group) = of_parent
            && self.names.text(group).rsplit_once(':').is_some_and(|it| it.0 == self.names.text(name))
        {
            return of_parent;
        }
        let count = self.groups.entry(name).or_default();
        *count += 1;
        let text = format!("{}:{count}", self.names.text(name));
        Value::Group(self.names_mut().intern(&text))
    }

    /// A task comes to life.
    pub(crate) fn spawn(&mut self, id: TaskId, mut facts: Task) {
        if self.names.has_groups() && facts.group == Value::Absent {
            facts.group = self.group_of(&facts);
        }
        if let Some(entry) = self.tasks.entry(id.0) {
            entry.facts = facts;
            entry.spawned = true;
            // Nobody holds a handle of what drives itself.
            entry.released |= matches!(facts.kind, TaskKind::Test | TaskKind::Root);
        }
    }

    /// An object comes to life.
    pub(crate) fn bear(&mut self, id: ObjectId, facts: Object) {
        if let Some(entry) = self.objects.entry(id.0) {
            entry.facts = Some(facts);
            entry.born = true;
        }
    }

    /// Everything that a past event ended is gone now.
    #[inline]
    pub(crate) fn bury(&mut self) {
        if !self.ending.is_empty() {
            self.bury_ended();
        }
    }

    #[cold]
    fn bury_ended(&mut self) {
        for (sort, id) in self.ending.drain(..) {
            if sort == Sort::Task {
                self.tasks.kill(id);
            } else {
                if let Some(facts) = self.objects.get(id).and_then(|it| it.facts) {
                    if self.buried.len() == MOST_BURIED {
                        self.buried.pop_front();
                    }
                    self.buried.push_back((ObjectId(id), facts));
                }
                self.objects.kill(id);
            }
            self.dead.push((sort, id));
        }
    }

    /// An object is gone, once the next event comes.
    pub(crate) fn end_object(&mut self, id: ObjectId) {
        if let Some(entry) = self.objects.get(id.0) {
            let sort = entry.facts.map_or(Sort::Any, |it| it.kind.sort());
            self.ending.push((sort, id.0));
        }
    }

    /// A task is over and nobody can speak of it any more.
    pub(crate) fn end_thread(&mut self, id: TaskId) {
        if let Some(entry) = self.tasks.get(id.0)
            && entry.released
            && !entry.ended
        {
            self.ending.push((Sort::Task, id.0));
        }
    }

    /// Changes the world as the event says. Spawns and births go by the methods above.
    #[inline]
    pub(crate) fn apply(&mut self, event: &Event) {
        use EventKind as K;
        match event.kind {
            K::Finish | K::Cancel => self.end_task(event.task),
            K::Panic if event.flags & flag::CAUGHT == 0 => self.end_task(event.task),
            K::Join | K::Detach => self.release(TaskId(event.object)),
            K::PermitRelease if event.flags & flag::ADDED != 0 => {
                self.change_capacity(event, u32::saturating_add);
            }
            K::PermitForget => self.change_capacity(event, u32::saturating_sub),
            _ => {}
        }
    }

    fn change_capacity(&mut self, event: &Event, change: fn(u32, u32) -> u32) {
        if let Some(ObjectEntry { facts: Some(object), .. }) = self.objects.entry(event.object) {
            object.capacity = change(object.capacity, u32::try_from(event.number).unwrap_or(u32::MAX));
        }
    }

    /// A task finished, panicked or was cancelled. It is gone once nobody has a handle of it.
    pub(crate) fn end_task(&mut self, id: TaskId) {
        if let Some(entry) = self.tasks.entry(id.0)
            && !std::mem::replace(&mut entry.ended, true)
            && entry.released
        {
            self.ending.push((Sort::Task, id.0));
        }
    }

    /// The end of a task was lost.
    pub(crate) fn mark_ended(&mut self, id: TaskId) {
        if let Some(entry) = self.tasks.entry(id.0) {
            entry.ended = true;
        }
    }

    fn release(&mut self, id: TaskId) {
        if let Some(entry) = self.tasks.entry(id.0)
            && !std::mem::replace(&mut entry.released, true)
            && entry.ended
        {
            self.ending.push((Sort::Task, id.0));
        }
    }
}
