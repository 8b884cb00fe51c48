//! Library properties as automata, and traces written as scripts.

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, ObjectKind, Outcome, TaskKind, TestOutcome, What};
use rvcheck_event::record::flag;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_spec::{Automaton, Monitor, PropertySource, UnitEnd, Verdicts, compile_automaton};

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
        levels: pairs("levels"),
        messages: pairs("messages"),
        primary: list("primary"),
        related: list("related"),
        labels: pairs("labels"),
        next: text("next"),
    }
}

/// A library property, compiled.
pub(crate) fn automaton(id: &str) -> Automaton {
    let entry = rvcheck_specs::find(id).expect("a property of the library");
    let (automaton, problems) = compile_automaton(&sources(entry.toml)[0]);
    assert_eq!(problems, []);
    automaton.expect("no problems")
}

/// A test in the making: the thread of the test drives everything, unless a script says otherwise.
pub(crate) struct Script {
    builder: TraceBuilder,
    thread: ThreadId,
    worker: ThreadId,
    line: u32,
}

impl Script {
    fn new() -> Script {
        let mut builder = TraceBuilder::new();
        let thread = builder.test("it::works");
        let worker = builder.thread("worker");
        Script { builder, thread, worker, line: 0 }
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

    /// The acting task joins, detaches or aborts a task.
    pub(crate) fn about(&mut self, kind: EventKind, task: TaskId) {
        let site = self.site();
        self.builder.pass(1);
        self.builder.about(self.thread, kind, task, site);
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

    /// The task that stands for the thread of the test.
    pub(crate) fn test(&self) -> TaskId {
        self.builder.own_task(self.thread)
    }
}

/// What one property says about a script: the states of violations, and the kinds of events of the last witness.
pub(crate) fn judge(id: &str, end: UnitEnd, script: fn(&mut Script)) -> (Vec<String>, Verdicts) {
    let mut written = Script::new();
    script(&mut written);
    let unit = UnitId(1);
    written.builder.end_test(written.thread, unit, TestOutcome::Ok);
    let bytes = written.builder.build();
    let trace = read::read(&bytes).expect("the builder writes traces");
    let mut events = merge::events(&trace);
    let automaton = automaton(id);
    let mut monitor = Monitor::new(vec![automaton.clone()]);
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
    let states = verdicts.violations.iter().map(|it| automaton.states[it.state].name.clone()).collect();
    (states, verdicts)
}

/// The kinds of the events that a violation shows.
pub(crate) fn kinds<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<EventKind> {
    events.map(|event| event.kind).collect()
}
