//! Stopping the program where a property with `on_violation = "stop"` is violated.
//!
//! The monitors are in a library that is loaded only where the tool asks for it. Each record is handed over under one lock, right
//! after its ticket was taken, and before the hook returns. What the monitors object to is noted in the thread, and the hook ends
//! with [`point`] where it is allowed to unwind. So the lock is free when the panic begins.

mod library;

use core::cell::Cell;
use core::marker::PhantomData;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rvcheck_event::record::Record;

use crate::memory::{self, Text};
use crate::{at_work, output, thread, tickets};
use library::{End, Library};

static ENFORCEMENT: OnceLock<Mutex<Library>> = OnceLock::new();

/// What a thread is to be stopped for.
pub(crate) struct Stop {
    unit: u32,
    /// Where that happened.
    site: u32,
    property: Text,
    message: Text,
}

/// Loads the library at this path; `orders` is the path of the file with what it is to watch. An error in words if that fails.
pub(crate) fn load(path: &str, orders: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(orders).map_err(|error| error.to_string())?;
    let _ = ENFORCEMENT.set(Mutex::new(library::load(path, &text)?));
    Ok(())
}

/// Hands over a definition, if anything can stop the program.
pub(crate) fn define(tag: u32, payload: &[u8]) {
    if let Some(mut library) = take() {
        library.define(tag, payload);
    }
}

/// The turn of this thread: no record of another one has a ticket between the one that is taken now and the step.
pub(crate) struct Turn(MutexGuard<'static, Library>);

fn take() -> Option<MutexGuard<'static, Library>> {
    ENFORCEMENT.get().map(|it| it.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits for the turn; `None` where nothing can stop the program.
#[inline]
pub(crate) fn turn() -> Option<Turn> {
    take().map(Turn)
}

impl Turn {
    /// Hands over the record with its ticket, and ends the turn. A violation that aborts the process does so here; any other is noted in `noted`.
    pub(crate) fn step(mut self, thread: u32, ticket: Record, record: Record, noted: &Cell<*mut Stop>) {
        forget(noted);
        let Some((end, found)) = self.0.step(thread, ticket, record) else { return };
        let (property, message) = found.texts();
        let stop = Stop { unit: found.unit, site: record.site, property, message };
        drop(self);
        if end == End::Abort {
            output::stop(stop.unit, true, &stop.property);
            // What libtest keeps of a test's output ends with the process.
            let _ = writeln!(std::io::stderr(), "{}", &*stop.message);
            std::process::abort();
        }
        noted.set(memory::into_raw(stop));
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
        thread::with(|state| state.panic_at.set(stop.site));
        let message = stop.message;
        panic!("{}", &*message);
    }
}
