//! What if a channel were full that never was in the recorded run.
//!
//! A test sends few messages, and another load may send more. Where somebody would then wait for room with a lock that the receiver
//! takes, or where two that pass messages on to each other would both wait for room, nobody goes on. No schedule of the recorded run can
//! show that, since its messages all have room. A channel for one answer is never full, and where sender and receiver meet nothing is
//! kept: only one that had several messages at a time counts.

use crate::ids::Map;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};

/// How many messages at a time show that a channel can fill up.
const SEVERAL: u32 = 2;

/// A cycle of waits that is there when some channels are full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WhatIf {
    /// The unit.
    pub unit: UnitId,
    /// The channel that somebody waits for room in.
    pub channel: ObjectId,
    /// How many messages it has room for.
    pub room: u32,
    /// Where.
    pub sends_at: SiteId,
    /// What keeps the receiver from going on.
    pub receiver: Receiver,
}

/// What a receiver waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Receiver {
    /// A lock that the sender has.
    Lock {
        /// The lock.
        lock: ObjectId,
        /// Where the sender has taken it.
        taken_at: SiteId,
        /// Where the receiver asks for it.
        wanted_at: SiteId,
    },
    /// Room in a channel that the sender receives from.
    Room {
        /// The channel.
        channel: ObjectId,
        /// Where it sends into that.
        sends_at: SiteId,
    },
}

/// How many messages each channel has, and had at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Filling(Map<u32, (u32, u32)>);

impl Filling {
    pub(super) fn sends(&mut self, channel: u32) {
        let (now, most) = self.0.entry(channel).or_default();
        *now += 1;
        *most = (*most).max(*now);
    }

    pub(super) fn receives(&mut self, channel: u32) {
        if let Some((now, _)) = self.0.get_mut(&channel) {
            *now = now.saturating_sub(1);
        }
    }

    /// Whether the channel had several messages at a time.
    pub(super) fn is_filled(&self, channel: u32) -> bool {
        self.0.get(&channel).is_some_and(|it| it.1 >= SEVERAL)
    }
}
