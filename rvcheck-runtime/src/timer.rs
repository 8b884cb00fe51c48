//! Timers that keep tasks waiting. They have no events of their own; the poll in which one was found running says so.

use crate::{start, thread};

/// A timer was polled and is running.
#[inline]
pub fn running() {
    if start::on() {
        thread::with(|state| state.timer.set(true));
    }
}
