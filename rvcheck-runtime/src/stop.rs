//! Stopping the program where a property with `on_violation = "stop"` is violated.
//!
//! Each record is handed over to the monitors under one lock, right after its ticket was taken, and before the hook returns. What
//! they object to is noted in the thread, and the hook ends with [`point`] where it is allowed to unwind. So the lock is free when
//! the panic begins.

use core::cell::Cell;
use core::marker::PhantomData;
use std::io::Write;

use rvcheck_event::record::Record;

use crate::enforcement::{self, Monitors, Stop};
use crate::thread::{self, State};
use crate::{at_work, learnt, memory, output, tickets};

/// The turn of this thread: no record of another one has a ticket between the one that is taken now and the step.
pub(crate) struct Turn(Monitors);

/// Waits for the turn; `None` where nothing can stop the program.
#[inline]
pub(crate) fn turn() -> Option<Turn> {
    enforcement::lock().map(Turn)
}

impl Turn {
    /// Hands over a record of this thread with its ticket, and ends the turn. A violation that aborts the process does so here; any
    /// other is noted.
    pub(crate) fn step(self, state: &State, ticket: Record, record: Record) {
        forget(&state.stop);
        let (stop, has_learnt) = self.0.step(state.id.get(), ticket, record);
        // The monitors are free again: what is written of it goes to them, too.
        while let Some(lesson) = has_learnt.then(enforcement::next_lesson).flatten() {
            learnt::learn(lesson.remedy, &lesson.property, lesson.places, None);
        }
        let Some(stop) = stop else { return };
        if stop.aborts {
            output::stop(stop.unit, true, &stop.property);
            // What libtest keeps of a test's output ends with the process.
            let _ = writeln!(std::io::stderr(), "{}", &*stop.message);
            std::process::abort();
        }
        state.stop.set(memory::into_raw(stop));
    }
}

/// What was noted of an event at which the program cannot be stopped is only reported.
fn forget(noted: &Cell<*mut Stop>) {
    drop(taken(noted));
}

fn taken(noted: &Cell<*mut Stop>) -> Option<Stop> {
    let stop = noted.replace(core::ptr::null_mut());
    // SAFETY: it was put there by `step`, and nobody else has it now.
    (!stop.is_null()).then(|| unsafe { memory::from_raw(stop) })
}

/// The end of a hook that may unwind: if the event that it has just recorded violates a property, the call panics, unless the
/// thread is unwinding already or drops a task.
#[inline]
pub(crate) fn point() {
    if tickets::wanted() {
        stop_if_noted();
    }
}

/// While this lives, a destructor is at work on this thread, and nothing stops it. It stays on its thread.
#[derive(Debug)]
pub struct Dropping(PhantomData<*const ()>);

/// A destructor begins to do what may be recorded.
#[inline]
pub fn dropping() -> Dropping {
    thread::with(|state| state.dropping.set(state.dropping.get() + 1));
    Dropping(PhantomData)
}

impl Drop for Dropping {
    #[inline]
    fn drop(&mut self) {
        thread::with(|state| state.dropping.set(state.dropping.get() - 1));
    }
}

#[cold]
#[inline(never)]
fn stop_if_noted() {
    if thread::with(|state| !state.stop.get().is_null()) {
        stop_here();
    }
}

fn stop_here() {
    let stop = thread::with(|state| {
        let stop = taken(&state.stop);
        stop.filter(|_| state.dropping.get() == 0 && !std::thread::panicking())
    });
    if let Some(stop) = stop {
        if let Some(_at_work) = at_work::enter() {
            output::stop(stop.unit, false, &stop.property);
        }
        learnt::refused(stop.site);
        thread::with(|state| state.panic_at.set(stop.site));
        let message = stop.message;
        panic!("{}", &*message);
    }
}
