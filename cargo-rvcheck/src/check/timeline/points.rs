//! Where flows may begin: what has happened and may lead to something.

use crate::timeline::Point;
use std::collections::{BTreeMap, VecDeque};

/// How many messages are remembered that nobody has received.
const MESSAGES: usize = 1 << 16;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Points {
    /// By channel and number.
    sent: BTreeMap<(u32, u64), Point>,
    /// Their keys in the order in which they were sent, with some that are gone.
    order: VecDeque<(u32, u64)>,
    /// By object: where it was last given back or signalled, or room was made in it.
    freed: BTreeMap<u32, Point>,
    /// By task: where it has ended.
    ended: BTreeMap<u32, Point>,
}

impl Points {
    /// A message was sent. Where very many are on the way, the oldest is forgotten.
    pub(super) fn send(&mut self, channel: u32, number: u64, point: Point) {
        self.sent.insert((channel, number), point);
        self.order.push_back((channel, number));
        while self.order.len() > MESSAGES {
            if let Some(oldest) = self.order.pop_front() {
                self.sent.remove(&oldest);
            }
        }
    }

    /// Where that message was sent. Several may receive it.
    pub(super) fn sent(&self, channel: u32, number: u64) -> Option<&Point> {
        self.sent.get(&(channel, number))
    }

    /// An object was given back or signalled.
    pub(super) fn free(&mut self, object: u32, point: Point) {
        self.freed.insert(object, point);
    }

    /// Where that was, if it was not before this time.
    pub(super) fn freed_since(&self, object: u32, time: u64) -> Option<&Point> {
        self.freed.get(&object).filter(|it| it.time >= time)
    }

    /// A task has ended.
    pub(super) fn end(&mut self, task: u32, point: Point) {
        self.ended.insert(task, point);
    }

    /// Where it has.
    pub(super) fn ended(&self, task: u32) -> Option<&Point> {
        self.ended.get(&task)
    }

    /// A task is gone, and nobody can wait for it.
    pub(super) fn forget_task(&mut self, task: u32) {
        self.ended.remove(&task);
    }

    /// An object is gone.
    pub(super) fn forget_object(&mut self, object: u32) {
        self.freed.remove(&object);
        let messages: Vec<(u32, u64)> =
            self.sent.range((object, 0)..=(object, u64::MAX)).map(|(key, _)| *key).collect();
        for key in messages {
            self.sent.remove(&key);
        }
    }
}
