//! Waiting for anything that is not a lock.

use core::task::Poll;

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use crate::{Head, Loc, brake, site, start, thread};

/// The acting task has to wait for the object: `kind` is one of the `…Wait` kinds, `n` how many permits it wants.
#[inline]
pub fn begin(kind: EventKind, head: &Head, n: u32, location: Loc) {
    if start::on() {
        let site = site::of(location);
        if site.own {
            thread::push(Record::event(kind, 0, site.id, head.id(), n));
            brake::point();
        }
    }
}

/// What polls have told of a wait. It is recorded with the first one that finds nothing, and again after one that found something.
#[derive(Debug, Default)]
pub struct Wait {
    begun: bool,
}

impl Wait {
    /// Nothing was polled yet.
    #[inline]
    pub const fn new() -> Wait {
        Wait { begun: false }
    }

    /// Notes what a poll has told; the rest as for [`begin`].
    #[inline]
    pub fn polled<T>(&mut self, polled: &Poll<T>, kind: EventKind, head: &Head, n: u32, location: Loc) {
        let pending = polled.is_pending();
        if pending && !self.begun {
            begin(kind, head, n, location);
        }
        self.begun = pending;
    }
}
