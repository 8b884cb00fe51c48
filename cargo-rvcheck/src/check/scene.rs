//! What is known at one moment of a trace, and what people call it.

use super::context::Moment;
use super::recent::Recent;
use super::sources::{CompiledSite, Sources};
use super::tail::Kept;
use crate::analysis::{StartedTask, started};
use crate::relative::is_of_compiler;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, ObjectKind, Sort, TaskKind};
use rvcheck_event::site::Site;
use rvcheck_event::value::Value;
use rvcheck_event::world::{Object, Task, World};
use rvcheck_spec::Witness;

/// One moment of a trace.
pub(super) struct Scene<'a> {
    pub(super) sources: &'a Sources,
    pub(super) world: &'a World,
    pub(super) recent: &'a Recent,
    /// The events that led here. They know of tasks that have ended, too.
    pub(super) witness: &'a Witness,
    /// The last events of the unit, as many as are asked for.
    pub(super) tail: Vec<Kept>,
}

impl<'a> Scene<'a> {
    /// A moment, without the last events of any unit.
    pub(super) fn of(sources: &'a Sources, moment: Moment<'a>, witness: &'a Witness) -> Scene<'a> {
        Scene { sources, world: moment.world, recent: moment.recent, witness, tail: Vec::new() }
    }

    /// The place of a site, if it has one.
    pub(super) fn compiled_site(&self, site: SiteId) -> Option<CompiledSite<'a>> {
        let Some(place) = self.world.names().site(site) else { return self.sources.line(site) };
        // Without a line there is nothing to point at.
        place.position.is_known().then(|| CompiledSite::of(place))
    }

