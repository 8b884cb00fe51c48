//! Offloading: tasks that block their thread are polled on the threads for blocking work.
//!
//! The shim of a runtime asks here before it spawns, and does the rest itself: only it knows where blocking work is done.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rvcheck_event::id::TaskId;
use rvcheck_event::remedy::Remedy;

use super::{at_place, since};
use crate::learnt::{Number, any};
use crate::memory::List;
use crate::{Loc, at_work, clock};

/// How long whoever drops a task waits for the end of a poll that is under way.
const TIMEOUT: Duration = Duration::from_secs(1);

/// A task is to be offloaded. Counts how often it was, and what that costs.
#[derive(Clone, Copy, Debug)]
pub struct Offload(Number);

/// Whether a task that is spawned here is to be offloaded.
#[inline]
#[must_use]
pub fn offload(location: Loc) -> Option<Offload> {
    if any() { learnt(location) } else { None }
}

#[cold]
#[inline(never)]
fn learnt(location: Loc) -> Option<Offload> {
    let number = at_place(location, Remedy::Offload)?;
    number.applied(0);
    Some(Offload(number))
}

impl Offload {
    /// ns since recording began.
    #[must_use]
    pub fn now() -> u64 {
        clock::nanos()
    }

    /// The task was on its way to another thread, or back, since that time.
    pub fn was_on_its_way(self, since_then: u64) {
        self.0.kept(since(since_then));
    }
}

/// Whether an offloaded task is being polled, and whether it may be.
///
/// A runtime that ends, or drops a task that was aborted, would otherwise wait for the end of the poll, since that is on one of its threads.
/// What the poll uses of the runtime has to be there until then.
#[derive(Debug)]
pub struct Polling {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It may be polled.
    Rests,
    /// It is being polled.
    Polled,
    /// Nobody has the task any more.
    Dropped,
}

impl Default for Polling {
    fn default() -> Polling {
        Polling { state: Mutex::new(State::Rests), changed: Condvar::new() }
    }
}

impl Polling {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A poll begins, and ends where the result is dropped. `None` if the task was dropped before.
    #[must_use]
    pub fn begin(&self) -> Option<PollUnderWay<'_>> {
        let mut state = self.state();
        if *state == State::Dropped {
            return None;
        }
        *state = State::Polled;
        Some(PollUnderWay(self))
    }

    /// The task is dropped. If it is being polled, waits for the end of that, but not for ever. Where that was not the end, a panic of the
    /// poll is no failure of the task: what it needs may be gone.
    pub fn dropped(&self, task: TaskId) {
        let state = self.state();
        let is_polled = |state: &mut State| *state == State::Polled;
        let waited = self.changed.wait_timeout_while(state, TIMEOUT, is_polled);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *state == State::Polled {
            abandon(task.0);
        }
        *state = State::Dropped;
    }
}

/// See [`Polling::begin`].
#[derive(Debug)]
pub struct PollUnderWay<'a>(&'a Polling);

impl Drop for PollUnderWay<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if *state == State::Polled {
            *state = State::Rests;
            self.0.changed.notify_all();
        }
    }
}

/// The tasks that were dropped while they were polled, until they have ended.
static ABANDONED: Mutex<List<u32>> = Mutex::new(List::new());
/// How many there are, so that others need not look.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn abandoned() -> MutexGuard<'static, List<u32>> {
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn abandon(task: u32) {
    let Some(_at_work) = at_work::enter() else { return };
    let mut all = abandoned();
    all.push(task);
    COUNT.store(all.len(), Ordering::Relaxed);
}

/// Whether a task that ends now was dropped while it was polled.
pub(crate) fn was_abandoned(task: u32) -> bool {
    COUNT.load(Ordering::Relaxed) != 0 && took(task)
}

#[cold]
#[inline(never)]
fn took(task: u32) -> bool {
    let Some(_at_work) = at_work::enter() else { return false };
    let mut all = abandoned();
    let Some(at) = all.iter().position(|it| *it == task) else { return false };
    all.swap_remove(at);
    COUNT.store(all.len(), Ordering::Relaxed);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn who_drops_a_task_waits_for_its_poll_and_no_other_begins() {
        let polling = Polling::default();
        let (begun, was_begun) = mpsc::channel();
        let ended = Mutex::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let poll = polling.begin().expect("it is there");
                begun.send(()).expect("somebody waits");
                std::thread::sleep(Duration::from_millis(20));
                *ended.lock().expect("nobody panics") = true;
                drop(poll);
            });
            was_begun.recv().expect("it is polled");
            polling.dropped(TaskId(7));
            assert!(*ended.lock().expect("nobody panics"));
        });
        assert!(polling.begin().is_none());
        assert!(!was_abandoned(7));
    }
}
