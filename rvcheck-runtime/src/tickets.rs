//! Tickets: where the tool asks for them, each record comes right after one that tells its place among the records of all threads.
//!
//! That costs a record and a shared counter for each event, so it is done only where somebody follows the program while it
//! runs: the monitors that stop it ([`crate::enforcement`]), or the tool itself.

use core::sync::atomic::{AtomicU64, Ordering};

use rvcheck_event::record::Record;

use crate::switch;

static LAST: AtomicU64 = AtomicU64::new(0);

/// Whether records have tickets.
#[inline(always)]
pub(crate) fn wanted() -> bool {
    switch::has_tickets()
}

/// The next ticket, at this time in ns.
pub(crate) fn next(nanos: u64) -> Record {
    // What a thread has seen of others happened before what it does next, and so do their tickets.
    Record::ticket(LAST.fetch_add(1, Ordering::AcqRel) + 1, nanos)
}
