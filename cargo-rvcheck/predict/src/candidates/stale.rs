//! What a task has looked at under a lock is stale once it gave the lock back.
//!
//! A task takes a lock, gives it back, takes another one or the same again, as one does to enrol as a waiter, and then waits: parked, for a
//! signal, or for the change of a watched value. Another task changes what the first lock is for, and wakes whoever waits. If it does so
//! between the two, the first task may wait forever. So it is delayed before the second of its steps until the other one has done the last
//! thing that it did together with the change, as often as in the recorded run, or once.

use super::{CandidateSchedule, SiteDelay, Until, spawned_at};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, What};
use rvcheck_event::record::flag;
use rvcheck_event::world::World;

/// How many of each are remembered.
const MOST: usize = 1024;
/// How many steps are between a look and the wait, and how many changes there are in one go.
const STEPS: usize = 4;

/// A lock that was taken, given back, and what was taken next.
#[derive(Clone, Copy, Debug)]
struct Look {
    lock: u32,
    looked: SiteId,
    /// Where the next one was taken.
    before: SiteId,
    steps: usize,
}

/// After a look somebody waits.
#[derive(Clone, Copy, Debug)]
struct Waits {
    task: u32,
    spawned: SiteId,
    unit: UnitId,
    look: Look,
    site: SiteId,
    /// The next signal may be all that it waits for.
    may_be_meant: bool,
}

/// What was changed in one go.
#[derive(Clone, Copy, Debug)]
struct Change {
    task: u32,
    spawned: SiteId,
    last: SiteId,
}

/// What a task did since it went on.
#[derive(Clone, Debug, Default)]
struct Doing {
    gave_back: Option<(u32, SiteId)>,
    looks: Vec<Look>,
    changed: Vec<u32>,
    last: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    doing: Map<u32, Doing>,
    waits: Vec<Waits>,
    /// By lock.
    changes: Map<u32, Vec<Change>>,
    /// How often each task did something in a place.
    times: Map<(u32, SiteId), u32>,
    known: Set<(u32, u32, u32)>,
}

impl Stale {
    pub(super) fn see(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        let task = event.task.0;
        match event.kind {
            K::Acquire if event.flags & flag::TRY == 0 => self.takes(event),
            K::Release => {
                if let Some(doing) = self.doing.get_mut(&task) {
                    doing.gave_back = Some((event.object, event.site));
                }
            }
            K::Send | K::NotifyOne | K::NotifyAll => {
                self.count(event);
                self.doing(task).last = event.site;
            }
            K::SignalWait => {
                let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
                let meets = matches!(
                    kind,
                    Some(ObjectKind::StdBarrier | ObjectKind::TokioBarrier | ObjectKind::AsyncLockBarrier)
                );
                if !meets {
                    self.waits(event, kind.is_some_and(ObjectKind::stands_for_itself), world);
                }
            }
            K::RecvWait => {
                let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
                if kind == Some(ObjectKind::TokioWatch) {
                    self.waits(event, false, world);
                }
            }
            K::Block => {
                let what = What::of_bits(event.flags & flag::ENUM);
                if what == Some(What::Park) {
                    self.waits(event, false, world);
                }
                if what != Some(What::Lock) {
                    self.goes_on(event, world);
                }
            }
            K::Await | K::Suspend | K::Finish | K::Cancel | K::Panic => self.goes_on(event, world),
            _ => {}
        }
    }

    fn doing(&mut self, task: u32) -> &mut Doing {
        if self.doing.len() >= MOST && !self.doing.contains_key(&task) {
            self.doing.clear();
        }
        self.doing.entry(task).or_default()
    }

    fn count(&mut self, event: &Event) {
        if self.times.len() < MOST || self.times.contains_key(&(event.task.0, event.site)) {
            *self.times.entry((event.task.0, event.site)).or_default() += 1;
        }
    }

    fn takes(&mut self, event: &Event) {
        self.count(event);
        let doing = self.doing(event.task.0);
        doing.looks.iter_mut().for_each(|it| it.steps += 1);
        doing.looks.retain(|it| it.steps < STEPS);
        if let Some((lock, looked)) = doing.gave_back.take()
            && looked != event.site
        {
            doing.looks.push(Look { lock, looked, before: event.site, steps: 0 });
        }
        doing.last = event.site;
        let writes = Mode::of_bits(event.flags & flag::ENUM) == Some(Mode::Write);
        if writes && doing.changed.len() < STEPS && !doing.changed.contains(&event.object) {
            doing.changed.push(event.object);
        }
    }

    fn waits(&mut self, event: &Event, may_be_meant: bool, world: &World) {
        let task = event.task.0;
        let looks = self.doing.get_mut(&task).map(|it| std::mem::take(&mut it.looks)).unwrap_or_default();
        for look in looks {
            let key = (task, look.before.0, event.site.0);
            if self.waits.len() < MOST && self.known.insert(key) {
                let (unit, site) = (event.unit, event.site);
                let spawned = spawned_at(event.task, world);
                self.waits.push(Waits { task, spawned, unit, look, site, may_be_meant });
            }
        }
    }

    /// The task suspends, blocks or ends: what comes then is done in another go.
    fn goes_on(&mut self, event: &Event, world: &World) {
        let task = event.task.0;
        let Some(doing) = self.doing.remove(&task) else { return };
        let change = Change { task, spawned: spawned_at(event.task, world), last: doing.last };
        for lock in doing.changed {
            let changes = self.changes.entry(lock).or_default();
            let is_known = |it: &Change| (it.task, it.last) == (change.task, change.last);
            if changes.len() < 2 * STEPS && !changes.iter().any(is_known) {
                changes.push(change);
            }
        }
    }

    pub(super) fn candidates(&self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for waits in &self.waits {
            let changes = self.changes.get(&waits.look.lock).into_iter().flatten();
            for change in changes.filter(|it| it.task != waits.task && it.last != waits.look.before) {
                let all = self.times.get(&(change.task, change.last)).copied().unwrap_or(1).max(1);
                for times in [Some(all), Some(1).filter(|_| all > 1)].into_iter().flatten() {
                    let delay = SiteDelay {
                        by: waits.spawned,
                        times,
                        until_by: change.spawned,
                        ..SiteDelay::until(waits.look.before, Until::Done(change.last))
                    };
                    found.push(CandidateSchedule {
                        may_be_meant: waits.may_be_meant,
                        about: vec![waits.look.looked, waits.site],
                        ..CandidateSchedule::of(waits.unit, delay)
                    });
                }
            }
        }
        found
    }
}
