//! Channels. Messages are numbered, so that each receive is matched with its send.

use core::sync::atomic::{AtomicU32, Ordering};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use crate::annotations::observing::messages;
use crate::{Head, Loc, control, site, stop, stream, switch, under_way};

/// Numbers the messages of one channel.
#[derive(Debug, Default)]
pub struct Messages(AtomicU32);

impl Messages {
    /// No message was sent yet.
    pub const fn new() -> Messages {
        Messages(AtomicU32::new(0))
    }

    /// The number of the next message: 1, 2, …; or 0 when its send is not recorded, so that nobody waits for it.
    #[inline]
    pub fn number(&self, location: Loc) -> u32 {
        let recorded = switch::on() && site::of(location).own;
        if recorded { self.0.fetch_add(1, Ordering::Relaxed).wrapping_add(1) } else { 0 }
    }
}

#[inline]
fn record(kind: EventKind, head: &Head, n: u32, location: Loc) {
    if switch::on() {
        let site = site::of(location);
        if site.own {
            stream::push(Record::event(kind, 0, site.id, head.id(), n));
            stop::point();
        } else {
            control::changed(head);
        }
    }
}

/// What has no place of its own is recorded for channels that some event spoke of.
fn record_drop(kind: EventKind, head: &Head, n: u32) {
    if switch::on() && head.is_known() {
        stream::push(Record::event(kind, 0, 0, head.id(), n));
    } else {
        control::changed(head);
    }
}

/// Message `n` goes into the channel. To be called before it can be received; or behind that, where it is a [`crate::channel::Message`].
#[inline]
pub fn sent(head: &Head, n: u32, location: Loc) {
    let _ending = under_way::Ending(head, n);
    messages::settled(head, n, true);
    record(EventKind::Send, head, n, location);
}

/// Message `n` was received.
#[inline]
pub fn received(head: &Head, n: u32, location: Loc) {
    record(EventKind::Recv, head, n, location);
}

/// The channel was found closed.
pub fn closed(head: &Head, location: Loc) {
    record(EventKind::Closed, head, 0, location);
}

/// The channel is closed here, without an end of it being dropped. To be called before anybody can find it closed.
pub fn closes(head: &Head, location: Loc) {
    record(EventKind::ChanClose, head, 0, location);
}

/// Messages of a broadcast were missed.
pub fn lagged(head: &Head, location: Loc) {
    record(EventKind::Lagged, head, 0, location);
}

/// A sender is gone; so many are left.
pub fn sender_dropped(head: &Head, left: u32) {
    record_drop(EventKind::SenderDrop, head, left);
}

/// A receiver is gone; so many are left.
pub fn receiver_dropped(head: &Head, left: u32) {
    record_drop(EventKind::ReceiverDrop, head, left);
}

/// Message `n` was never received.
pub fn undelivered(head: &Head, n: u32) {
    record_drop(EventKind::Undelivered, head, n);
}
