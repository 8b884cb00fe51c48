//! All participants, listed by their status, so that who can go on is found without looking at all of them.

use core::ops::{Index, IndexMut};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::word::Kind;

use super::deadline::Deadline;
use super::numbers::ByNumber;
use super::parker::{Executor, Parker};
use super::participant::{Participant, Status};
use super::state::CLOCK;

/// How many candidates there are at most. Of more that are ready, those are chosen from that have been so longest.
const CANDIDATES: usize = 64;

/// See the module. How one stands is only changed here.
#[derive(Default)]
pub(super) struct Roster {
    all: Vec<Participant>,
    by_task: ByNumber<u32, usize>,
    by_name: HashMap<Name, usize>,
    /// How many there are that nobody spawned.
    roots: u32,
    /// Those that are ready, by since when; apart by what is to poll them, where that is not on a thread already.
    ready: BTreeMap<Option<Executor>, BTreeSet<(u64, usize)>>,
    /// Those that wait with their threads.
    blocked: Vec<usize>,
    /// Those that are beyond control, or may be woken from there.
    outside: BTreeSet<usize>,
    /// Those that come back from there, by name.
    arrived: BTreeSet<(Name, usize)>,
    /// Those that are in the middle of something on a thread.
    midway: Vec<usize>,
    /// How many have ended.
    over: usize,
    /// Counts changes.
    now: u64,
}

impl Index<usize> for Roster {
    type Output = Participant;

    fn index(&self, me: usize) -> &Participant {
        &self.all[me]
    }
}

impl IndexMut<usize> for Roster {
    fn index_mut(&mut self, me: usize) -> &mut Participant {
        &mut self.all[me]
    }
}

impl Roster {
    /// How often somebody's standing has changed.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Everybody there is or was.
    pub(super) fn everybody(&self) -> &[Participant] {
        &self.all
    }

    /// How many have not ended.
    pub(super) fn live(&self) -> usize {
        self.all.len() - self.over
    }

    /// The one of this task.
    pub(super) fn of_task(&self, task: u32) -> Option<usize> {
        self.by_task.get(&task).copied()
    }

