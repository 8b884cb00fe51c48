//! A lock that is held over a wait for a task that takes it, too.
//!
//! A task may hold a lock while it waits for room in a channel, for a message, a signal, a permit or the end of a task. It waits for
//! ever if the task that could end the wait wants the lock first. In the recorded run that task came earlier or later. So it is
//! delayed before it asks for the lock until the other one waits.
//!
//! Who could end the wait may itself wait for others, as one that fills a channel waits for whoever empties it. Where it never takes
//! the lock, those who do are delayed.
//!
//! Locks are often taken in a function that all share. A delay there would keep the wrong ones, too, so another one also says where
//! both tasks were spawned.

use super::what_if::{Filling, Receiver, WhatIf};
use super::{CandidateSchedule, SiteDelay, Until, room, spawned_at};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;

/// How many places are remembered of each sort.
const MOST: usize = 4096;
/// How many things that one task waits for are remembered, and how many tasks of one place.
const OF_TASK: usize = 16;
/// How many tasks wait for each other at most, from who could end a wait to who takes the lock.
const LONGEST: usize = 3;

/// How somebody ends the wait of another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mover {
    Receives,
    Sends,
    Signals,
    GivesBack,
    /// The object is a task, and the mover that task.
    Ends,
}

/// A wait, as far as the record shows, while a lock was held.
#[derive(Clone, Copy, Debug)]
struct Wait {
    task: u32,
    spawned: SiteId,
    unit: UnitId,
    lock: u32,
    /// Where it was taken.
    taken: SiteId,
    object: u32,
    by: Mover,
    site: SiteId,
    /// How many messages the channel has room for, where room is waited for.
    room: Option<u32>,
}

/// Somebody takes a lock.
#[derive(Clone, Copy, Debug)]
struct Take {
    task: u32,
    spawned: SiteId,
    site: SiteId,
}

/// What somebody may wait for, with a lock or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Asked {
    object: u32,
    by: Mover,
    /// How many messages the channel has room for, where room is waited for.
    room: Option<u32>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Over {
    waits: Vec<Wait>,
    known: Set<(u32, u32, u32)>,
    /// Who has taken which lock where.
    takes: Map<u32, Vec<Take>>,
    taken: Set<(u32, u32, u32)>,
    /// Who takes locks in a place, and where they were spawned.
    takers: Map<SiteId, Vec<(u32, SiteId)>>,
    /// What each task may wait for.
    asked: Map<u32, Vec<Asked>>,
    /// Who moves an object how.
    movers: Map<(u32, Mover), Vec<u32>>,
    sent: Map<u32, u32>,
}

impl Over {
    /// Somebody takes a lock, and would wait for it.
    pub(super) fn takes(&mut self, event: &Event, world: &World) {
        let (task, site) = (event.task.0, event.site);
        if self.taken.len() < MOST && self.taken.insert((task, event.object, site.0)) {
            let spawned = spawned_at(event.task, world);
            self.takes.entry(event.object).or_default().push(Take { task, spawned, site });
            let takers = self.takers.entry(site).or_default();
            if takers.len() < OF_TASK && !takers.contains(&(task, spawned)) {
                takers.push((task, spawned));
            }
        }
    }

    /// Somebody who has these does what others may end the wait for by moving the object like that.
    pub(super) fn waits(&mut self, event: &Event, held: &[(u32, SiteId)], by: Mover, world: &World) {
        let sends = event.kind == EventKind::Send;
        let room = if sends { room(event.object, world) } else { None };
        if sends && room.is_none() {
            return;
        }
        self.asks(event.task.0, Asked { object: event.object, by, room });
        for (lock, taken) in held {
            let key = (event.task.0, *lock, event.site.0);
            if *lock != event.object && self.known.len() < MOST && self.known.insert(key) {
                let (task, unit, object, site) = (event.task.0, event.unit, event.object, event.site);
                self.waits.push(Wait {
                    task,
                    spawned: spawned_at(event.task, world),
                    unit,
                    lock: *lock,
                    taken: *taken,
                    object,
                    by,
                    site,
                    room,
                });
            }
        }
    }

