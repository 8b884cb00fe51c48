//! Library properties, compiled, and traces written as scripts.

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, Sort, TaskKind, TestOutcome, What};
use rvcheck_event::record::{Record, argument, code, flag};
use rvcheck_event::trace::format::definition;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_spec::{
    EventSource, Monitor, Property, PropertySource, Role, UnitEnd, Verdicts, Vocabulary, compile,
};

/// The properties in a specification file. The tool reads such files with places and advice; a test needs neither.
pub(crate) fn sources(text: &str) -> Vec<PropertySource> {
    let root: toml::Table = text.parse().expect("the file is TOML");
    let tables = root["property"].as_array().expect("properties");
    tables.iter().map(|table| source(table.as_table().expect("a table"))).collect()
}

fn source(table: &toml::Table) -> PropertySource {
    let text = |key: &str| table.get(key).map(|it| it.as_str().expect("a string").to_owned());
    let list = |key: &str| -> Vec<String> {
        let items = table.get(key).and_then(toml::Value::as_array).into_iter().flatten();
        items.map(|it| it.as_str().expect("a string").to_owned()).collect()
    };
    let pairs = |key: &str| -> Vec<(String, String)> {
        let entries = table.get(key).and_then(toml::Value::as_table).into_iter().flatten();
        entries
            .map(|(name, value)| {
                (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect()
    };
    PropertySource {
        id: text("id").expect("an id"),
        title: text("title"),
        level: text("level"),
        logic: text("logic").expect("a logic"),
        message: text("message"),
        scope: text("scope"),
        formula: text("formula"),
        steps: text("steps"),
        params: list("params"),
        vars: pairs("vars"),
        initial: text("initial"),
        bad: list("bad"),
        good: list("good"),
        end_bad: list("end_bad"),
        transitions: list("transitions"),
        rules: list("rules"),
        levels: pairs("levels"),
        messages: pairs("messages"),
        primary: list("primary"),
        related: list("related"),
        labels: pairs("labels"),
        group: text("group"),
        per: list("per"),
        view: pairs("view"),
        grammar: pairs("grammar"),
        next: text("next"),
    }
}

/// The events that a specification file declares.
fn vocabulary(text: &str) -> Vocabulary {
    let root: toml::Table = text.parse().expect("the file is TOML");
    let mut vocabulary = Vocabulary::default();
    for (name, params) in root.get("events").and_then(toml::Value::as_table).into_iter().flatten() {
        let params = params.as_array().expect("a list").iter();
        let params = params.map(|it| it.as_str().expect("a string").to_owned()).collect();
        assert_eq!(vocabulary.declare_event(&EventSource { name: name.clone(), params }), []);
    }
    vocabulary
}

/// A library property, compiled.
pub(crate) fn property(id: &str) -> Property {
    let entry = rvcheck_specs::find(id).expect("a property of the library");
    of_file(entry.toml)
}

/// The one property of a specification file, compiled.
pub(crate) fn of_file(text: &str) -> Property {
    let (property, problems) = compile(&sources(text)[0], &vocabulary(text));
    assert_eq!(problems, []);
    property.expect("no problems")
}

/// What can be wrong, as violations call it: the states of an automaton that violate it, or that a formula is false.
pub(crate) fn offences(property: &Property) -> Vec<&str> {
    match property {
        Property::Automaton(automaton) => {
            let bad = automaton.states.iter().filter(|it| matches!(it.role, Role::Bad | Role::EndBad));
            bad.map(|it| it.name.as_str()).collect()
        }
        Property::Ltl(_) => vec!["false"],
        Property::Lifestate(_) => vec!["prohibited"],
        // Whoever finds its violations has tests of that.
        Property::BuiltIn(_) => Vec::new(),
    }
}

/// A test in the making: the thread of the test drives everything, unless a script says otherwise.
pub(crate) struct Script {
    builder: TraceBuilder,
    thread: ThreadId,
    worker: ThreadId,
    line: u32,
    texts: u32,
}

impl Script {
    fn new() -> Script {
        let mut builder = TraceBuilder::new();
        let thread = builder.test("it::works");
        let worker = builder.thread("worker");
        Script { builder, thread, worker, line: 0, texts: 0 }
    }

    fn site(&mut self) -> SiteId {
        self.line += 1;
        self.builder.site("src/lib.rs", self.line, 1)
    }

    /// Lets that many milliseconds pass.
    pub(crate) fn pass(&mut self, ms: u64) {
        self.builder.pass(ms * 1_000_000);
    }

    /// The test, or the task that it is polling, spawns a task.
    pub(crate) fn spawn(&mut self, kind: TaskKind) -> TaskId {
        let site = self.site();
        self.builder.pass(1);
        self.builder.spawn(self.thread, kind, site, "()")
    }

    /// The task begins to run on the thread of the test.
    pub(crate) fn poll(&mut self, task: TaskId) {
        self.builder.pass(1);
        self.builder.poll(self.thread, task);
    }

    /// It suspends.
    pub(crate) fn suspend(&mut self, task: TaskId) {
        self.builder.pass(1);
        self.builder.suspend(self.thread, task);
    }

    /// It suspends after that much time on a core.
    pub(crate) fn suspend_after(&mut self, task: TaskId, cpu_ms: u64) {
        self.builder.cpu(self.thread, cpu_ms * 1_000_000);
        self.builder.suspend(self.thread, task);
    }

    /// It returns.
    pub(crate) fn finish(&mut self, task: TaskId, outcome: Outcome) {
        self.builder.pass(1);
        self.builder.finish(self.thread, task, outcome);
    }

    /// It is dropped unfinished.
    pub(crate) fn cancel(&mut self, task: TaskId) {
        self.builder.pass(1);
        self.builder.cancel(self.thread, task);
    }

    /// It panics.
    pub(crate) fn panic(&mut self, task: TaskId, caught: bool) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.panic(self.thread, task, caught, site);
    }

    /// It panics when it is dropped unfinished.
    pub(crate) fn panic_in_drop(&mut self, task: TaskId) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.panic_in_drop(self.thread, task, site);
    }

    /// The acting task joins, detaches or aborts a task.
    pub(crate) fn about(&mut self, kind: EventKind, task: TaskId) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.about(self.thread, kind, task, site);
    }

    /// The scope or set of a task drops its handle.
    pub(crate) fn detach_by_owner(&mut self, task: TaskId) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.detach_by_owner(self.thread, task, site);
    }

    /// Another thread aborts a task.
    pub(crate) fn abort_from_outside(&mut self, task: TaskId) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.about(self.worker, EventKind::Abort, task, site);
    }

    /// The acting task blocks its thread for that long.
    pub(crate) fn block(&mut self, what: What, ms: u64) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.block(self.thread, EventKind::Block, what, site);
        self.builder.pass(ms * 1_000_000);
        self.builder.block(self.thread, EventKind::Unblock, what, site);
    }

    /// A lock.
    pub(crate) fn lock(&mut self, kind: ObjectKind) -> ObjectId {
        let site = self.site();
        self.builder.object(self.thread, kind, site, 0)
    }

    /// The acting task requests, acquires or releases the lock, or withdraws.
    pub(crate) fn locks(&mut self, kind: EventKind, lock: ObjectId, mode: Mode) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.lock(self.thread, kind, lock, mode, site);
    }

    /// The acting task begins or ends an await, or drops the future at one.
    pub(crate) fn awaits(&mut self, kind: EventKind) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.event(self.thread, kind, ObjectId::NONE, 0, site);
    }

    /// A semaphore.
    pub(crate) fn semaphore(&mut self, permits: u32) -> ObjectId {
        let site = self.site();
        self.builder.object(self.thread, ObjectKind::TokioSemaphore, site, permits)
    }

    /// The acting task waits for permits.
    pub(crate) fn wait(&mut self, semaphore: ObjectId, n: u32) {
        let site = self.site();
        self.builder.event(self.thread, EventKind::PermitWait, semaphore, n, site);
    }

    /// The acting task does something else with permits.
    pub(crate) fn permits(&mut self, kind: EventKind, semaphore: ObjectId, n: u32, added: bool) {
        let site = self.site();
        let flags = if added { flag::ADDED } else { 0 };
        self.builder.ordered(self.thread, kind, flags, semaphore, n, site);
    }

    /// The program says an event of its own, of a task and a text.
    pub(crate) fn say(&mut self, name: &str, task: TaskId, text: &str) {
        let (name, text, site) = (self.text(name), self.text(text), self.site());
        let object = Record::wide(code::ARGUMENT, argument::OBJECT, 0, task.0.into());
        let object = Record { order16: argument::bits_of(Sort::Task), ..object };
        self.builder.push(self.thread, object);
        self.builder.push(self.thread, Record::wide(code::ARGUMENT, argument::TEXT, 1, text.into()));
        self.builder.push(self.thread, Record::event(EventKind::User, 0, site.0, name, 2));
    }

    fn text(&mut self, text: &str) -> u32 {
        self.texts += 1;
        self.builder.define(definition::STRING, &[self.texts], text);
        self.texts
    }

    /// The task that stands for the thread of the test.
    pub(crate) fn test(&self) -> TaskId {
        self.builder.own_task(self.thread)
    }
}