    /// The one of this name.
    pub(super) fn named(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What a candidate is called.
    pub(super) fn name_of(&self, candidate: usize) -> Name {
        if candidate == CLOCK { Name::CLOCK } else { self.all[candidate].name.clone() }
    }

    /// One more, spawned by this one or by nobody.
    pub(super) fn add(&mut self, by: Option<usize>, task: u32, kind: Kind, place: u32) -> usize {
        let name = match by {
            Some(by) => self.all[by].child(),
            None => {
                self.roots += 1;
                Name::root(self.roots - 1)
            }
        };
        let index = self.all.len();
        self.by_task.insert(task, index);
        self.by_name.insert(name.clone(), index);
        self.now += 1;
        self.all.push(Participant::new(name, task, kind, place, self.now));
        self.list(index);
        index
    }

    /// From now on this one stands like that.
    pub(super) fn stand(&mut self, me: usize, status: Status) {
        self.unlist(me);
        self.now += 1;
        let it = &mut self.all[me];
        self.over += usize::from(status == Status::Over && it.status != Status::Over);
        (it.status, it.since) = (status, self.now);
        self.list(me);
    }

    /// From now on it is in the middle of something on this thread, or of nothing.
    pub(super) fn halt(&mut self, me: usize, on: Option<&'static Parker>) {
        self.unlist(me);
        self.all[me].on = on;
        self.list(me);
    }

    /// What polls it.
    pub(super) fn live_at(&mut self, me: usize, executor: Option<Executor>) {
        self.unlist(me);
        self.all[me].executor = executor;
        self.list(me);
    }

    /// What is to poll this one, if it is not on a thread already.
    fn key(it: &Participant) -> Option<Executor> {
        it.executor.filter(|_| it.on.is_none())
    }

    fn list(&mut self, me: usize) {
        let it = &self.all[me];
        match it.status {
            Status::Ready => {
                self.ready.entry(Roster::key(it)).or_default().insert((it.since, me));
            }
            Status::Waiting(_) | Status::Spinning(_) | Status::Parked => self.blocked.push(me),
            Status::Outside(_) | Status::Missing => {
                self.outside.insert(me);
            }
            Status::Suspended if it.is_unrecorded => {
                self.outside.insert(me);
            }
            Status::Arrived => {
                self.arrived.insert((it.name.clone(), me));
            }
            _ => {}
        }
        if it.on.is_some() {
            self.midway.push(me);
        }
    }

    fn unlist(&mut self, me: usize) {
        let it = &self.all[me];
        match it.status {
            Status::Ready => {
                if let Some(ready) = self.ready.get_mut(&Roster::key(it)) {
                    ready.remove(&(it.since, me));
                }
            }
            Status::Waiting(_) | Status::Spinning(_) | Status::Parked => self.blocked.retain(|it| *it != me),
            Status::Arrived => {
                self.arrived.remove(&(it.name.clone(), me));
            }
            _ => {
                self.outside.remove(&me);
            }
        }
        if it.on.is_some() {
            self.midway.retain(|it| *it != me);
        }
    }

    /// Those that are ready and have a thread, the one that has been ready longest first.
    pub(super) fn ready(&self) -> Vec<usize> {
        let free = self.ready.iter().filter(|it| it.0.is_none_or(|executor| self.has_room(executor)));
        let mut ready: Vec<(u64, usize)> =
            free.flat_map(|it| it.1.iter().copied().take(CANDIDATES)).collect();
        ready.sort_unstable();
        ready.truncate(CANDIDATES);
        // There is room for one who goes on, and for the clock.
        let mut found = Vec::with_capacity(ready.len() + 2);
        found.extend(ready.into_iter().map(|it| it.1));
        found
    }

    /// Whether an executor has a thread left for one more.
    fn has_room(&self, executor: Executor) -> bool {
        let busy = self.midway.iter().filter(|it| self.all[**it].executor == Some(executor)).count();
        busy < executor.workers.max(1) as usize
    }

    /// Those that wait with their threads for this object, the one that has waited longest first.
    pub(super) fn waiting_for(&self, object: u64) -> Vec<usize> {
        self.blocked_if(|it| it.waits_for(object))
    }

    /// Those that look at something again and again.
    pub(super) fn spinning(&self) -> Vec<usize> {
        self.blocked_if(|it| matches!(it.status, Status::Spinning(_)))
    }

    /// Those whose threads are parked.
    pub(super) fn parked(&self) -> Vec<usize> {
        self.blocked_if(|it| it.status == Status::Parked)
    }

    /// Those that wait with their threads until a time that has come.
    pub(super) fn late(&self, clock_time: u64, ticks: u64) -> Vec<usize> {
        self.blocked_if(|it| it.deadline.is_some_and(|it| it.has_come(clock_time, ticks)))
    }

    fn blocked_if(&self, is_wanted: impl Fn(&Participant) -> bool) -> Vec<usize> {
        let wanted = self.blocked.iter().copied().filter(|it| is_wanted(&self.all[*it]));
        let mut wanted: Vec<usize> = wanted.collect();
        wanted.sort_unstable_by_key(|it| self.all[*it].since);
        wanted
    }

    /// The earliest time until which somebody waits with their thread.
    pub(super) fn next_deadline(&self) -> Option<Deadline> {
        self.blocked.iter().filter_map(|it| self.all[*it].deadline).min_by_key(|it| it.due)
    }

    /// Whether anybody is in the middle of something that is not controlled.
    pub(super) fn is_anybody_beyond(&self) -> bool {
        self.outside.iter().any(|it| self.all[*it].status != Status::Suspended)
    }

    /// Of those that come back from outside the first one by name.
    pub(super) fn first_arrived(&self) -> Option<usize> {
        self.arrived.first().map(|it| it.1)
    }

    /// Whether something that is not controlled may make somebody go on.
    pub(super) fn is_anybody_outside(&self) -> bool {
        !self.outside.is_empty()
    }
}
