//! One event in the canonical order of a trace: what the monitors and the prediction read.

use crate::id::{SiteId, TaskId, ThreadId, UnitId};
use crate::kind::EventKind;
use crate::record::flag;

/// One thing that happened, with everything resolved that its record left to the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Modes, outcomes and marks; see [`crate::record::flag`].
    pub flags: u8,
    /// The thread that recorded it.
    pub thread: ThreadId,
    /// The acting task: `t` of the signature, or the task that the event is about where it has no other object.
    pub task: TaskId,
    /// The unit that the event belongs to.
    pub unit: UnitId,
    /// Where it happened, if known.
    pub site: SiteId,
    /// The second object of the signature: a lock, channel, semaphore, signal, test, or the task `u`; else 0.
    pub object: u32,
    /// Message number, count of permits, or the site at which a panic was caught; else 0.
    pub number: u64,
    /// ns since the process began to record, exact at polls and blocking calls and interpolated elsewhere.
    pub time: u64,
    /// `suspend`, `finish`, `cancel`: how long the task ran, in ns. `unblock`: how long it was blocked. Else 0.
    pub ns: u64,
    /// `suspend`, `finish`, `cancel`: CPU time of a long poll, in ns; 0 where it was not measured.
    pub cpu: u64,
}

impl Event {
    /// Whether it is a call by which the program begins or ends a check, and so no position of any trace.
    pub const fn is_control(&self) -> bool {
        matches!(self.kind, EventKind::User) && self.flags & flag::CONTROL != 0
    }

    /// Where a caught panic was caught, if known.
    pub fn caught_at(&self) -> Option<SiteId> {
        let site = SiteId(u32::try_from(self.number).unwrap_or(0));
        (self.kind == EventKind::Panic && site.is_some()).then_some(site)
    }
}
