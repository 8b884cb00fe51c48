//! The fast path: appending a record to the chunk of the thread.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;

use rvcheck_event::id::{TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, TaskKind, TestOutcome};
use rvcheck_event::record::{RECORD_SIZE, Record, code};
use rvcheck_event::trace::format::{PAGE, chunk};

use crate::ids::Ids;
use crate::output::{self, Span, Writer};
use crate::rest::Rest;
use crate::thread::{State, with};
use crate::{clock, schedule, settings, stop, switch, test_threads, tickets};

/// Sizes of a thread's first, second, … chunk in pages. Short-lived threads take little, busy ones grow quickly.
const PAGES: [u32; 4] = [1, 4, 16, 64];

/// What std calls the thread that runs `main`.
const MAIN: &str = "main";

static THREADS: Ids = Ids::new();
static UNITS: Ids = Ids::new();
/// Task ids are shared with `task`.
pub(crate) static TASKS: Ids = Ids::new();

/// How a thread that this runtime did not see being spawned came to record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It runs the program's own code from its beginning: `main`, or a test of libtest.
    Foreign,
    /// It belongs to a runtime, and runs tasks.
    Worker,
}

/// Is told while the process runs what it records. It does not record anything itself.
pub(crate) struct Follower {
    /// This task has recorded that.
    pub recorded: fn(Record, u32),
    /// The thread that is this task ends.
    pub thread_ends: fn(u32),
    /// The thread of the test ends.
    pub test_ends: fn(),
}

/// Who follows, from the beginning of the process on.
static FOLLOWER: OnceLock<Follower> = OnceLock::new();

/// Tells this one from now on. There is one at most.
pub(crate) fn follow(follower: Follower) {
    let _is_first = FOLLOWER.set(follower);
}

/// Is called on the thread of a test before it ends.
static BEFORE_TESTS_END: OnceLock<fn()> = OnceLock::new();

/// Calls this one from now on. There is one at most.
pub(crate) fn before_tests_end(call: fn()) {
    let _is_first = BEFORE_TESTS_END.set(call);
}

fn follower() -> Option<&'static Follower> {
    FOLLOWER.get()
}

thread_local! {
    /// Notices the end of a thread. Touched once, when the thread registers.
    static EXIT: Exit = const { Exit };
}

struct Exit;

impl Drop for Exit {
    fn drop(&mut self) {
        if switch::on() {
            if with(|state| state.is_test.get())
                && let Some(settles) = BEFORE_TESTS_END.get()
            {
                settles();
            }
            with(|state| {
                if state.is_test.get() {
                    let outcome =
                        if state.unwinding.get() { TestOutcome::Panicked } else { TestOutcome::Unknown };
                    // Others have gone on since the thread's last event. What they did comes before the end.
                    state.push(Record::wide(code::TIME, 0, 0, clock::ticks()));
                    state.push(Record::event(EventKind::TestEnd, outcome as u8, 0, state.unit.get(), 0));
                    test_threads::ends(state.system_id.get());
                    if let Some(it) = follower() {
                        (it.test_ends)();
                    }
                } else if state.system_id.get() != std::process::id()
                    && let Some(it) = follower()
                {
                    (it.thread_ends)(state.own_task.get());
                }
            });
        }
    }
}

/// The system's number of this thread; 0 where there is no telling. By it a child process says which thread started it.
fn system_id() -> u32 {
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        use core::ffi::c_long;
        // The C library has a function for this only since a few years.
        const GETTID: c_long = if cfg!(target_arch = "x86_64") { 186 } else { 178 };
        unsafe extern "C" {
            fn syscall(number: c_long, ...) -> c_long;
        }
        // SAFETY: the call takes no arguments and cannot fail.
        unsafe { syscall(GETTID) as u32 }
    }
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    0
}

/// Appends a record to this thread's stream.
#[inline]
pub(crate) fn push(record: Record) {
    with(|state| state.push(record));
}

/// The same for a record that takes its place in the order of an object. It is made when nothing can come between.
#[inline]
pub(crate) fn push_in_order(record: impl FnOnce() -> Record) {
    with(|state| state.push_in_order(record));
}

/// Appends records that belong together.
pub(crate) fn push_all(records: &[Record]) {
    with(|state| state.push_all(records));
}

impl State {
    /// Appends a record.
    #[inline]
    pub(crate) fn push(&self, record: Record) {
        self.push_in_order(|| record);
    }

    #[inline]
    fn push_in_order(&self, record: impl FnOnce() -> Record) {
        match switch::get() {
            switch::PLAIN => self.append(record),
            switch::OFF => {}
            _ => self.push_with_ticket(record()),
        }
    }

    fn push_all(&self, records: &[Record]) {
        match switch::get() {
            switch::PLAIN if self.is_busy() => self.misses(),
            switch::PLAIN => {
                self.register(Origin::Foreign);
                self.begin_work();
                self.append_all_here(records);
                self.end_work();
            }
            _ => records.iter().for_each(|it| self.push(*it)),
        }
    }

