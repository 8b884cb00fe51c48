//! Tasks that pass messages on in a cycle of channels with room for a few, or for none.
//!
//! A task that receives from one channel and sends into another one does not receive while it waits for room. Where that goes round,
//! all may wait at once, each for the next one. In the recorded run some channel had room at any time. So one of them is delayed
//! before it sends until another one waits for room: there, or where the next one sends. Whoever sends where sender and receiver meet waits
//! as one does before a full channel.

use super::what_if::{Filling, Receiver, WhatIf};
use super::{CandidateSchedule, SiteDelay, Until, room};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
use rvcheck_event::world::World;
use std::collections::BTreeSet;

/// How many relays from channel to channel are remembered, and how many channels of one task.
const MOST: usize = 1024;
const OF_TASK: usize = 16;
/// The longest cycle.
const LONGEST: usize = 4;

/// A task receives from one channel and sends into another one, or into the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Relay {
    from: u32,
    to: u32,
    task: u32,
    unit: UnitId,
    site: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelCycles {
    /// From which channels each task has received.
    received: Map<u32, Vec<u32>>,
    relays: BTreeSet<Relay>,
    /// For each channel where tasks send into it, waiting for room where there is none.
    senders: Map<u32, BTreeSet<(u32, SiteId)>>,
    sent: Map<u32, u32>,
    room: Map<u32, u32>,
    /// Which tasks have sent where, and from how many channels they had received then.
    known: Set<(u32, u32, u32, usize)>,
}

impl ChannelCycles {
    pub(super) fn receives(&mut self, event: &Event) {
        let channels = self.received.entry(event.task.0).or_default();
        if channels.len() < OF_TASK && !channels.contains(&event.object) {
            channels.push(event.object);
        }
    }

    pub(super) fn sends(&mut self, event: &Event, tries: bool, world: &World) {
        let Some(room) = room(event.object, world).filter(|_| !tries) else { return };
        *self.sent.entry(event.object).or_default() += 1;
        let received = self.received.get(&event.task.0).map_or(&[][..], Vec::as_slice);
        let key = (event.task.0, event.object, event.site.0, received.len());
        if self.relays.len() >= MOST || !self.known.insert(key) {
            return;
        }
        self.room.insert(event.object, room);
        self.senders.entry(event.object).or_default().insert((event.task.0, event.site));
        let (to, task, unit, site) = (event.object, event.task.0, event.unit, event.site);
        self.relays.extend(received.iter().map(|from| Relay { from: *from, to, task, unit, site }));
    }

    /// Whether there were more messages than the channel has room for.
    fn can_be_full(&self, channel: u32) -> bool {
        let room = self.room.get(&channel).copied().unwrap_or(u32::MAX);
        self.sent.get(&channel).is_some_and(|sent| *sent > room)
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for first in self.relays.iter().filter(|it| self.can_be_full(it.to)) {
            if found.len() >= super::MOST {
                break;
            }
            for next in self.back_to(first) {
                let others = self.senders.get(&first.to).into_iter().flatten();
                let others = others.filter(|(task, _)| *task != first.task).map(|(_, site)| *site);
                for site in others.chain(next.map(|it| it.site)) {
                    found.push(CandidateSchedule::of(
                        first.unit,
                        SiteDelay::until(first.site, Until::Waiting(site)),
                    ));
                }
            }
        }
        found
    }

    /// The pairs that pass messages on to each other, of which the recorded run has too few to fill both channels.
    pub(super) fn what_ifs<'c>(&'c self, filling: &'c Filling) -> impl Iterator<Item = WhatIf> + 'c {
        let is_filled = |it: &&Relay| it.from != it.to && filling.is_filled(it.to);
        self.relays.iter().filter(is_filled).flat_map(move |one| {
            let meets = move |it: &&Relay| (it.from, it.to) == (one.to, one.from) && it.task != one.task;
            let fill_up = |it: &&Relay| !self.can_be_full(one.to) || !self.can_be_full(it.to);
            let others = self.relays.iter().filter(is_filled).filter(meets).filter(fill_up);
            // Each pair once.
            others.filter(move |it| one.to < it.to).map(move |other| WhatIf {
                unit: one.unit,
                channel: ObjectId(one.to),
                room: self.room.get(&one.to).copied().unwrap_or(0),
                sends_at: one.site,
                receiver: Receiver::Room { channel: ObjectId(other.to), sends_at: other.site },
            })
        })
    }

    /// For each cycle that this relay is in, the next one; `None` for the cycle that it makes up alone.
    fn back_to(&self, first: &Relay) -> Vec<Option<&Relay>> {
        if first.from == first.to {
            return vec![None];
        }
        let after = |relay: &Relay| {
            let (channel, task) = (relay.to, relay.task);
            self.relays.iter().filter(move |it| {
                it.from == channel && it.from != it.to && it.task != task && self.can_be_full(it.to)
            })
        };
        let mut nexts = Vec::new();
        for next in after(first) {
            let mut reached = vec![next];
            for _ in 1..LONGEST {
                if reached.iter().any(|it| it.to == first.from) {
                    nexts.push(Some(next));
                    break;
                }
                reached = reached.into_iter().flat_map(after).take(MOST).collect();
            }
        }
        nexts
    }
}
