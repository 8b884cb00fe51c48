//! Which locks are asked for inside which others: what of a trace outlasts it.
//!
//! Instances of locks mean nothing outside their trace. So a lock is known by its *class*, the place where it was created. Locks
//! that a derive or a constant creates have none, and are left out.

use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::Mode;

/// How many are kept of one trace.
pub const MOST: usize = 1000;

/// A lock was asked for while another one was held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nesting {
    /// The lock that was held, and where it was acquired.
    pub held: Taken,
    /// The lock that was asked for, and where.
    pub wanted: Taken,
    /// Where the other locks were created that were held as well.
    pub gates: Vec<SiteId>,
    /// The unit in which that happened.
    pub unit: UnitId,
}

/// A lock, how it is held or wanted, and where that began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Where it was created.
    pub born_at: SiteId,
    /// How it is held or wanted.
    pub mode: Mode,
    /// Where it was acquired or asked for.
    pub site: SiteId,
}
