//! Writing a trace in memory, event by event: for tests, and for whoever wants to make a trace by hand.
//!
//! The order of the calls is the real order of the events; the counters that let a reader find it again are kept here.

use std::collections::BTreeMap;

use super::format::{MAGIC, PAGE, VERSION, chunk, definition, header, lost};
use crate::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, TestOutcome, What};
use crate::record::{COARSE_SHIFT, RECORD_SIZE, Record, argument, code, flag};
use crate::value::Value;

/// The tick counter at time 0.
const FIRST_TICK: u64 = 1 << 20;
/// Ticks in a nanosecond: so many that coarse times are exact.
const TICKS: u64 = 1 << COARSE_SHIFT;

/// A trace in the making.
#[derive(Clone, Debug, Default)]
pub struct TraceBuilder {
    now: u64,
    threads: Vec<ThreadScript>,
    definitions: Vec<u8>,
    sites: BTreeMap<(String, u32, u32), SiteId>,
    strings: BTreeMap<String, u32>,
    units: u32,
    /// How many tasks there are, and how many ordered events each has had.
    tasks: Vec<u32>,
    /// For each object, how many ordered events and messages it has had.
    objects: Vec<(u32, u32)>,
    chunk_pages: u32,
    /// The last ticket, if there are any.
    tickets: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct ThreadScript {
    own: TaskId,
    records: Vec<Written>,
    polled: Vec<TaskId>,
    /// The time that its last time record gave.
    last_time: Option<u64>,
}

/// A record, with what a chunk that begins with it says in its header.
#[derive(Clone, Copy, Debug)]
struct Written {
    record: Record,
    now: u64,
    task: TaskId,
}

impl TraceBuilder {
    /// A trace of nothing, at time 0.
    pub fn new() -> TraceBuilder {
        TraceBuilder { chunk_pages: 4, ..TraceBuilder::default() }
    }

    /// Chunks shall have that many pages; 4 unless set.
    #[must_use]
    pub fn with_chunk_pages(mut self, pages: u32) -> TraceBuilder {
        self.chunk_pages = pages.max(1);
        self
    }

    /// Every record shall have a ticket.
    #[must_use]
    pub fn with_tickets(mut self) -> TraceBuilder {
        self.tickets = Some(0);
        self
    }

    /// Lets that many ns pass.
    pub fn pass(&mut self, nanos: u64) {
        self.now += nanos;
    }

    /// The place of later events.
    pub fn site(&mut self, file: &str, line: u32, column: u32) -> SiteId {
        let next = SiteId(self.sites.len() as u32 + 1);
        let id = *self.sites.entry((file.to_owned(), line, column)).or_insert(next);
        if id == next {
            self.define(definition::SITE, &[id.0, line, column, 1], file);
        }
        id
    }

    /// Adds a definition as it stands.
    pub fn define(&mut self, tag: u32, numbers: &[u32], text: &str) {
        let length = numbers.len() * 4 + text.len();
        self.definitions.extend((length as u32).to_le_bytes());
        self.definitions.extend(tag.to_le_bytes());
        self.definitions.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        self.definitions.extend(text.as_bytes());
        self.definitions.resize(self.definitions.len().next_multiple_of(8), 0);
    }

    /// A plain thread outside all tests. It stands for a task of its own, see [`TraceBuilder::own_task`].
    pub fn thread(&mut self, name: &str) -> ThreadId {
        self.new_thread(UnitId::PROCESS, TaskKind::Thread, name)
    }

    /// The thread of a test, which begins.
    pub fn test(&mut self, name: &str) -> ThreadId {
        self.units += 1;
        let unit = UnitId(self.units);
        self.define(definition::UNIT, &[unit.0], name);
        let thread = self.new_thread(unit, TaskKind::Test, name);
        self.push(thread, Record::event(EventKind::TestBegin, 0, 0, unit.0, 0));
        thread
    }

    /// The test with that number, counted from 1, is over.
    pub fn end_test(&mut self, thread: ThreadId, unit: UnitId, outcome: TestOutcome) {
        self.push(thread, Record::event(EventKind::TestEnd, outcome as u8, 0, unit.0, 0));
    }

    fn new_thread(&mut self, unit: UnitId, kind: TaskKind, name: &str) -> ThreadId {
        let own = self.new_task();
        self.threads.push(ThreadScript { own, ..ThreadScript::default() });
        let thread = ThreadId(self.threads.len() as u32);
        self.define(definition::THREAD, &[thread.0, own.0, unit.0, kind as u32], name);
        thread
    }

    /// The task that stands for a thread.
    ///
    /// # Panics
    ///
    /// If this builder did not make the thread.
    pub fn own_task(&self, thread: ThreadId) -> TaskId {
        self.threads[thread.0 as usize - 1].own
    }

