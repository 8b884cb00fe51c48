//! Tickets: where the tool asks for them, each record comes right after one that tells its place among the records of all threads.
//!
//! That costs a record and a shared counter for each event, so it is done only where somebody follows the program while it
//! runs: the monitors that stop it ([`crate::brake`]), or the tool itself.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rvcheck_event::record::Record;

static WANTED: AtomicBool = AtomicBool::new(false);
static LAST: AtomicU64 = AtomicU64::new(0);

/// From now on records have tickets. To be called before the first record.
pub(crate) fn begin() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Whether records have tickets. One relaxed load.
#[inline(always)]
pub(crate) fn wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// The next ticket, at this time in ns.
pub(crate) fn next(nanos: u64) -> Record {
    // What a thread has seen of others happened before what it does next, and so do their tickets.
    Record::ticket(LAST.fetch_add(1, Ordering::AcqRel) + 1, nanos)
}
