//! What the ids of a trace stand for: sites, texts, threads, tests.

use std::collections::BTreeMap;
use std::fmt;

use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::kind::{EventKind, TaskKind};
use crate::position::CompiledPosition;
use crate::remedy::{Applied, Remedy};

/// What the compiler told the recorder of a site.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordedSite {
    /// The file, as the compiler names it.
    pub file: String,
    /// Where in it.
    pub position: CompiledPosition,
    /// It belongs to the program's own crates, not to a dependency.
    pub own: bool,
}

impl fmt::Display for RecordedSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.position)
    }
}

/// A thread that recorded something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The task that stands for the thread itself.
    pub task: TaskId,
    /// The unit that the thread itself acts for, at its beginning.
    pub unit: UnitId,
    /// What the thread is: a plain thread or the thread of a test.
    pub kind: TaskKind,
    /// Its name; empty when it has none.
    pub name: String,
}

/// The program was stopped because a property was violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The unit that violated it.
    pub unit: UnitId,
    /// The process was ended; else a panic was begun.
    pub ended: bool,
    /// The id of the property.
    pub property: String,
}

/// What was learnt of a place of the program from a violation there, in this process or before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learnt {
    /// What tells it from others of the process.
    pub number: u32,
    /// What is done there from then on.
    pub remedy: Remedy,
    /// The place; and the other one, where two belong together, else none.
    pub places: [SiteId; 2],
    /// It was known before the process began.
    pub was_known: bool,
    /// The id of the property.
    pub property: String,
    /// What the remedy has done.
    pub applied: Applied,
}

/// The names of everything in one trace.
///
/// Equal texts have equal [`StringId`]s, so that comparing two strings is comparing two numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    ids: BTreeMap<String, StringId>,
    sites: BTreeMap<SiteId, RecordedSite>,
    classes: BTreeMap<SiteId, StringId>,
    calls: BTreeMap<SiteId, StringId>,
    groups: BTreeMap<SiteId, StringId>,
    units: BTreeMap<UnitId, StringId>,
    tasks: BTreeMap<TaskId, StringId>,
    objects: BTreeMap<ObjectId, StringId>,
    threads: BTreeMap<ThreadId, Thread>,
    notes: Vec<String>,
    stops: Vec<Stop>,
    learnt: Vec<Learnt>,
    handled: BTreeMap<TaskId, u32>,
}

impl Names {
    /// What specs call an event.
    pub fn event(&self, event: &Event) -> &str {
        if event.kind == EventKind::User {
            self.text(StringId(event.object))
        } else {
            event.kind.signature().name
        }
    }

    /// No names at all.
    pub fn new() -> Names {
        Names::default()
    }

    /// The id of a text, given now if it has none yet.
    pub fn intern(&mut self, text: &str) -> StringId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        self.texts.push(text.to_owned());
        let id = StringId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// The text of an id; empty for ids that stand for nothing.
    pub fn text(&self, id: StringId) -> &str {
        (id.0 as usize).checked_sub(1).and_then(|index| self.texts.get(index)).map_or("", String::as_str)
    }

    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// The id of a text, if anything in the trace has this text.
    pub fn id_of(&self, text: &str) -> Option<StringId> {
        self.ids.get(text).copied()
    }

    /// Where a site is.
    pub fn site(&self, id: SiteId) -> Option<&RecordedSite> {
        self.sites.get(&id)
    }

    /// All sites.
    pub fn sites(&self) -> impl Iterator<Item = (SiteId, &RecordedSite)> {
        self.sites.iter().map(|(id, site)| (*id, site))
    }

    /// Places a site.
    pub fn set_site(&mut self, id: SiteId, site: RecordedSite) {
        let class = self.intern(&site.to_string());
        self.classes.insert(id, class);
        self.sites.insert(id, site);
    }

    /// The class of objects that are born at this site: its position as text.
    pub fn class(&self, id: SiteId) -> Option<StringId> {
        self.classes.get(&id).copied()
    }

    /// What is called at this site, where [`Names::set_call`] set it.
    pub fn call(&self, id: SiteId) -> Option<StringId> {
        self.calls.get(&id).copied()
    }

    /// Tells what is called, or awaited, at a site. The recorder does not know; the source does.
    pub fn set_call(&mut self, id: SiteId, call: &str) {
        let call = self.intern(call);
        self.calls.insert(id, call);
    }

    /// The name of the group of tasks that what is spawned at this site begins, if it does.
    pub fn group(&self, id: SiteId) -> Option<StringId> {
        self.groups.get(&id).copied()
    }

    /// Whether there is a site where groups begin.
    #[inline]
    pub fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Tells that what is spawned at a site begins a group of this name.
    pub fn set_group(&mut self, id: SiteId, name: &str) {
        let name = self.intern(name);
        self.groups.insert(id, name);
    }

    /// The name of a test.
    pub fn unit(&self, id: UnitId) -> Option<StringId> {
        self.units.get(&id).copied()
    }

