//! Signals: condition variables, `Notify`, barriers and watches.

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use crate::{Head, Loc, control, found_made, made_once, site, stop, stream, switch};

/// A signal inside a dependency is no event of the program's. But it may keep one task behind another, as where a pool gives a job to a
/// thread or waits for one: so whoever wakes up comes after those who have signalled.
#[inline]
fn record(kind: EventKind, head: &Head, location: Loc) {
    if switch::on() {
        let site = site::of(location);
        if site.own {
            let id = head.id();
            stream::push_in_order(|| {
                let order16 = head.next_shared() as u16;
                Record { code: kind as u8, flags: 0, order16, site: site.id, object: id, number: 0 }
            });
            stop::point();
        } else {
            control::signalled(kind, head);
            if matches!(kind, EventKind::Signalled) {
                found_made(head);
            } else {
                made_once(head);
            }
        }
    }
}

/// The acting task got the signal.
pub fn got(head: &Head, location: Loc) {
    record(EventKind::Signalled, head, location);
}

/// The acting task signals one waiter. To be called before the real call.
pub fn one(head: &Head, location: Loc) {
    control::asks(head, location);
    record(EventKind::NotifyOne, head, location);
}

/// The acting task signals all waiters. To be called before the real call.
pub fn all(head: &Head, location: Loc) {
    control::asks(head, location);
    record(EventKind::NotifyAll, head, location);
}
