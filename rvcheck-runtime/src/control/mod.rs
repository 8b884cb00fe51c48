//! Control: one participant of the process at a time goes on, and a plan says who.
//!
//! The tool asks for this when it explores a test: it runs the test again and again, each time in a process of its own, under another
//! schedule. Threads, tasks and blocking tasks are participants. Each asks before a visible operation and where it would wait, and goes on
//! when it has the turn.
//!
//! * A thread never waits inside a real call. It tries, and when it finds the object taken it gives the turn away, until somebody has
//!   changed the object; then it tries again ([`retry`]). So what is done stays what the real primitive does.
//! * A task is polled when it is its turn. Its wakers only say that it is ready; that of its executor is called when it is chosen
//!   (`tasks`). A task that is polled otherwise suspends at once.
//! * Time is a participant. It goes on when nobody else can, to the earliest deadline that somebody waits for (`clock`,
//!   `deadline`, `timers`).
//! * What is random is decided by the seed of the plan (`entropy`).
//! * All threads have one processor, since one of them at a time goes on (`processor`).
//! * What cannot be controlled (sockets, files, threads of others) is *outside*: the turn passes on, and who comes back waits for it. A
//!   thread that waits where no hook is is found by `watch`.
//! * Who goes on is decided in `deciding`: by a line of the plan, else by its strategy, else by the default order.
//!
//! All of this happens in the order that the documentation of the operations allows. Nothing is made up: no operation fails, panics or is
//! cancelled that would not do so under some schedule of the real program. There is one liberty: a runtime on one thread gets several
//! ([`widens`]), as if its tasks ran in another one. The design follows Fray (Li et al., OOPSLA 2025), which asks before each operation of
//! the real primitives, and adds the gates of tasks.
//!
//! `README.md` beside this file has the whole picture, and where something new goes.

mod clock;
mod deadline;
mod deciding;
mod driving;
mod ending;
mod entropy;
mod handover;
mod joining;
mod lives;
pub mod meeting;
mod numbers;
mod outside;
mod parker;
mod parking;
mod participant;
mod partner;
mod points;
mod processor;
mod random;
mod recorded;
mod roster;
mod seen;
mod state;
mod strategy;
mod tasks;
mod timers;
mod times;
mod waiting;
mod watch;

use core::sync::atomic::{AtomicBool, Ordering};

use rvcheck_event::exploration::plan::Plan;

use crate::stream::{self, Follower};
use crate::tickets;

pub(crate) use driving::{Hosting, host};
pub use driving::{drive, drive_until, driving, serves};
pub(crate) use ending::ended;
pub use entropy::random_below;
pub use joining::{RealJoin, first_ended, has_ended, join, join_scope, real_join, scoped, wait_for_blocking};
pub(crate) use joining::{detached, joins};
pub(crate) use lives::{end, gone, spawned, start};
pub use outside::{Leaves, Left, Returns, outside};
pub(crate) use outside::{blocked, leave};
pub use parking::park;
pub use partner::Partner;
pub use points::{asks, changed, tried, tries, trying, yields};
pub(crate) use points::{
    before, before_abort, before_atomic, before_call, changed_atomic, fails_spuriously, looked,
};
pub(crate) use recorded::signalled;
pub(crate) use tasks::{Gate, before_drop, before_poll};
pub use tasks::{given_executor, on_executor, polls_locals, yields_in_poll};
pub(crate) use timers::awaits_timer;
pub use timers::{Timer, has_timers, pause_time};
pub use times::{after, instant_of};
pub(crate) use waiting::linger;
pub use waiting::{
    Retried, Waited, has_come, has_waiting_writer, is_alone, retry, retry_any, retry_until, sleep,
    wait_for_signal, waiters, waiting, waiting_to_write, waiting_until,
};

/// A run is controlled.
static ON: AtomicBool = AtomicBool::new(false);

/// Runtimes on one thread stay there.
static IS_NARROW: AtomicBool = AtomicBool::new(false);

/// How many threads poll the tasks of a runtime of which the program does not say how many it has.
pub const WORKERS: usize = 4;

/// Whether the tasks of a runtime on one thread are polled by [`WORKERS`] threads, as in another runtime that they may run in.
pub fn widens() -> bool {
    on() && !IS_NARROW.load(Ordering::Relaxed)
}

/// Whether this run is controlled.
#[inline(always)]
pub fn on() -> bool {
    tickets::wanted() && ON.load(Ordering::Relaxed)
}

/// Controls this process from now on, by the plan in one file, and tells what came of it in another one. An error in words if the plan
/// cannot be read.
pub(crate) fn begin(plan: &str, outcome: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(plan).map_err(|error| error.to_string())?;
    let plan = Plan::read(&text)?;
    IS_NARROW.store(plan.is_narrow, Ordering::Relaxed);
    entropy::seed(plan.seed);
    processor::take_one();
    clock::begin();
    ending::begin(outcome);
    state::install(plan);
    stream::follow(Follower {
        recorded: recorded::recorded,
        thread_ends: lives::thread_ends,
        test_ends: ending::ended,
    });
    ON.store(true, Ordering::Release);
    watch::begin();
    Ok(())
}