    /// All tests, with their names.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, &str)> {
        self.units.iter().map(|(id, name)| (*id, self.text(*name)))
    }

    /// Names a test.
    pub fn set_unit(&mut self, id: UnitId, name: &str) {
        let name = self.intern(name);
        self.units.insert(id, name);
    }

    /// The name of a task: its own, or that of the thread that it stands for.
    pub fn task(&self, id: TaskId) -> Option<StringId> {
        self.tasks.get(&id).copied()
    }

    /// Names a task.
    pub fn set_task(&mut self, id: TaskId, name: &str) {
        let name = self.intern(name);
        self.tasks.insert(id, name);
    }

    /// The name of an object, where whoever wrote the trace gave it one.
    pub fn object(&self, id: ObjectId) -> Option<StringId> {
        self.objects.get(&id).copied()
    }

    /// Names an object.
    pub fn set_object(&mut self, id: ObjectId, name: &str) {
        let name = self.intern(name);
        self.objects.insert(id, name);
    }

    /// Gives tasks and objects other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        let tasks = std::mem::take(&mut self.tasks);
        self.tasks = tasks.into_iter().map(|(id, name)| (TaskId(number(id.0)), name)).collect();
        let objects = std::mem::take(&mut self.objects);
        self.objects = objects.into_iter().map(|(id, name)| (ObjectId(number(id.0)), name)).collect();
        let handled = std::mem::take(&mut self.handled);
        self.handled = handled.into_iter().map(|(id, learnt)| (TaskId(number(id.0)), learnt)).collect();
    }

    /// What is known of a thread.
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(&id)
    }

    /// All threads.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().map(|(id, thread)| (*id, thread))
    }

    /// Describes a thread. Its name is also that of its task.
    pub fn set_thread(&mut self, id: ThreadId, thread: Thread) {
        if thread.task.is_some() && !thread.name.is_empty() {
            self.set_task(thread.task, &thread.name);
        }
        self.threads.insert(id, thread);
    }

    /// What the recorder wants the report to say.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Where the program was stopped, in order.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Adds a stop.
    pub fn add_stop(&mut self, stop: Stop) {
        self.stops.push(stop);
    }

    /// What was learnt of places, in order.
    pub fn learnt(&self) -> &[Learnt] {
        &self.learnt
    }

    /// Adds what was learnt of a place, or what is known of it now.
    pub fn add_learnt(&mut self, learnt: Learnt) {
        // The second of two places may be reached long after the first one.
        match self.learnt.iter_mut().find(|it| it.number == learnt.number) {
            Some(known) => *known = Learnt { applied: known.applied, ..learnt },
            None => self.learnt.push(learnt),
        }
    }

    /// Sets what a remedy has done; `false` if nothing of that number was learnt.
    pub fn set_applied(&mut self, number: u32, applied: Applied) -> bool {
        let learnt = self.learnt.iter_mut().find(|it| it.number == number);
        learnt.map(|it| it.applied = applied).is_some()
    }

    /// The property whose handler has told of the panic or the error of a task.
    pub fn handled_by(&self, task: TaskId) -> Option<&str> {
        let number = self.handled.get(&task)?;
        self.learnt.iter().find(|it| it.number == *number).map(|it| it.property.as_str())
    }

    /// Notes that the handler of that number has told of the panic or the error of a task.
    pub fn add_handled(&mut self, task: TaskId, number: u32) {
        self.handled.insert(task, number);
    }

    /// Adds a note for the report.
    pub fn add_note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_ids() {
        let mut names = Names::new();
        let one = names.intern("one");
        let two = names.intern("two");
        assert_eq!(names.intern("one"), one);
        assert_ne!(one, two);
        assert_eq!((names.text(one), names.text(two)), ("one", "two"));
        assert_eq!((names.id_of("two"), names.id_of("three")), (Some(two), None));
    }

    #[test]
    fn ids_without_a_text_are_empty() {
        let names = Names::new();
        assert_eq!(names.text(StringId::NONE), "");
        assert_eq!(names.text(StringId(u32::MAX)), "");
    }

    #[test]
    fn a_site_is_also_a_class() {
        let mut names = Names::new();
        names.set_site(
            SiteId(4),
            RecordedSite { file: "src/lib.rs".into(), position: CompiledPosition::new(3, 5), own: true },
        );
        assert_eq!(names.class(SiteId(4)).map(|id| names.text(id)), Some("src/lib.rs:3:5"));
        assert_eq!(names.class(SiteId(5)), None);
    }

    #[test]
    fn a_thread_lends_its_name_to_its_task() {
        let mut names = Names::new();
        let thread =
            Thread { task: TaskId(7), unit: UnitId(1), kind: TaskKind::Test, name: "it::works".into() };
        names.set_thread(ThreadId(1), thread);
        assert_eq!(names.task(TaskId(7)).map(|id| names.text(id)), Some("it::works"));
    }
}