    fn new_task(&mut self) -> TaskId {
        self.tasks.push(0);
        TaskId(self.tasks.len() as u32)
    }

    /// The acting task spawns one with this type of result.
    pub fn spawn(&mut self, thread: ThreadId, kind: TaskKind, site: SiteId, output: &str) -> TaskId {
        let output = self.string(output);
        let task = self.new_task();
        self.push(thread, Record::event(EventKind::Spawn, kind as u8, site.0, task.0, output.0));
        task
    }

    /// The number of a text in records.
    pub fn string(&mut self, text: &str) -> StringId {
        let next = self.strings.len() as u32 + 1;
        let id = *self.strings.entry(text.to_owned()).or_insert(next);
        if id == next {
            self.define(definition::STRING, &[id], text);
        }
        StringId(id)
    }

    /// An event of the program's own. Texts among its arguments are those of [`TraceBuilder::string`].
    pub fn say(&mut self, thread: ThreadId, name: &str, arguments: &[Value], site: SiteId) {
        self.annotation(thread, name, arguments, 0, site);
    }

    /// A call of `check NAME`, `check-tail NAME` or `remove NAME`.
    pub fn control(&mut self, thread: ThreadId, call: &str, arguments: &[Value], site: SiteId) {
        self.annotation(thread, call, arguments, flag::CONTROL, site);
    }

    fn annotation(&mut self, thread: ThreadId, name: &str, arguments: &[Value], flags: u8, site: SiteId) {
        let name = self.string(name);
        for (index, value) in arguments.iter().enumerate() {
            self.push(thread, argument_record(index as u32, *value));
        }
        let count = arguments.len() as u32;
        self.push(thread, Record::event(EventKind::User, flags, site.0, name.0, count));
    }

    /// Names a task.
    pub fn name(&mut self, task: TaskId, name: &str) {
        self.define(definition::TASK_NAME, &[task.0], name);
    }

    /// The thread polls the task, which then acts on it. The first poll also starts it.
    pub fn poll(&mut self, thread: ThreadId, task: TaskId) {
        self.poll_of(thread, task, "");
    }

    /// The same, of a task that runs what is of this type.
    pub fn poll_of(&mut self, thread: ThreadId, task: TaskId, runs: &str) {
        if self.tasks[task.0 as usize - 1] == 0 {
            let runs = if runs.is_empty() { StringId::NONE } else { self.string(runs) };
            self.push(thread, Record::event(EventKind::Start, 0, 0, task.0, runs.0));
        }
        self.task_event(thread, EventKind::Poll, 0, task);
        self.threads[thread.0 as usize - 1].polled.push(task);
    }

    /// The poll ends; the task goes on later.
    pub fn suspend(&mut self, thread: ThreadId, task: TaskId) {
        self.suspend_with(thread, task, 0);
    }

    /// The poll ends with these flags; the task goes on later.
    pub fn suspend_with(&mut self, thread: ThreadId, task: TaskId, flags: u8) {
        self.end_poll(thread, EventKind::Suspend, flags, task);
    }

    /// The task returns.
    pub fn finish(&mut self, thread: ThreadId, task: TaskId, outcome: Outcome) {
        self.end_poll(thread, EventKind::Finish, outcome as u8, task);
    }

    /// The task is dropped unfinished.
    pub fn cancel(&mut self, thread: ThreadId, task: TaskId) {
        self.end_poll(thread, EventKind::Cancel, 0, task);
    }

    /// The task panics.
    pub fn panic(&mut self, thread: ThreadId, task: TaskId, caught: bool, site: SiteId) {
        let flags = if caught { flag::CAUGHT } else { 0 };
        self.push_panic(thread, task, flags, site);
    }

    /// The task returns an error or panics, with these flags beside.
    pub fn fail(&mut self, thread: ThreadId, kind: EventKind, flags: u8, task: TaskId) {
        let flags = if kind == EventKind::Finish { flags | Outcome::Err as u8 } else { flags };
        self.end_poll(thread, kind, flags, task);
    }

    /// The task is dropped unfinished, and panics.
    pub fn panic_in_drop(&mut self, thread: ThreadId, task: TaskId, site: SiteId) {
        self.push_panic(thread, task, flag::DROPPED, site);
    }

    fn push_panic(&mut self, thread: ThreadId, task: TaskId, flags: u8, site: SiteId) {
        self.push(thread, Record::event(EventKind::Panic, flags, site.0, task.0, 0));
        if flags & flag::CAUGHT == 0 {
            self.threads[thread.0 as usize - 1].polled.retain(|it| *it != task);
        }
    }

    fn end_poll(&mut self, thread: ThreadId, kind: EventKind, flags: u8, task: TaskId) {
        self.task_event(thread, kind, flags, task);
        self.threads[thread.0 as usize - 1].polled.retain(|it| *it != task);
    }

