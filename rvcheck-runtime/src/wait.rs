//! Waiting for anything that is not a lock.

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use crate::{Head, Loc, site, start, thread};

/// The acting task has to wait for the object: `kind` is one of the `…Wait` kinds, `n` how many permits it wants.
#[inline]
pub fn begin(kind: EventKind, head: &Head, n: u32, location: Loc) {
    if start::on() {
        let site = site::of(location);
        if site.own {
            thread::push(Record::event(kind, 0, site.id, head.id(), n));
        }
    }
}
