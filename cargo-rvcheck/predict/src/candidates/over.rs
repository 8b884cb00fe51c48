//! A lock that is held over a wait for a task that takes it, too.
//!
//! A task may hold a lock while it waits for room in a channel, for a message, a signal, a permit or the end of a task. It waits for
//! ever if the task that could end the wait wants the lock first. In the recorded run that task came earlier or later. So it is
//! delayed before it asks for the lock until the other one waits.

use super::what_if::{Filling, Receiver, WhatIf};
use super::{CandidateSchedule, SiteDelay, Until, capacity, keeps_senders_waiting};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;

/// How many places are remembered of each sort.
const MOST: usize = 4096;

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
    unit: UnitId,
    lock: u32,
    /// Where it was taken.
    taken: SiteId,
    object: u32,
    by: Mover,
    site: SiteId,
    /// How many messages the channel has room for, where room is waited for.
    room: u32,
    /// The channel keeps its senders waiting when it is full.
    can_fill: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Over {
    waits: Vec<Wait>,
    known: Set<(u32, u32, u32)>,
    /// Who has taken which lock where.
    takes: Map<u32, Vec<(u32, SiteId)>>,
    taken: Set<(u32, u32, u32)>,
    /// Who moves an object how.
    movers: Map<(u32, Mover), Vec<u32>>,
    sent: Map<u32, u32>,
}

impl Over {
    /// Somebody takes a lock, and would wait for it.
    pub(super) fn takes(&mut self, event: &Event) {
        let key = (event.task.0, event.object, event.site.0);
        if self.taken.len() < MOST && self.taken.insert(key) {
            self.takes.entry(event.object).or_default().push((event.task.0, event.site));
        }
    }

    /// Somebody who has these does what others may end the wait for by moving the object like that.
    pub(super) fn waits(&mut self, event: &Event, held: &[(u32, SiteId)], by: Mover, world: &World) {
        let room = if event.kind == EventKind::Send { capacity(event.object, world) } else { 0 };
        if held.is_empty() || (event.kind == EventKind::Send && room == 0) {
            return;
        }
        let can_fill = room > 0 && keeps_senders_waiting(event.object, world);
        for (lock, taken) in held {
            let key = (event.task.0, *lock, event.site.0);
            if *lock != event.object && self.known.len() < MOST && self.known.insert(key) {
                let (task, unit, object, site) = (event.task.0, event.unit, event.object, event.site);
                self.waits.push(Wait {
                    task,
                    unit,
                    lock: *lock,
                    taken: *taken,
                    object,
                    by,
                    site,
                    room,
                    can_fill,
                });
            }
        }
    }

    /// Somebody moves the object.
    pub(super) fn moves(&mut self, event: &Event, how: Mover) {
        if how == Mover::Sends {
            *self.sent.entry(event.object).or_default() += 1;
        }
        let movers = self.movers.entry((event.object, how)).or_default();
        if movers.len() < 16 && !movers.contains(&event.task.0) {
            movers.push(event.task.0);
        }
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for wait in self.waits.iter().filter(|it| self.can_wait(it)) {
            for site in self.taken_by_movers(wait) {
                found.push(CandidateSchedule::of(
                    wait.unit,
                    SiteDelay::until(site, Until::Waiting(wait.site)),
                ));
            }
        }
        found
    }

    /// The waits for room that the recorded run has too few messages for.
    pub(super) fn what_ifs<'o>(&'o self, filling: &'o Filling) -> impl Iterator<Item = WhatIf> + 'o {
        let is_meant = |it: &&Wait| it.can_fill && !self.can_wait(it) && filling.is_filled(it.object);
        let waits = self.waits.iter().filter(is_meant);
        waits.flat_map(|wait| {
            self.taken_by_movers(wait).map(|wanted_at| WhatIf {
                unit: wait.unit,
                channel: ObjectId(wait.object),
                room: wait.room,
                sends_at: wait.site,
                receiver: Receiver::Lock { lock: ObjectId(wait.lock), taken_at: wait.taken, wanted_at },
            })
        })
    }

    /// Whether there were messages enough for a wait for room: more than there were do not get into the channel.
    fn can_wait(&self, wait: &Wait) -> bool {
        wait.room == 0 || self.sent.get(&wait.object).is_some_and(|sent| *sent > wait.room)
    }

    /// Where those who could end a wait take the lock that is held over it.
    fn taken_by_movers<'o>(&'o self, wait: &'o Wait) -> impl Iterator<Item = SiteId> + 'o {
        let movers = match wait.by {
            Mover::Ends => std::slice::from_ref(&wait.object),
            by => self.movers.get(&(wait.object, by)).map_or(&[][..], Vec::as_slice),
        };
        let takes = self.takes.get(&wait.lock).map_or(&[][..], Vec::as_slice);
        let others = takes.iter().filter(move |(task, _)| *task != wait.task && movers.contains(task));
        others.map(|(_, site)| *site)
    }
}
