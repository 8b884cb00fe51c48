//! What waiters look at is changed after the signal for it.
//!
//! A task gives a signal that is not kept, and takes a lock after that, as one does to change what the signal stands for. Whoever takes the
//! same lock in between sees what was there before, waits for the next signal, and none comes. In the recorded run that one came later, saw
//! the change, and did not wait at all. So the task is delayed behind its signal, where it suspends or takes the lock, until the other one
//! has had the lock.
//!
//! One that did wait for the signal in the recorded run is none of these: it may wait for the next signal whatever it sees.

use super::super::{CandidateSchedule, SiteDelay, Until, spawned_at};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::{EventKind, Mode};
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::BTreeMap;

/// How many of each are remembered.
const MOST: usize = 1024;
/// How many signals of a task, and how many locks that it takes after one.
const OF_TASK: usize = 4;

/// A signal that a task gave.
#[derive(Clone, Copy, Debug)]
struct Given {
    object: u32,
    site: SiteId,
    /// Where the task suspended after that, if it did.
    awaits: Option<SiteId>,
    locks: usize,
}

/// A lock that it took after that.
#[derive(Clone, Copy, Debug)]
struct Change {
    task: u32,
    spawned: SiteId,
    unit: UnitId,
    object: u32,
    given: SiteId,
    /// Where it can be delayed.
    before: SiteId,
}

/// Somebody else takes that lock later.
#[derive(Clone, Copy, Debug)]
struct Look {
    change: Change,
    task: u32,
    spawned: SiteId,
    site: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Early {
    given: Map<u32, Vec<Given>>,
    /// By lock.
    changes: BTreeMap<u32, Vec<Change>>,
    looks: Vec<Look>,
    known: Set<(u32, u32, u32)>,
    /// Who waits for which signal.
    waits: Set<(u32, u32)>,
}

impl Early {
    /// Somebody gives or awaits a signal that is not kept.
    pub(super) fn signals(&mut self, event: &Event) {
        let task = event.task.0;
        if !matches!(event.kind, EventKind::NotifyOne | EventKind::NotifyAll) {
            if self.waits.len() < MOST {
                self.waits.insert((task, event.object));
            }
            return;
        }
        if self.given.len() >= MOST && !self.given.contains_key(&task) {
            return;
        }
        let given = self.given.entry(task).or_default();
        // A later signal for the same covers what was changed before it.
        given.retain(|it| it.object != event.object);
        for changes in self.changes.values_mut() {
            changes.retain(|it| (it.task, it.object) != (task, event.object));
        }
        self.looks.retain(|it| (it.change.task, it.change.object) != (task, event.object));
        if given.len() == OF_TASK {
            given.remove(0);
        }
        given.push(Given { object: event.object, site: event.site, awaits: None, locks: 0 });
    }

    /// A task suspends.
    pub(super) fn awaits(&mut self, event: &Event) {
        for given in self.given.get_mut(&event.task.0).into_iter().flatten() {
            given.awaits.get_or_insert(event.site);
        }
    }

    /// A task takes a lock, and would wait for it.
    pub(super) fn takes(&mut self, event: &Event, world: &World) {
        let (task, lock) = (event.task.0, event.object);
        for change in self.changes.get(&lock).into_iter().flatten() {
            let key = (change.before.0, task, event.site.0);
            if change.task != task && self.looks.len() < MOST && self.known.insert(key) {
                let spawned = spawned_at(event.task, world);
                self.looks.push(Look { change: *change, task, spawned, site: event.site });
            }
        }
        if Mode::of_bits(event.flags & flag::ENUM) != Some(Mode::Write) {
            return;
        }
        let Some(given) = self.given.get_mut(&task) else { return };
        for given in given.iter_mut().filter(|it| it.locks < OF_TASK) {
            given.locks += 1;
            let changes = self.changes.entry(lock).or_default();
            if changes.len() < OF_TASK {
                changes.push(Change {
                    task,
                    spawned: spawned_at(event.task, world),
                    unit: event.unit,
                    object: given.object,
                    given: given.site,
                    before: given.awaits.unwrap_or(event.site),
                });
            }
        }
    }

    pub(super) fn candidates(&self) -> Vec<CandidateSchedule> {
        let never_waits = |it: &&Look| !self.waits.contains(&(it.task, it.change.object));
        let of = |look: &Look| {
            let delay = SiteDelay {
                by: look.change.spawned,
                until_by: look.spawned,
                ..SiteDelay::until(look.change.before, Until::Done(look.site))
            };
            CandidateSchedule {
                about: vec![look.change.given],
                ..CandidateSchedule::of(look.change.unit, delay)
            }
        };
        self.looks.iter().filter(never_waits).map(of).collect()
    }
}
