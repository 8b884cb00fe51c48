//! What each thread knows of itself, and the fast path: appending a record to the thread's chunk.

use core::cell::Cell;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use rvcheck_event::id::{TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, TaskKind, TestOutcome};
use rvcheck_event::record::{RECORD_SIZE, Record, code};
use rvcheck_event::trace::format::{PAGE, chunk};

use crate::atomic::Memory;
use crate::enforcement::{self, Stop};
use crate::output::{self, Ids, Span, Writer};
use crate::{Loc, at_work, clock, mode, start, steer, tickets};

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

/// The state of one thread. It has no destructor, so that it can be used as long as the thread runs any code.
pub(crate) struct State {
    position: Cell<*mut u64>,
    end: Cell<*mut u64>,
    id: Cell<u32>,
    /// The system's number of the thread.
    system_id: Cell<u32>,
    chunks: Cell<u32>,
    /// Whose work it does, see [`at_work`].
    pub(crate) at_work: AtomicU8,
    /// The task that stands for the thread itself.
    own_task: Cell<u32>,
    unit: Cell<u32>,
    pub(crate) is_test: Cell<bool>,
    /// The innermost task that is being polled, or 0.
    pub(crate) task: Cell<u32>,
    /// Full tick counter at the last time record.
    pub(crate) last_ticks: Cell<u64>,
    /// When, and at what reading, the thread's CPU time was last sampled.
    pub(crate) cpu_sample: Cell<(u64, u64)>,
    pub(crate) may_block: Cell<u32>,
    /// Where the program has called the library that is at work.
    pub(crate) behalf: Cell<Option<Loc>>,
    /// The innermost task that is being polled has found a timer running.
    pub(crate) timer: Cell<bool>,
    /// The innermost task that is being polled waits for something that is not recorded.
    pub(crate) unrecorded: Cell<bool>,
    /// How many futures with a limit of time are being polled, each inside the other.
    pub(crate) limits: Cell<u32>,
    /// Site of the panic that the thread's panic hook saw last.
    pub(crate) panic_site: Cell<u32>,
    /// That panic has left the task that it ended.
    pub(crate) panic_ended_task: Cell<bool>,
    /// The site of the panic that the recorder is about to begin, or 0.
    pub(crate) panic_at: Cell<u32>,
    /// A panic came up on this thread that nobody has caught so far.
    pub(crate) unwinding: Cell<bool>,
    /// What the last record is to stop the thread for; null if nothing.
    pub(crate) stop: Cell<*mut Stop>,
    /// How many tasks are being dropped, each inside the other.
    pub(crate) dropping: Cell<u32>,
    /// The atomics that it used last.
    pub(crate) atomics: Memory,
}

thread_local! {
    static STATE: State = const {
        State {
            position: Cell::new(core::ptr::null_mut()),
            end: Cell::new(core::ptr::null_mut()),
            id: Cell::new(0),
            system_id: Cell::new(0),
            chunks: Cell::new(0),
            at_work: AtomicU8::new(at_work::PROGRAM),
            own_task: Cell::new(0),
            unit: Cell::new(0),
            is_test: Cell::new(false),
            task: Cell::new(0),
            last_ticks: Cell::new(0),
            cpu_sample: Cell::new((0, 0)),
            may_block: Cell::new(0),
            behalf: Cell::new(None),
            timer: Cell::new(false),
            unrecorded: Cell::new(false),
            limits: Cell::new(0),
            panic_site: Cell::new(0),
            panic_ended_task: Cell::new(false),
            panic_at: Cell::new(0),
            unwinding: Cell::new(false),
            stop: Cell::new(core::ptr::null_mut()),
            dropping: Cell::new(0),
            atomics: Memory::NEW,
        }
    };
    /// Tells the end of a thread. Touched once, when the thread registers.
    static EXIT: Exit = const { Exit };
}

struct Exit;

impl Drop for Exit {
    fn drop(&mut self) {
        if start::on() {
            with(|state| {
                if state.is_test.get() {
                    let outcome =
                        if state.unwinding.get() { TestOutcome::Panicked } else { TestOutcome::Unknown };
                    state.push(Record::event(EventKind::TestEnd, outcome as u8, 0, state.unit.get(), 0));
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

/// Runs `f` on this thread's state.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&State) -> R) -> R {
    STATE.with(f)
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
        match mode::get() {
            mode::PLAIN => self.append(record),
            mode::OFF => {}
            _ => self.push_with_ticket(record()),
        }
    }

    fn push_all(&self, records: &[Record]) {
        match mode::get() {
            mode::PLAIN if self.is_busy() => self.misses(),
            mode::PLAIN => {
                self.register(Origin::Foreign);
                self.begin_work();
                for record in records {
                    self.append_here(*record);
                }
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
        let turn = enforcement::turn();
        let ticket = tickets::next(clock::nanos());
        self.append_here(ticket);
        self.append_here(record);
        steer::recorded(record, self.acting());
        if let Some(turn) = turn {
            turn.step(self.id.get(), ticket, record, &self.stop);
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
        if self.id.get() != 0 || self.is_busy() || !start::on() {
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
            let libtest = start::settings().is_some_and(|it| it.libtest);
            if origin == Origin::Foreign && libtest && !name.is_empty() && name != MAIN {
                kind = TaskKind::Test;
                self.is_test.set(true);
                self.unit.set(UNITS.next());
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

    /// How far the thread is with its records, if stores into atomics do not count. Only good for asking whether that is where it was.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.atomics.mark(self.position.get().addr())
    }

    /// Whether what the thread does to atomics now is the program's doing and can be recorded.
    #[inline]
    pub(crate) fn may_follow(&self) -> bool {
        self.id.get() != 0 && !self.is_busy()
    }

    /// The task that acts now.
    pub(crate) fn acting(&self) -> u32 {
        if self.task.get() != 0 { self.task.get() } else { self.own_task.get() }
    }
}
