//! Deadlines, by a time in which steps take none.
//!
//! The clock that the program reads goes on while it computes, and how fast it computes differs from run to run. If that decided which of two waits
//! ends first, the same plan would not make the same run again. So a wait is due as long after the time for which the clock was chosen last as the
//! program lets it take. When it is due, the clock is put forward to its end, so that nobody sees it end early.

use std::time::Instant;

use super::clock;
use super::state::Control;

/// How often the clock is chosen at most before somebody goes on who lingers: some threads sleep a little, again and again, for as long as the
/// process lives.
pub(super) const LINGERS: u64 = 256;

/// A time that ends a wait.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    /// By the clock, in ns since the run began.
    pub(super) at: u64,
    /// When the clock is chosen for it.
    pub(super) due: u64,
    /// It ends before that when the clock has been chosen so often.
    pub(super) ticks: u64,
    /// It may come before others go on who could: the wait is for nothing else, or the plan says so.
    pub(super) may_be_early: bool,
}

impl Deadline {
    /// Whether it has come.
    pub(super) const fn has_come(&self, clock_time: u64, ticks: u64) -> bool {
        self.due <= clock_time || self.ticks <= ticks
    }
}

impl Control {
    /// When a wait is due that begins now and ends then by the clock, in whole ticks of so many ns.
    pub(super) fn due_at(&self, at: u64, tick: u64) -> u64 {
        let rounded = |time: u64| time.checked_next_multiple_of(tick).unwrap_or(u64::MAX);
        if self.steps_take_time() {
            return rounded(at);
        }
        // By the same clock as the end, which may be a little ahead of that of the run.
        let left = at.saturating_sub(clock::at(Instant::now()));
        self.clock_time.saturating_add(rounded(left))
    }

    /// When a wait is due that begins now and takes so many ns.
    pub(super) fn due_after(&self, nanos: u64) -> u64 {
        let begins = if self.steps_take_time() { clock::now() } else { self.clock_time };
        begins.saturating_add(nanos)
    }

    /// The plan asks what happens where they do.
    const fn steps_take_time(&self) -> bool {
        self.pace != 0
    }
}
