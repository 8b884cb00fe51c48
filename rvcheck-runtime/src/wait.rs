//! Waiting for anything that is not a lock.

use core::task::{Context, Poll};

use rvcheck_event::kind::{EventKind, What};
use rvcheck_event::record::Record;

use crate::{Head, Loc, blocking, site, steer, stop, stream, switch, waker};

/// The acting task has to wait for the object: `kind` is one of the `…Wait` kinds, `n` how many permits it wants.
#[inline]
pub fn begin(kind: EventKind, head: &Head, n: u32, location: Loc) {
    if switch::on() {
        let site = site::of(location);
        if site.own {
            stream::push(Record::event(kind, 0, site.id, head.id(), n));
            stop::point();
        } else {
            waker::unrecorded();
        }
    }
}

/// Calls what waits for the object and blocks the thread, for some time at most where that is `timed`.
#[inline]
pub fn blocked<R>(
    kind: EventKind,
    head: &Head,
    what: What,
    timed: bool,
    location: Loc,
    call: impl FnOnce() -> R,
) -> R {
    begin(kind, head, 0, location);
    let blocking = blocking::block_at_most(what, timed, location);
    let result = call();
    drop(blocking);
    result
}

/// The acting task no longer waits for the object, and did not get what it waited for.
#[inline]
pub fn given_up(kind: EventKind, head: &Head, location: Loc) {
    if switch::on() && head.is_known() {
        let site = site::of(location);
        if site.own {
            stream::push(Record::event(cancelled(kind), 0, site.id, head.id(), 0));
        }
    }
}

/// What ends a wait of this kind without success.
const fn cancelled(kind: EventKind) -> EventKind {
    match kind {
        EventKind::SendWait => EventKind::SendCancel,
        EventKind::RecvWait => EventKind::RecvCancel,
        EventKind::PermitWait => EventKind::PermitCancel,
        _ => EventKind::SignalCancel,
    }
}

/// What polls have told of a wait. It is recorded with the first one that finds nothing, and again after one that found something.
/// Dropping this while it waits records that the wait was given up.
#[derive(Debug, Default)]
pub struct Wait {
    begun: bool,
    kind: u8,
    /// The object, where the wait was recorded; 0 where it was not.
    object: u32,
    site: u32,
}

impl Wait {
    /// Nothing was polled yet.
    #[inline]
    pub const fn new() -> Wait {
        Wait { begun: false, kind: 0, object: 0, site: 0 }
    }

    /// Whether the object is not to be asked for yet, so that a schedule can be kept. To be asked before the real future is polled.
    #[inline]
    pub fn is_delayed(&self, head: &Head, location: Loc, context: &Context<'_>) -> bool {
        !self.begun && steer::delays(head, location, context)
    }

    /// Notes what a poll has told; the rest as for [`begin`].
    #[inline]
    pub fn polled<T>(&mut self, polled: &Poll<T>, kind: EventKind, head: &Head, n: u32, location: Loc) {
        let pending = polled.is_pending();
        if pending && !self.begun {
            self.begin(kind, head, n, location);
        }
        if pending && self.object == 0 {
            waker::unrecorded();
        }
        self.begun = pending;
    }

    fn begin(&mut self, kind: EventKind, head: &Head, n: u32, location: Loc) {
        self.object = 0;
        if switch::on() {
            let site = site::of(location);
            if site.own {
                self.object = head.id();
                (self.kind, self.site) = (cancelled(kind) as u8, site.id);
                stream::push(Record::event(kind, 0, site.id, self.object, n));
                stop::point();
            }
        }
    }

    /// The wait is over, and somebody else records how.
    #[inline]
    pub fn forget(&mut self) {
        self.begun = false;
    }
}

impl Drop for Wait {
    #[inline]
    fn drop(&mut self) {
        if self.begun && self.object != 0 && switch::on() {
            let kind = EventKind::of_code(self.kind).unwrap_or(EventKind::SignalCancel);
            stream::push(Record::event(kind, 0, self.site, self.object, 0));
        }
    }
}
