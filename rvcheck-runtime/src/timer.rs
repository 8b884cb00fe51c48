//! Timers that keep tasks waiting. They have no events of their own; the poll in which one was found running says so.

use core::marker::PhantomData;

use crate::{switch, thread};

/// A timer was polled and is running.
#[inline]
pub fn running() {
    if switch::on() {
        thread::with(|state| state.timer.set(true));
    }
}

/// While this lives, what is polled on this thread has a limit of time. It stays on its thread.
#[derive(Debug)]
pub struct Limit(PhantomData<*const ()>);

/// A future with a limit of time is about to be polled.
#[inline]
pub fn limit() -> Limit {
    thread::with(|state| state.limits.set(state.limits.get() + 1));
    Limit(PhantomData)
}

impl Drop for Limit {
    #[inline]
    fn drop(&mut self) {
        thread::with(|state| state.limits.set(state.limits.get().saturating_sub(1)));
    }
}

/// Whether what is being polled will not wait for ever.
#[inline]
pub(crate) fn is_limited() -> bool {
    thread::with(|state| state.limits.get() > 0)
}
