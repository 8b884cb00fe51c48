//! Timers of tasks: in a controlled run the real ones do not run.

use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Waker};
use std::collections::BTreeMap;
use std::time::Instant;

use super::parker::{Here, here};
use super::participant::{Deadline, Status};
use super::state::{Control, with};
use super::{clock, on};
use crate::{Loc, site};

/// The clock of a runtime stands still. Then timers are those of the runtime, which goes on to the next one by itself.
static IS_PAUSED: AtomicBool = AtomicBool::new(false);

/// The clock of a runtime stands still from now on, or goes on.
pub fn pause_time(is_paused: bool) {
    IS_PAUSED.store(is_paused, Ordering::Relaxed);
}

/// Whether the clock of a runtime stands still.
pub(super) fn is_paused() -> bool {
    IS_PAUSED.load(Ordering::Relaxed)
}

/// Whether timers of the acting participant are controlled.
pub fn has_timers() -> bool {
    on() && !is_paused() && here(|it| it.polls.get())
}

/// What is awaited next is a timer alone.
pub(crate) fn awaits_timer() {
    here(|it| it.awaits_timer.set(true));
}

/// Timers of tokio come at whole milliseconds, and at once only where that was over before.
const TICK: u64 = 1_000_000;

/// The timers that somebody waits for.
#[derive(Default)]
pub(super) struct Timers {
    /// By their deadlines and numbers.
    running: BTreeMap<(u64, u64), Running>,
    /// How many there were.
    count: u64,
}

struct Running {
    may_be_early: bool,
    owner: usize,
    waker: Waker,
}

impl Timers {
    /// The earliest deadline.
    pub(super) fn next(&self) -> Option<Deadline> {
        let ((at, _), running) = self.running.first_key_value()?;
        Some(Deadline { at: *at, may_be_early: running.may_be_early })
    }
}

/// A timer of a task.
#[derive(Debug)]
pub struct Timer {
    location: Loc,
    is_polled: bool,
    /// Its task waits for nothing else.
    is_alone: bool,
    /// Its deadline and number while it runs.
    running: Option<(u64, u64)>,
}

impl Timer {
    /// One that was made at this place.
    #[inline]
    pub const fn new(location: Loc) -> Timer {
        Timer { location, is_polled: false, is_alone: false, running: None }
    }

    /// It has another deadline from now on.
    #[inline]
    pub fn reset(&mut self) {
        self.stop();
        self.is_polled = false;
    }

    /// Whether it was polled since then.
    pub const fn is_polled(&self) -> bool {
        self.is_polled
    }

    /// The timer is polled: whether its time has come. `None` if timers are not controlled.
    #[inline]
    pub fn poll(&mut self, deadline: Instant, context: &Context<'_>) -> Option<bool> {
        if has_timers() { self.poll_controlled(deadline, context.waker()) } else { None }
    }

    #[cold]
    fn poll_controlled(&mut self, deadline: Instant, waker: &Waker) -> Option<bool> {
        let is_first = !core::mem::replace(&mut self.is_polled, true);
        if is_first {
            self.is_alone = here(|it| it.awaits_timer.replace(false));
        }
        let at = clock::at(deadline).next_multiple_of(TICK);
        let is_over = is_first && at.saturating_add(TICK) <= clock::now();
        let place = site::of(self.location).id;
        let (is_over, old) = with(|control| {
            let owner = here(Here::holder)?;
            if is_over || at <= control.told {
                return Some((true, None));
            }
            if is_first && !self.is_alone {
                control.seen.limit(place);
            }
            let may_be_early = self.is_alone || control.early.contains(&place);
            let deadline = Deadline { at, may_be_early };
            Some((false, control.runs(&mut self.running, deadline, owner, waker)))
        })??;
        // Dropping a waker may run code of the program.
        drop(old);
        if is_over {
            self.stop();
        }
        Some(is_over)
    }

    fn stop(&mut self) {
        if let Some(key) = self.running.take() {
            drop(with(|it| it.timers.running.remove(&key)));
        }
    }
}

impl Drop for Timer {
    #[inline]
    fn drop(&mut self) {
        self.stop();
    }
}

impl Control {
    /// The timer runs that is kept by this key, or a new one; its waker before, if it had another one.
    fn runs(
        &mut self,
        key: &mut Option<(u64, u64)>,
        deadline: Deadline,
        owner: usize,
        waker: &Waker,
    ) -> Option<Waker> {
        let timers = &mut self.timers;
        if let Some(it) = key.and_then(|key| timers.running.get_mut(&key)) {
            it.owner = owner;
            return (!it.waker.will_wake(waker)).then(|| core::mem::replace(&mut it.waker, waker.clone()));
        }
        timers.count += 1;
        let new = (deadline.at, timers.count);
        *key = Some(new);
        let running = Running { may_be_early: deadline.may_be_early, owner, waker: waker.clone() };
        timers.running.insert(new, running);
        None
    }

    /// Lets those whose time has come wake their tasks.
    pub(super) fn fire_timers(&mut self) {
        while let Some(entry) = self.timers.running.first_entry().filter(|it| it.key().0 <= self.told) {
            let Running { owner, waker, .. } = entry.remove();
            self.wakes.push(waker);
            if self.all[owner].status == Status::Suspended {
                self.ready(owner);
            }
        }
    }
}