    fn task_event(&mut self, thread: ThreadId, kind: EventKind, flags: u8, task: TaskId) {
        let order = &mut self.tasks[task.0 as usize - 1];
        *order += 1;
        let number = *order;
        let coarse = ((FIRST_TICK + self.now * TICKS) >> COARSE_SHIFT) as u32;
        self.push(thread, Record::event(kind, flags, coarse, task.0, number));
    }

    /// CPU time of the poll that ends next on this thread, in ns.
    pub fn cpu(&mut self, thread: ThreadId, nanos: u64) {
        self.push(thread, Record::wide(code::CPU, 0, 0, nanos));
    }

    /// `join`, `detach` or `abort` of a task by the acting one.
    pub fn about(&mut self, thread: ThreadId, kind: EventKind, task: TaskId, site: SiteId) {
        self.push(thread, Record::event(kind, 0, site.0, task.0, 0));
    }

    /// The set or scope of a task drops its handle.
    pub fn detach_by_owner(&mut self, thread: ThreadId, task: TaskId, site: SiteId) {
        self.push(thread, Record::event(EventKind::Detach, flag::BY_OWNER, site.0, task.0, 0));
    }

    /// An object with that capacity comes to life.
    pub fn object(&mut self, thread: ThreadId, kind: ObjectKind, site: SiteId, capacity: u32) -> ObjectId {
        self.bear(thread, kind, site, capacity, 0)
    }

    /// A lock that is itself a static.
    pub fn static_lock(&mut self, thread: ThreadId, kind: ObjectKind, site: SiteId) -> ObjectId {
        self.bear(thread, kind, site, 0, flag::STATIC)
    }

    fn bear(
        &mut self,
        thread: ThreadId,
        kind: ObjectKind,
        site: SiteId,
        capacity: u32,
        order16: u16,
    ) -> ObjectId {
        self.objects.push((0, 0));
        let object = self.objects.len() as u32;
        let record =
            Record { code: code::OBJECT, flags: kind as u8, order16, site: site.0, object, number: capacity };
        self.push(thread, record);
        ObjectId(object)
    }

    /// The object is gone.
    pub fn drop_object(&mut self, thread: ThreadId, object: ObjectId) {
        let number = self.objects[object.0 as usize - 1].0;
        let record = Record { code: code::OBJECT_DROP, object: object.0, number, ..Record::default() };
        self.push(thread, record);
    }

    /// `request`, `acquire`, `release` or `withdraw` of a lock.
    pub fn lock(&mut self, thread: ThreadId, kind: EventKind, lock: ObjectId, mode: Mode, site: SiteId) {
        let ordered = matches!(kind, EventKind::Acquire | EventKind::Release);
        let number = if ordered { self.next_position(lock) } else { 0 };
        self.push(thread, Record::event(kind, mode as u8, site.0, lock.0, number));
    }

    fn next_position(&mut self, object: ObjectId) -> u32 {
        let (position, _) = &mut self.objects[object.0 as usize - 1];
        *position += 1;
        *position
    }

    /// Puts a message into a channel: its number.
    pub fn send(&mut self, thread: ThreadId, channel: ObjectId, site: SiteId) -> u32 {
        let (_, messages) = &mut self.objects[channel.0 as usize - 1];
        *messages += 1;
        let number = *messages;
        self.push(thread, Record::event(EventKind::Send, 0, site.0, channel.0, number));
        number
    }

    /// Any event whose number is given and whose order is not counted: of a channel, a wait, or an await.
    pub fn event(&mut self, thread: ThreadId, kind: EventKind, object: ObjectId, number: u32, site: SiteId) {
        self.push(thread, Record::event(kind, 0, site.0, object.0, number));
    }

    /// An ordered event of a semaphore or signal; `flags` as in [`flag`].
    pub fn ordered(
        &mut self,
        thread: ThreadId,
        kind: EventKind,
        flags: u8,
        object: ObjectId,
        n: u32,
        site: SiteId,
    ) {
        let order16 = self.next_position(object) as u16;
        let record = Record { code: kind as u8, flags, order16, site: site.0, object: object.0, number: n };
        self.push(thread, record);
    }

    /// `block` or `unblock`.
    pub fn block(&mut self, thread: ThreadId, kind: EventKind, what: What, site: SiteId) {
        let ticks = FIRST_TICK + self.now * TICKS;
        self.push(thread, Record::wide(kind as u8, what as u8, site.0, ticks));
    }