    fn site(&self, site: SiteId) -> Option<&'a Site> {
        self.sources.site(self.compiled_site(site)?)
    }

    /// What is called at a site, as the source says.
    pub(super) fn call(&self, site: SiteId) -> Option<&'a str> {
        self.site(site).map(|it| it.call.as_str()).filter(|it| !it.is_empty())
    }

    /// Whether both sites are in the same function.
    pub(super) fn are_together(&self, one: SiteId, other: SiteId) -> bool {
        let item = |site| self.site(site).map(|it| (&it.file, &it.item)).filter(|(_, item)| !item.is_empty());
        item(one).is_some_and(|one| item(other) == Some(one))
    }

    /// `file:line:column` in the original source.
    pub(super) fn position(&self, site: SiteId) -> Option<String> {
        let place = self.sources.place(self.compiled_site(site)?, "").location;
        Some(format!("{}:{}:{}", place.file, place.line, place.column))
    }

    /// The same of where an object was created; `None` where the library of the compiler has done that, as in `Arc::default()`.
    fn birthplace(&self, site: SiteId) -> Option<String> {
        let is_ours = self.compiled_site(site).is_some_and(|it| !is_of_compiler(it.file));
        self.position(site).filter(|_| is_ours)
    }

    /// Where a task was spawned.
    pub(super) fn spawned_at(&self, task: TaskId) -> SiteId {
        match self.known(task) {
            Some(known) => known.spawned_at,
            None => self.spawn_of(task).map_or(SiteId::NONE, |event| event.site),
        }
    }

    /// What the source says of how a task was started, where the call that spawned it does not say enough.
    pub(super) fn started(&self, task: TaskId) -> Option<&'a StartedTask> {
        if self.sources.started.is_empty() {
            return None;
        }
        let place = |site| Some(self.sources.place(self.compiled_site(site)?, "").location);
        let own = self.witness.iter().filter(|it| it.task == task && it.kind != EventKind::Spawn);
        let seen = own.map(|it| it.site).chain(self.recent.awaited_at(task)).filter_map(place);
        let runs = self.known(task).map_or("", |it| self.world.names().text(it.runs));
        started(&self.sources.started, &place(self.spawned_at(task))?, runs, &seen.collect::<Vec<_>>())
    }

    fn known(&self, task: TaskId) -> Option<&'a Task> {
        self.world.task(task).or_else(|| self.recent.departed(task))
    }

    fn spawn_of(&self, task: TaskId) -> Option<&'a Event> {
        self.witness.iter().find(|event| event.kind == EventKind::Spawn && event.object == task.0)
    }

    /// Whether that is the thread, or the root future, of a test.
    pub(super) fn is_test(&self, task: TaskId) -> bool {
        self.kind_of(task) == Some(TaskKind::Test)
    }

    fn kind_of(&self, task: TaskId) -> Option<TaskKind> {
        if let Some(known) = self.known(task) {
            return Some(known.kind);
        }
        let starts = |event: &&Event| {
            (event.kind == EventKind::Spawn && event.object == task.0)
                || (event.kind == EventKind::Start && event.task == task)
        };
        let event = self.witness.iter().find(starts)?;
        TaskKind::of_bits(event.flags & rvcheck_event::record::flag::ENUM)
    }

    /// What people call a value.
    pub(super) fn name(&self, value: Value) -> String {
        match value {
            Value::Absent => "something unknown".to_owned(),
            Value::Object(Sort::Task, id) => self.task(TaskId(id)),
            Value::Object(Sort::Test, id) => self.test(UnitId(id)),
            Value::Object(Sort::Thread, _) => "a thread".to_owned(),
            Value::Object(sort, id) => self.object(sort, ObjectId(id)),
            Value::Int(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Symbol(text) => text.to_owned(),
            Value::Str(id) | Value::Group(id) => self.world.names().text(id).to_owned(),
        }
    }

    /// What specs call the event.
    pub(super) fn event(&self, event: &Event) -> String {
        self.world.names().event(event).to_owned()
    }

    /// ``the task spawned in `Journal::append` ``, ``the thread `flusher` ``, ``the test `moves` ``.
    pub(super) fn task(&self, task: TaskId) -> String {
        let what = match self.kind_of(task) {
            Some(TaskKind::Async | TaskKind::Local) => "task",
            Some(TaskKind::Blocking) => "blocking task",
            Some(TaskKind::Thread) => "thread",
            Some(TaskKind::Test) => "test",
            Some(TaskKind::Root) => "future",
            None => return self.own_thread(task).unwrap_or_else(|| self.unknown_task(task)),
        };
        let names = self.world.names();
        // The future that a test drives has no name of its own.
        let driven =
            || self.known(task).filter(|it| it.kind == TaskKind::Test).and_then(|it| names.unit(it.unit));
        let name = names.task(task).or_else(driven).map_or("", |id| names.text(id));
        let spawned_at = self.spawned_at(task);
        let done = if what == "future" { "driven" } else { "spawned" };
        if !name.is_empty() {
            format!("the {what} `{name}`")
        } else if let Some(item) = self.spawned_in(task, spawned_at) {
            format!("the {what} {done} in `{item}`")
        } else if let Some(position) = self.position(spawned_at) {
            format!("the {what} {done} at {position}")
        } else {
            format!("a {what}")
        }
    }

    /// The function in which a task was spawned.
    fn spawned_in(&self, task: TaskId, site: SiteId) -> Option<&'a str> {
        let by = self.started(task).and_then(|it| it.by.as_ref()).map(|it| &it.location);
        let by = by.and_then(|it| self.sources.item_at(&it.file, it.line, it.column));
        by.or_else(|| self.site(site).map(|it| it.item.as_str())).filter(|it| !it.is_empty())
    }

    /// What people call a task of which nothing is known but what a trace calls it.
    fn unknown_task(&self, task: TaskId) -> String {
        match self.world.names().task(task) {
            Some(name) => format!("the task `{}`", self.world.names().text(name)),
            None if self.sources.is_text() && task.is_some() => format!("`task:{}`", task.0),
            None => "an unknown task".to_owned(),
        }
    }

    /// What people call a thread that nobody in the program spawned: one of libtest's, or `main`.
    fn own_thread(&self, task: TaskId) -> Option<String> {
        let (_, thread) = self.world.names().threads().find(|(_, thread)| thread.task == task)?;
        let what = if thread.kind == TaskKind::Test { "test" } else { "thread" };
        Some(if thread.name.is_empty() {
            format!("a {what}")
        } else {
            format!("the {what} `{}`", thread.name)
        })
    }

    fn test(&self, unit: UnitId) -> String {
        match self.world.names().unit(unit) {
            Some(name) => format!("the test `{}`", self.world.names().text(name)),
            None => "the process".to_owned(),
        }
    }

    fn known_object(&self, object: ObjectId) -> Option<&'a Object> {
        self.world.object(object).or_else(|| self.world.buried(object))
    }

    /// Where the locks of a cycle were created: what the cycle is known by, whichever places take the locks. Empty where that is not known
    /// of each, and where one place has created several: a constructor says little of who uses what it makes.
    pub(super) fn created_at(&self, locks: impl Iterator<Item = ObjectId>) -> Vec<String> {
        let created = |lock| self.birthplace(self.known_object(lock)?.born_at);
        let Some(mut places) = locks.map(created).collect::<Option<Vec<String>>>() else { return Vec::new() };
        places.sort_unstable();
        let count = places.len();
        places.dedup();
        if places.len() == count && count > 1 { places } else { Vec::new() }
    }

    /// `` `self.db.state` ``, or the kind of object and where it was created.
    fn object(&self, sort: Sort, object: ObjectId) -> String {
        self.object_used_at(sort, object, SiteId::NONE)
    }

    /// The same of an object of which no event of the witness need tell: it was used at this site.
    pub(super) fn object_used_at(&self, sort: Sort, object: ObjectId, site: SiteId) -> String {
        if let Some(name) = self.world.names().object(object) {
            return format!("`{}`", self.world.names().text(name));
        }
        let used = self.witness.iter().rev().filter(|event| event.argument_is(object));
        let used: Vec<SiteId> = used.map(|event| event.site).chain([site]).collect();
        let known = self.known_object(object);
        let born_at = known.map_or(SiteId::NONE, |it| it.born_at);
        let binding = std::iter::once(born_at)
            .chain(used.iter().copied())
            .filter_map(|site| self.site(site)?.binding.as_deref());
        // A channel is often created as a pair. Where a value has its place, as in `self.state`, that says more than the variable in
        // which it was made, and does not depend on whether that is still known.
        let bindings: Vec<&str> = binding.filter(|it| !it.starts_with('(')).collect();
        let binding = bindings.iter().find(|it| it.contains('.')).or(bindings.first());
        let what = known.map_or(family(sort), |it| short(it.kind));
        match (binding, self.birthplace(born_at)) {
            (Some(binding), _) => format!("`{binding}`"),
            (None, Some(position)) => format!("the {what} created at {position}"),
            (None, None) if self.sources.is_text() => format!("`{}:{}`", sort.name(), object.0),
            (None, None) => match used.into_iter().find_map(|it| self.position(it)) {
                Some(position) => format!("the {what} used at {position}"),
                None => format!("a {what}"),
            },
        }
    }
}

/// What an object is called whose type is not known any more.
const fn family(sort: Sort) -> &'static str {
    match sort {
        Sort::Lock => "lock",
        Sort::Chan => "channel",
        Sort::Sem => "semaphore",
        Sort::Signal => "signal",
        _ => "object",
    }
}

/// The last segments of a type's path, enough to know it by.
fn short(kind: ObjectKind) -> &'static str {
    kind.name().trim_start_matches("std::").trim_start_matches("tokio::").trim_start_matches("sync::")
}

trait Argument {
    /// Whether the event is about this lock, channel, semaphore or signal.
    fn argument_is(&self, object: ObjectId) -> bool;
}

impl Argument for Event {
    fn argument_is(&self, object: ObjectId) -> bool {
        let params = self.kind.signature().params;
        let about =
            params.iter().any(|(_, sort)| matches!(sort, Sort::Lock | Sort::Chan | Sort::Sem | Sort::Signal));
        about && self.object == object.0
    }
}
