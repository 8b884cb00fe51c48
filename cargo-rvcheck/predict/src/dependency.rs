//! The locks of the lock dependencies of a trace.
//!
//! Instances of locks mean nothing outside their trace. So a lock is known by its *class*, the place where it was created. Locks
//! that a derive or a constant creates have none, and are left out.

use rvcheck_event::id::SiteId;
use rvcheck_event::kind::Mode;
use rvcheck_event::lock_dependency::Lock;

/// How many dependencies are kept of one trace.
pub const MOST: usize = 1000;

/// A lock of a trace, how it is held or wanted, and where that began.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TakenLock {
    /// Where it was created.
    pub born_at: SiteId,
    /// How it is held or wanted.
    pub mode: Mode,
    /// Where it was acquired or requested.
    pub site: SiteId,
}

impl Lock for TakenLock {
    type Class = SiteId;

    fn class(&self) -> &SiteId {
        &self.born_at
    }

    fn waits_for(&self, held: &TakenLock) -> bool {
        self.mode == Mode::Write || held.mode == Mode::Write
    }
}
