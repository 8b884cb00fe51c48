//! What each thread knows of itself.

mod atomics;

use core::cell::Cell;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::Loc;
use crate::enforcement::Stop;
use crate::rest::{self, Rest};

pub(crate) use atomics::{Look, RecentAtomics};

/// [`State::at_work`] while the program is at work. The only state in which hooks record.
pub(crate) const PROGRAM: u8 = 0;

/// Whose panic it is that goes through a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PanicOf {
    /// Nothing is known of it.
    Anybody,
    /// It arose in the program's own code, as far as the place tells.
    PlaceOfProgram,
    /// The program's: it came through a callback, or stops the program.
    Program,
}

/// The state of one thread. It has no destructor, so that it can be used as long as the thread runs any code.
pub(crate) struct State {
    /// Where its next record goes.
    pub(crate) position: Cell<*mut u64>,
    /// Where its chunk ends.
    pub(crate) end: Cell<*mut u64>,
    /// 0 until it is registered.
    pub(crate) id: Cell<u32>,
    /// The system's number of the thread.
    pub(crate) system_id: Cell<u32>,
    /// How many chunks it has taken.
    pub(crate) chunks: Cell<u32>,
    /// Whose work it does, see [`crate::at_work`].
    pub(crate) at_work: AtomicU8,
    /// The task that stands for the thread itself.
    pub(crate) own_task: Cell<u32>,
    /// The test that it belongs to, or 0.
    pub(crate) unit: Cell<u32>,
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
    /// What may wake it is not even a hook's.
    pub(crate) foreign: Cell<bool>,
    /// The clones of the waker of the innermost task that is being polled: a [`crate::waker::Shared`], of which this room knows no more.
    pub(crate) clones: Cell<Option<NonNull<()>>>,
    /// How many futures with a limit of time are being polled, each inside the other.
    pub(crate) limits: Cell<u32>,
    /// Site of the panic that the thread's panic hook saw last.
    pub(crate) panic_site: Cell<u32>,
    /// Whose panic that is.
    pub(crate) panic_of: Cell<PanicOf>,
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
    /// What the unit that acts has left behind; `None` for what belongs to no test.
    pub(crate) rest: Cell<Option<&'static Rest>>,
    /// The task that blocks this thread now and is counted as one that waits; 0 if there is none.
    pub(crate) waiting: Cell<u32>,
    /// How many initialisers of statics it runs, each inside the other.
    pub(crate) statics: Cell<u32>,
    /// The atomics that it used last.
    pub(crate) atomics: RecentAtomics,
}

thread_local! {
    static STATE: State = const {
        State {
            position: Cell::new(core::ptr::null_mut()),
            end: Cell::new(core::ptr::null_mut()),
            id: Cell::new(0),
            system_id: Cell::new(0),
            chunks: Cell::new(0),
            at_work: AtomicU8::new(PROGRAM),
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
            foreign: Cell::new(false),
            clones: Cell::new(None),
            limits: Cell::new(0),
            panic_site: Cell::new(0),
            panic_of: Cell::new(PanicOf::Anybody),
            panic_ended_task: Cell::new(false),
            panic_at: Cell::new(0),
            unwinding: Cell::new(false),
            stop: Cell::new(core::ptr::null_mut()),
            dropping: Cell::new(0),
            rest: Cell::new(None),
            waiting: Cell::new(0),
            statics: Cell::new(0),
            atomics: RecentAtomics::NEW,
        }
    };
}

/// Runs `f` on this thread's state.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&State) -> R) -> R {
    STATE.with(f)
}

/// What the unit that acts on this thread has left behind.
pub(crate) fn rest() -> &'static Rest {
    with(|state| state.rest.get()).unwrap_or(&rest::PROCESS)
}

impl State {
    /// Whether hooks have nothing to record now.
    #[inline(always)]
    pub(crate) fn is_busy(&self) -> bool {
        self.at_work.load(Ordering::Relaxed) != PROGRAM
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
