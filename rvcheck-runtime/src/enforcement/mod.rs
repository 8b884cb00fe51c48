//! The library with the monitors that can stop the program. It is loaded only where the tool asks for it.

mod library;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rvcheck_event::record::Record;
use rvcheck_event::remedy::Remedy;

use crate::memory::Text;
use library::Library;

static LIBRARY: OnceLock<Mutex<Library>> = OnceLock::new();

/// What a thread is to be stopped for.
pub(crate) struct Stop {
    /// The test that has violated the property.
    pub(crate) unit: u32,
    /// Where that happened.
    pub(crate) site: u32,
    pub(crate) property: Text,
    pub(crate) message: Text,
    /// The process is to be aborted; else the call panics.
    pub(crate) aborts: bool,
}

/// What was learnt of places.
pub(crate) struct Lesson {
    pub(crate) remedy: Remedy,
    pub(crate) places: [u32; 2],
    pub(crate) property: Text,
}

/// Loads the library at this path; `enforced` is the path of the file with the properties. An error in words if that fails.
pub(crate) fn load(path: &str, enforced: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(enforced).map_err(|error| error.to_string())?;
    let _ = LIBRARY.set(Mutex::new(library::load(path, &text)?));
    Ok(())
}

/// Hands over a definition, if anything can stop the program.
pub(crate) fn define(tag: u32, payload: &[u8]) {
    if let Some(mut library) = take() {
        library.define(tag, payload);
    }
}

/// The monitors, locked. While one thread has them, no record of another one gets a ticket.
pub(crate) struct Monitors(MutexGuard<'static, Library>);

fn take() -> Option<MutexGuard<'static, Library>> {
    LIBRARY.get().map(|it| it.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits for the monitors; `None` where nothing can stop the program.
#[inline]
pub(crate) fn lock() -> Option<Monitors> {
    take().map(Monitors)
}

/// The next of what was learnt.
pub(crate) fn next_lesson() -> Option<Lesson> {
    take()?.lesson()
}

impl Monitors {
    /// Hands over the record with its ticket. What the program is to be stopped for, if anything, and whether anything was learnt.
    pub(crate) fn step(mut self, thread: u32, ticket: Record, record: Record) -> (Option<Stop>, bool) {
        self.0.step(thread, ticket, record)
    }
}
