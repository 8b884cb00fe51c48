//! Timers of tasks: in a controlled run the real ones do not run.

use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Waker};
use std::time::Instant;

use super::parker::here;
use super::participant::Deadline;
use super::state::{Control, with};
use super::{clock, on};
use crate::{Loc, site};

/// The clock of a runtime stands still. Then timers are those of the runtime, which goes on to the next one by itself.
static IS_PAUSED: AtomicBool = AtomicBool::new(false);

/// The clock of a runtime stands still from now on, or goes on.
pub fn pause_time(is_paused: bool) {
    IS_PAUSED.store(is_paused, Ordering::Relaxed);
}

/// Whether timers of the acting participant are controlled.
pub fn has_timers() -> bool {
    on() && !IS_PAUSED.load(Ordering::Relaxed) && here(|it| it.polls.get())
}

/// What is awaited next is a timer alone.
pub(crate) fn awaits_timer() {
    here(|it| it.awaits_timer.set(true));
}

/// A timer that somebody waits for.
pub(super) struct Running {
    number: u64,
    deadline: Deadline,
    owner: usize,
    waker: Waker,
}

/// A timer of a task.
#[derive(Debug)]
pub struct Timer {
    location: Loc,
    is_polled: bool,
    /// Its task waits for nothing else.
    is_alone: bool,
    /// Its number while it runs, or 0.
    number: u64,
}

impl Timer {
    /// One that was made at this place.
    #[inline]
    pub const fn new(location: Loc) -> Timer {
        Timer { location, is_polled: false, is_alone: false, number: 0 }
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
        let is_over = is_first && deadline <= Instant::now();
        let at = clock::at(deadline);
        let place = site::of(self.location).id;
        let (is_over, old) = with(|control| {
            let owner = here(|it| it.holder())?;
            if is_over || at <= control.told {
                return Some((true, None));
            }
            let may_be_early = self.is_alone || control.early.contains(&place);
            let deadline = Deadline { at, may_be_early };
            Some((false, control.runs(&mut self.number, deadline, owner, waker)))
        })??;
        // Dropping a waker may run code of the program.
        drop(old);
        if is_over {
            self.stop();
        }
        Some(is_over)
    }

    fn stop(&mut self) {
        if self.number != 0 {
            let number = core::mem::take(&mut self.number);
            drop(with(|it| it.timer(number).map(|at| it.timers.swap_remove(at))));
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
    fn timer(&self, number: u64) -> Option<usize> {
        self.timers.iter().position(|it| it.number == number)
    }

    /// The timer of this number runs, or a new one; its waker before, if it had another one.
    fn runs(&mut self, number: &mut u64, deadline: Deadline, owner: usize, waker: &Waker) -> Option<Waker> {
        if let Some(at) = self.timer(*number) {
            let it = &mut self.timers[at];
            it.owner = owner;
            return (!it.waker.will_wake(waker)).then(|| core::mem::replace(&mut it.waker, waker.clone()));
        }
        self.now += 1;
        *number = self.now;
        self.timers.push(Running { number: self.now, deadline, owner, waker: waker.clone() });
        None
    }

    /// The earliest deadline of a timer.
    pub(super) fn next_timer(&self) -> Option<Deadline> {
        self.timers.iter().map(|it| it.deadline).min_by_key(|it| it.at)
    }

    /// Lets those whose time has come wake their tasks.
    pub(super) fn fire_timers(&mut self) {
        let mut at = 0;
        // In the order of their deadlines.
        self.timers.sort_by_key(|it| (it.deadline.at, it.number));
        while at < self.timers.len() && self.timers[at].deadline.at <= self.told {
            at += 1;
        }
        let fired: Vec<Running> = self.timers.drain(..at).collect();
        for Running { owner, waker, .. } in fired {
            self.wakes.push(waker);
            if self.all[owner].status == super::participant::Status::Suspended {
                self.ready(owner);
            }
        }
    }
}