    fn asks(&mut self, task: u32, asked: Asked) {
        if self.asked.len() < MOST || self.asked.contains_key(&task) {
            let its = self.asked.entry(task).or_default();
            if its.len() < OF_TASK && !its.contains(&asked) {
                its.push(asked);
            }
        }
    }

    /// Somebody moves the object.
    pub(super) fn moves(&mut self, event: &Event, how: Mover) {
        if how == Mover::Sends {
            *self.sent.entry(event.object).or_default() += 1;
        }
        let movers = self.movers.entry((event.object, how)).or_default();
        if movers.len() < OF_TASK && !movers.contains(&event.task.0) {
            movers.push(event.task.0);
        }
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for wait in self.waits.iter().filter(|it| self.has_messages(it.object, it.room)) {
            if found.len() >= super::MOST {
                break;
            }
            for take in self.taken_behind(wait) {
                let delay = SiteDelay::until(take.site, Until::Waiting(wait.site));
                found.push(CandidateSchedule::of(wait.unit, delay));
                // That delays others, too, and the one who is to wait may be among them.
                let is_other = |it: &(u32, SiteId)| it.0 == wait.task || it.1 != take.spawned;
                if self.takers.get(&take.site).is_some_and(|it| it.iter().any(is_other)) {
                    let delay = SiteDelay { by: take.spawned, until_by: wait.spawned, ..delay };
                    found.push(CandidateSchedule::of(wait.unit, delay));
                }
            }
        }
        found
    }

    /// The waits for room that the recorded run has too few messages for.
    pub(super) fn what_ifs<'o>(&'o self, filling: &'o Filling) -> impl Iterator<Item = WhatIf> + 'o {
        let is_meant = |it: &&Wait| !self.has_messages(it.object, it.room) && filling.is_filled(it.object);
        let waits = self.waits.iter().filter(is_meant).filter_map(|it| Some((it, it.room?)));
        waits.flat_map(|(wait, room)| {
            self.taken_by(self.movers_of(&wait.object, wait.by), wait).into_iter().map(move |take| WhatIf {
                unit: wait.unit,
                channel: ObjectId(wait.object),
                room,
                sends_at: wait.site,
                receiver: Receiver::Lock {
                    lock: ObjectId(wait.lock),
                    taken_at: wait.taken,
                    wanted_at: take.site,
                },
            })
        })
    }

    /// Whether there were messages enough for a wait for room: more than there were do not get into the channel.
    fn has_messages(&self, channel: u32, room: Option<u32>) -> bool {
        room.is_none_or(|room| self.sent.get(&channel).is_some_and(|sent| *sent > room))
    }

    /// Those who take the lock that is held over a wait, and could end it; or, if none of those does, for whom these wait.
    fn taken_behind(&self, wait: &Wait) -> Vec<Take> {
        let mut reached = self.movers_of(&wait.object, wait.by).to_vec();
        let mut nearest = 0;
        for _ in 0..LONGEST {
            let takes = self.taken_by(&reached[nearest..], wait);
            if !takes.is_empty() {
                return takes;
            }
            let asked = reached[nearest..].iter().filter_map(|it| self.asked.get(it)).flatten();
            let asked = asked.filter(|it| self.has_messages(it.object, it.room));
            let others = asked.flat_map(|it| self.movers_of(&it.object, it.by)).copied();
            let mut next: Vec<u32> =
                others.filter(|it| *it != wait.task && !reached.contains(it)).take(OF_TASK).collect();
            next.sort_unstable();
            next.dedup();
            nearest = reached.len();
            reached.append(&mut next);
        }
        Vec::new()
    }

    /// Who could end the wait for an object.
    fn movers_of<'o>(&'o self, object: &'o u32, by: Mover) -> &'o [u32] {
        match by {
            Mover::Ends => std::slice::from_ref(object),
            by => self.movers.get(&(*object, by)).map_or(&[][..], Vec::as_slice),
        }
    }

    /// Where these take the lock that is held over a wait.
    fn taken_by(&self, tasks: &[u32], wait: &Wait) -> Vec<Take> {
        let takes = self.takes.get(&wait.lock).map_or(&[][..], Vec::as_slice);
        let is_theirs = |it: &&Take| it.task != wait.task && tasks.contains(&it.task);
        takes.iter().filter(is_theirs).copied().collect()
    }
}