/// What a property says about a script: what is wrong, as violations call it, and the verdicts.
pub(crate) fn check(property: &Property, end: UnitEnd, script: fn(&mut Script)) -> (Vec<String>, Verdicts) {
    let mut written = Script::new();
    script(&mut written);
    let unit = UnitId(1);
    written.builder.end_test(written.thread, unit, TestOutcome::Ok);
    let bytes = written.builder.build();
    let trace = read::read(&bytes).expect("the builder writes traces");
    let mut events = merge::events(&trace);
    let mut monitor = Monitor::new(vec![property.clone()]);
    while let Some(event) = events.next() {
        monitor.step(&event, events.world());
        monitor.collect(events.drain_dead());
    }
    assert_eq!(
        events.problems(),
        rvcheck_event::trace::problems::Problems::default(),
        "the script is a well-formed trace"
    );
    monitor.end_of_unit(unit, end);
    monitor.end_of_unit(UnitId::PROCESS, UnitEnd::Complete);
    let verdicts = monitor.finish(events.world());
    assert_eq!(verdicts.properties[0].fault, None);
    let offence = |it| property.offence(it).expect("it is of this property").state.to_owned();
    (verdicts.violations.iter().map(offence).collect(), verdicts)
}

/// The kinds of the events that a violation shows.
pub(crate) fn kinds<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<EventKind> {
    events.map(|event| event.kind).collect()
}
