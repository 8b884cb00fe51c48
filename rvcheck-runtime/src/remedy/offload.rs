//! Offloading: tasks that block their thread are polled on the threads for blocking work.
//!
//! The shim of a runtime asks here before it spawns, and does the rest itself: only it knows where blocking work is done.

use rvcheck_event::remedy::Remedy;

use super::{at_place, since};
use crate::learnt::{Number, any};
use crate::{Loc, clock};

/// A task is to be offloaded. Counts how often it was, and what that costs.
#[derive(Clone, Copy, Debug)]
pub struct Offload(Number);

/// Whether a task that is spawned here is to be offloaded.
#[inline]
#[must_use]
pub fn offload(location: Loc) -> Option<Offload> {
    if any() { learnt(location) } else { None }
}

#[cold]
#[inline(never)]
fn learnt(location: Loc) -> Option<Offload> {
    let number = at_place(location, Remedy::Offload)?;
    number.applied(0);
    Some(Offload(number))
}

impl Offload {
    /// ns since recording began.
    #[must_use]
    pub fn now() -> u64 {
        clock::nanos()
    }

    /// The task was on its way to another thread, or back, since that time.
    pub fn was_on_its_way(self, since_then: u64) {
        self.0.kept(since(since_then));
    }
}
