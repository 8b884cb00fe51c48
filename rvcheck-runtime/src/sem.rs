//! Semaphores.

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, flag};

use crate::{Head, Loc, control, site, stop, stream, switch};

fn record(kind: EventKind, flags: u8, head: &Head, n: u32, location: Option<Loc>) {
    if !switch::on() {
        return;
    }
    let site = match location.map(site::of) {
        Some(site) if !site.own => return control::changed(head),
        Some(site) => site.id,
        // Guards are dropped without a place; what was never seen being taken is not seen being given back.
        None if !head.is_known() => return control::changed(head),
        None => 0,
    };
    let id = head.id();
    stream::push_in_order(|| {
        let order16 = head.next_shared() as u16;
        Record { code: kind as u8, flags, order16, site, object: id, number: n }
    });
    // Guards give permits back when they are dropped.
    if kind != EventKind::PermitRelease || flags & flag::ADDED != 0 {
        stop::point();
    }
}

/// `n` permits were taken.
pub fn taken(head: &Head, n: u32, location: Loc) {
    record(EventKind::Permit, 0, head, n, Some(location));
}

/// `n` permits are given back, or `added` as new ones. To be called before the real release.
pub fn released(head: &Head, n: u32, added: bool, location: Option<Loc>) {
    if let Some(location) = location {
        control::asks(head, location);
    }
    record(EventKind::PermitRelease, if added { flag::ADDED } else { 0 }, head, n, location);
}

/// `n` permits will never be given back.
pub fn forgotten(head: &Head, n: u32, location: Option<Loc>) {
    record(EventKind::PermitForget, 0, head, n, location);
}
