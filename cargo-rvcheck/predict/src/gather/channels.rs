//! What the events of channels become.
//!
//! A message is received after it was sent, and after those before it. Where a channel has room for so many, a message is sent when all but
//! so many of those before it were received; where it has room for none, whoever sends goes on when the other one has come to receive.

use super::Gather;
use super::hubs::Topic;
use crate::history::StepId;
use rvcheck_event::event::Event;
use rvcheck_event::id::ObjectId;
use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::world::World;
use std::collections::VecDeque;

/// A channel with room for a number of messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// How many were sent, and how many of them are known to have been received when there had to be room.
    sent: u64,
    made: u64,
    /// Where the others were received.
    received: VecDeque<StepId>,
}

impl Room {
    /// A message is sent. The step by which there was room for it, where there was not from the beginning.
    fn send(&mut self, capacity: u32) -> Option<StepId> {
        self.sent += 1;
        let mut last = None;
        while self.made + u64::from(capacity) < self.sent {
            let Some(received) = self.received.pop_front() else { break };
            last = Some(received);
            self.made += 1;
        }
        last
    }
}

impl Gather {
    pub(super) fn channel_event(&mut self, event: &Event, world: &World) {
        let step = self.point(event, world);
        let object = world.object(ObjectId(event.object));
        // Whoever sends there never waits.
        let spreads = |it: ObjectKind| matches!(it, ObjectKind::TokioBroadcast | ObjectKind::TokioWatch);
        let capacity = object.filter(|it| !spreads(it.kind)).map_or(0, |it| it.capacity);
        match event.kind {
            EventKind::Send => {
                if capacity > 0 {
                    let room = self.rooms.entry(event.object).or_default().send(capacity);
                    self.after(room);
                }
                if object.is_some_and(|it| it.hands_over) {
                    // Both have come as far.
                    let other = self.facts.handed.get(&(event.object, event.number));
                    let other = other.and_then(|it| self.tasks.get(it)).copied();
                    self.after(other.and_then(|it| self.doing[it as usize].last));
                }
                self.hubs.tell(&mut self.history, Topic::Sent(event.object), step);
                if event.number != 0 {
                    self.messages.insert((event.object, event.number), step);
                }
                self.explained(event, event.object);
            }
            EventKind::Recv => {
                let sent = self.messages.get(&(event.object, event.number)).copied();
                self.after(sent);
                self.heard(step, Topic::Received(event.object));
                self.hubs.tell(&mut self.history, Topic::Received(event.object), step);
                if capacity > 0 {
                    self.rooms.entry(event.object).or_default().received.push_back(step);
                }
                self.explained(event, event.object);
                if sent.is_none() {
                    self.unseen(event, world);
                }
            }
            EventKind::Closed => {
                let latest = self.hubs.latest(Topic::Closed(event.object));
                self.after(latest);
                self.explained(event, event.object);
                if latest.is_none() {
                    // Of a channel that no event had spoken of, nobody has seen an end go.
                    self.unseen(event, world);
                }
            }
            EventKind::Lagged => {
                self.heard(step, Topic::Sent(event.object));
                self.explained(event, event.object);
            }
            _ => self.hubs.tell(&mut self.history, Topic::Closed(event.object), step),
        }
    }
}