    /// Adds a record as it stands, with the time before it.
    ///
    /// # Panics
    ///
    /// If this builder did not make the thread.
    pub fn push(&mut self, thread: ThreadId, record: Record) {
        let now = self.now;
        let script = &mut self.threads[thread.0 as usize - 1];
        let task = script.polled.last().copied().unwrap_or_default();
        // Noted at the end of the old moment and at the beginning of the new one, so that nothing is interpolated.
        let times = script
            .last_time
            .filter(|it| *it != now)
            .into_iter()
            .chain((script.last_time != Some(now)).then_some(now));
        for time in times {
            let record = Record::wide(code::TIME, 0, 0, FIRST_TICK + time * TICKS);
            script.records.push(Written { record, now: time, task });
        }
        script.last_time = Some(now);
        if let Some(last) = self.tickets.as_mut().filter(|_| record.code != code::CPU) {
            *last += 1;
            script.records.push(Written { record: Record::ticket(*last, now), now, task });
        }
        script.records.push(Written { record, now, task });
    }

    /// The bytes of the trace of a process that has ended.
    pub fn build(&self) -> Vec<u8> {
        let mut bytes = vec![0; PAGE];
        let room = self.chunk_pages as usize * PAGE - chunk::CONTENTS;
        self.write_definitions(&mut bytes);
        for (thread, script) in self.threads.iter().enumerate() {
            for (index, records) in script.records.chunks(room / RECORD_SIZE).enumerate() {
                let contents: Vec<u8> = records.iter().flat_map(|it| it.record.to_bytes()).collect();
                let (first, thread) = (records[0], thread as u32 + 1);
                write_chunk(
                    &mut bytes,
                    [chunk::EVENTS, thread, index as u32, first.task.0],
                    first.now,
                    &contents,
                );
            }
        }
        let pages = (bytes.len() / PAGE) as u32;
        bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        let mut put =
            |offset: usize, value: &[u8]| bytes[offset..offset + value.len()].copy_from_slice(value);
        put(header::VERSION, &VERSION.to_le_bytes());
        put(header::PID, &1_u32.to_le_bytes());
        put(header::TICKS, &FIRST_TICK.to_le_bytes());
        put(header::CAP_PAGES, &pages.to_le_bytes());
        put(header::NEXT_PAGE, &pages.to_le_bytes());
        put(header::LOST, &lost::NOTHING.to_le_bytes());
        put(header::FINISHED, &1_u32.to_le_bytes());
        put(header::TICKETED, &u32::from(self.tickets.is_some()).to_le_bytes());
        let last = self.now.max(1);
        put(header::CALIBRATION, &(FIRST_TICK + last * TICKS).to_le_bytes());
        put(header::CALIBRATION + 8, &last.to_le_bytes());
        bytes
    }

    /// One chunk, as long as it has to be.
    fn write_definitions(&self, bytes: &mut Vec<u8>) {
        // They end with a zero length.
        let contents = [&self.definitions[..], &[0; 8]].concat();
        write_chunk(bytes, [chunk::DEFINITIONS, 0, 0, 0], 0, &contents);
    }
}

/// The record of an argument. A variant has no number of its own, a group is that of a task, and both are absent.
fn argument_record(index: u32, value: Value) -> Record {
    let (tag, order16, value) = match value {
        Value::Absent | Value::Symbol(_) | Value::Group(_) => (argument::ABSENT, 0, 0),
        Value::Int(number) => (argument::INT, 0, number as u64),
        Value::Bool(truth) => (argument::BOOL, 0, u64::from(truth)),
        Value::Str(id) => (argument::TEXT, 0, u64::from(id.0)),
        Value::Object(sort, id) => (argument::OBJECT, argument::bits_of(sort), u64::from(id)),
    };
    Record { order16, ..Record::wide(code::ARGUMENT, tag, index, value) }
}

/// Appends a chunk; its header begins with type, thread, number and task.
fn write_chunk(bytes: &mut Vec<u8>, [kind, thread, index, task]: [u32; 4], now: u64, contents: &[u8]) {
    let size = (chunk::CONTENTS + contents.len()).next_multiple_of(PAGE);
    let at = bytes.len();
    bytes.resize(at + size, 0);
    let mut put = |offset: usize, value: &[u8]| bytes[at + offset..][..value.len()].copy_from_slice(value);
    put(chunk::MAGIC, &chunk::CHUNK_MAGIC.to_le_bytes());
    put(chunk::TYPE, &kind.to_le_bytes());
    put(chunk::PAGES, &((size / PAGE) as u32).to_le_bytes());
    put(chunk::THREAD, &thread.to_le_bytes());
    put(chunk::INDEX, &index.to_le_bytes());
    put(chunk::TASK, &task.to_le_bytes());
    put(chunk::TICKS, &(FIRST_TICK + now * TICKS).to_le_bytes());
    put(chunk::NANOS, &now.to_le_bytes());
    put(chunk::CONTENTS, contents);
}