    /// Appends a record behind its ticket, and hands it over to the monitors, if there are any.
    #[cold]
    fn push_with_ticket(&self, record: Record) {
        if self.is_busy() {
            return self.misses();
        }
        if record.code == code::TIME {
            // Nobody else waits for it.
            return self.append(|| record);
        }
        self.register(Origin::Foreign);
        self.begin_work();
        let turn = stop::turn();
        let ticket = tickets::next(clock::nanos());
        self.append_here(ticket);
        self.append_here(record);
        schedule::recorded(record, self.acting());
        if let Some(it) = follower() {
            (it.recorded)(record, self.acting());
        }
        if let Some(turn) = turn {
            turn.step(self, ticket, record);
        }
        self.end_work();
    }

    /// Appends a record as it is.
    #[inline]
    fn append(&self, record: impl FnOnce() -> Record) {
        if self.is_busy() {
            return self.misses();
        }
        // The handler of a signal that arrives between two of these steps must not write to the same place.
        self.begin_work();
        let position = self.position.get();
        // Chunks are page-aligned, so this is also true at the end of a chunk, and before the first one.
        if position as usize & (PAGE - 1) == 0 {
            self.end_work();
            return self.append_at_page(record);
        }
        self.write(position, record());
        self.end_work();
    }

    #[inline]
    fn write(&self, position: *mut u64, record: Record) {
        // SAFETY: `position..+16` lies inside a chunk that only this thread writes. The code goes last.
        unsafe {
            position.add(1).write(record.value().to_le());
            AtomicU64::from_ptr(position).store(record.low().to_le(), Ordering::Release);
            self.position.set(position.byte_add(RECORD_SIZE));
        }
    }

    /// The slow path, once a page.
    #[cold]
    #[inline(never)]
    fn append_at_page(&self, record: impl FnOnce() -> Record) {
        self.register(Origin::Foreign);
        self.begin_work();
        self.append_here(record());
        self.end_work();
    }

    /// Appends records while a hook is at work.
    #[inline]
    fn append_all_here(&self, records: &[Record]) {
        let position = self.position.get();
        let behind = position as usize & (PAGE - 1);
        // At the beginning of a page, and before the first one, there is more to be done.
        if behind == 0 || behind + size_of_val(records) > PAGE {
            for record in records {
                self.append_here(*record);
            }
            return;
        }
        for record in records {
            self.write(self.position.get(), *record);
        }
    }

    /// Appends a record while a hook is at work. Takes a chunk if there is none left, and notes the time once a page.
    fn append_here(&self, record: Record) {
        let mut position = self.position.get();
        if position as usize & (PAGE - 1) == 0 {
            if position == self.end.get() {
                let Some(Span { first, end }) = self.take_chunk() else { return output::dropped(1) };
                self.end.set(end);
                position = first;
            }
            let ticks = clock::ticks();
            self.last_ticks.set(ticks);
            self.write(position, Record::wide(code::TIME, 0, 0, ticks));
            position = self.position.get();
        }
        self.write(position, record);
    }

    /// The thread's next chunk. Near the end of the file a small one may still fit.
    fn take_chunk(&self) -> Option<Span> {
        let index = self.chunks.get();
        let writer = Writer {
            kind: chunk::EVENTS,
            thread: self.id.get(),
            index,
            task: self.task.get(),
            system_thread: self.system_id.get(),
        };
        let largest = (index as usize).min(PAGES.len() - 1);
        let span = PAGES[..=largest].iter().rev().find_map(|pages| output::take(*pages, &writer))?;
        self.chunks.set(index + 1);
        Some(span)
    }

    /// Makes the thread known, if it is not yet.
    pub(crate) fn register(&self, origin: Origin) {
        if self.id.get() != 0 || self.is_busy() || !switch::on() {
            return;
        }
        self.begin_work();
        // The handler of a signal may have been quicker.
        let is_first = self.id.get() == 0;
        if is_first {
            self.register_here(origin);
        }
        self.end_work();
        if is_first && self.is_test.get() {
            self.push(Record::event(EventKind::TestBegin, 0, 0, self.unit.get(), 0));
        }
    }

    fn register_here(&self, origin: Origin) {
        self.id.set(THREADS.next());
        self.system_id.set(system_id());
        let named = |name: &str| {
            let mut kind = TaskKind::Thread;
            self.own_task.set(TASKS.next());
            let libtest = settings::get().is_some_and(|it| it.libtest);
            if origin == Origin::Foreign && libtest && !name.is_empty() && name != MAIN {
                kind = TaskKind::Test;
                self.is_test.set(true);
                self.unit.set(UNITS.next());
                self.rest.set(Some(Rest::of_test()));
                test_threads::begins(self.system_id.get());
                output::unit(UnitId(self.unit.get()), name);
            }
            let (id, task, unit) = (self.id.get(), self.own_task.get(), self.unit.get());
            output::thread(ThreadId(id), TaskId(task), UnitId(unit), kind, name);
        };
        if self.system_id.get() == std::process::id() {
            // Asking std for it may allocate.
            named(MAIN);
        } else {
            named(std::thread::current().name().unwrap_or(""));
        }
        EXIT.with(|_| ());
    }
}
