//! Timers of tasks: in a controlled run the real ones do not run.

use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Waker};
use std::collections::BTreeMap;
use std::time::Instant;

use super::deadline::{Deadline, LINGERS};
use super::parker::{Here, here};
use super::participant::Status;
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
    /// By when they are due, and their numbers.
    running: BTreeMap<(u64, u64), Running>,
    /// Those that end when the clock was chosen so often, whatever they wait for.
    lingering: Vec<((u64, u64), u64)>,
    /// How many there were.
    count: u64,
}

struct Running {
    deadline: Deadline,
    owner: usize,
    waker: Waker,
}

impl Timers {
    /// Whether the timer with this key does not run any more.
    fn has_ended(&self, key: (u64, u64)) -> bool {
        !self.running.contains_key(&key)
    }

    /// The earliest deadline.
    pub(super) fn next(&self) -> Option<Deadline> {
        self.running.first_key_value().map(|it| it.1.deadline)
    }
}

/// A timer of a task.
#[derive(Debug)]
pub struct Timer {
    location: Loc,
    is_polled: bool,
    /// Its task waits for nothing else.
    is_alone: bool,
    /// It lets others go on, and ends when the clock was chosen often.
    lingers: bool,
    /// When it is due, and its number, while it runs.
    running: Option<(u64, u64)>,
    /// Its end by the clock when it ran last, and when it was due.
    last: Option<(u64, u64)>,
}

impl Timer {
    /// One that was made at this place.
    #[inline]
    pub const fn new(location: Loc) -> Timer {
        Timer { location, is_polled: false, is_alone: false, lingers: false, running: None, last: None }
    }

    /// One that waits for what others do meanwhile, and does not wait for very many of their timers.
    pub fn lingering(location: Loc) -> Timer {
        let mut timer = Timer::new(location);
        timer.lingers = true;
        timer
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
        let at = clock::at(deadline);
        let place = site::of(self.location).id;
        let (is_over, old) = with(|control| {
            let owner = here(Here::holder)?;
            let due = match self.running {
                Some((due, _)) => due,
                None => control.timer_due(at, self.last),
            };
            self.last = Some((at, due));
            if due <= control.clock_time || self.running.is_some_and(|it| control.timers.has_ended(it)) {
                return Some((true, None));
            }
            if is_first && !self.is_alone {
                control.seen.limit(place);
            }
            let may_be_early = self.is_alone || control.early.contains(&place);
            let ticks = if self.lingers { control.ticks.saturating_add(LINGERS) } else { u64::MAX };
            let deadline = Deadline { at, due, ticks, may_be_early };
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
    /// When a timer is due that ends then by the clock, and whose last end was that, and due then. Those of an interval are due as far apart as
    /// they are.
    fn timer_due(&self, at: u64, last: Option<(u64, u64)>) -> u64 {
        let period = last.and_then(|(end, due)| Some((at.checked_sub(end)?, due)));
        match period.filter(|it| it.0 % TICK == 0) {
            Some((period, due)) => due.saturating_add(period),
            // Its own tick is over, and another one.
            None if at.saturating_add(2 * TICK) <= clock::now() => self.clock_time,
            None => self.due_at(at, TICK).max(self.clock_time.saturating_add(1)),
        }
    }

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
        let new = (deadline.due, timers.count);
        *key = Some(new);
        if deadline.ticks != u64::MAX {
            timers.lingering.push((new, deadline.ticks));
        }
        let running = Running { deadline, owner, waker: waker.clone() };
        timers.running.insert(new, running);
        None
    }

    /// Lets those whose time has come wake their tasks.
    pub(super) fn fire_timers(&mut self) {
        let (clock_time, ticks) = (self.clock_time, self.ticks);
        let Timers { running, lingering, .. } = &mut self.timers;
        let mut ended = Vec::new();
        while let Some(entry) = running.first_entry().filter(|it| it.key().0 <= clock_time) {
            ended.push(entry.remove());
        }
        lingering.retain(|(key, most)| {
            let lingers = *most > ticks;
            if !lingers {
                ended.extend(running.remove(key));
            }
            lingers
        });
        for Running { deadline, owner, waker } in ended {
            if deadline.due <= clock_time {
                self.over = self.over.max(deadline.at);
            }
            self.wakes.push(waker);
            if self.all[owner].status == Status::Suspended {
                self.ready(owner);
            }
        }
    }
}
