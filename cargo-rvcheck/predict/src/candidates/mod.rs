//! Candidate schedules: where another schedule might hang, although nothing here shows that it does.
//!
//! A prediction of locks comes with a schedule that ends in it. For channels, signals and permits of several semaphores there is
//! none to be had from one run: how often a task sends, and whether it waits at all, is up to what the others have done before. So
//! nothing is reported of a candidate. It only says where tasks have to be delayed for it to come about, and the test is run again
//! like that.
//!
//! There is one rule a file. All of them are cheap, and look at each event once.

mod answers;
mod channel_cycles;
mod crossed;
mod over;
mod permits;
mod signals;
mod stale;
#[cfg(test)]
mod tests;
mod what_if;

use crate::calls::tries;
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, ObjectKind, TaskKind};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::BTreeSet;
pub use what_if::{Receiver, WhatIf};

/// How many candidates there are of one trace at most.
const MOST: usize = 64;
/// How much of what a task has is remembered, the last first.
const HELD: usize = 16;

/// How tasks of a test are to be delayed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CandidateSchedule {
    /// The unit.
    pub unit: UnitId,
    /// The delays.
    pub delays: Vec<SiteDelay>,
    /// It may well be meant like that, and only the source can tell.
    pub may_be_meant: bool,
    /// Other places that it has to do with.
    pub about: Vec<SiteId>,
}

/// Where a task is delayed, and until when.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SiteDelay {
    /// A task that is about to ask for something there.
    pub at: SiteId,
    /// Only a task that has what was acquired there; none where that does not matter.
    pub having: SiteId,
    /// Only a task that was spawned there; none where that does not matter.
    pub by: SiteId,
    /// Until then.
    pub until: Until,
    /// How often it has to have been done, where something is to be done.
    pub times: u32,
    /// Only if the other task was spawned there; none where that does not matter.
    pub until_by: SiteId,
}

/// What another task has to do first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Until {
    /// It has what was acquired there.
    Held(SiteId),
    /// It waits there.
    Waiting(SiteId),
    /// It has done something there.
    Done(SiteId),
}

impl CandidateSchedule {
    fn of_all(unit: UnitId, delays: Vec<SiteDelay>) -> CandidateSchedule {
        CandidateSchedule { unit, delays, may_be_meant: false, about: Vec::new() }
    }

    fn of(unit: UnitId, delay: SiteDelay) -> CandidateSchedule {
        CandidateSchedule::of_all(unit, vec![delay])
    }
}

impl SiteDelay {
    fn until(at: SiteId, until: Until) -> SiteDelay {
        SiteDelay { at, having: SiteId::NONE, by: SiteId::NONE, until, times: 1, until_by: SiteId::NONE }
    }

    fn having(self, having: SiteId) -> SiteDelay {
        SiteDelay { having, ..self }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    tasks: Map<u32, Doing>,
    over: over::Over,
    answers: answers::Answers,
    crossed: crossed::Crossed,
    permits: permits::Permits,
    channel_cycles: channel_cycles::ChannelCycles,
    signals: signals::Signals,
    stale: stale::Stale,
    filling: what_if::Filling,
}

/// What is known of a task at the moment.
#[derive(Clone, Debug, Default)]
struct Doing {
    /// The locks and permits that it has, and where it took them.
    held: Vec<(u32, SiteId)>,
    /// What it gave back last, if it did nothing else since, and where it had taken that.
    gave_back: Option<(u32, SiteId)>,
}

impl Observer for Candidates {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        self.stale.see(event, world);
        match event.kind {
            K::Acquire => {
                let doing = self.tasks.entry(event.task.0).or_default();
                doing.gave_back = None;
                if event.flags & flag::TRY == 0 {
                    self.over.takes(event, world);
                    self.crossed.takes(event, &doing.held, world);
                    self.signals.takes(event, world);
                }
                doing.takes(event);
            }
            K::Await => self.signals.awaits(event),
            K::Permit => {
                let doing = self.tasks.entry(event.task.0).or_default();
                if !tries(event.site, world) {
                    self.over.waits(event, &doing.held, over::Mover::GivesBack, world);
                    self.over.moves(event, over::Mover::GivesBack);
                    self.permits.takes(event, &doing.held, world);
                    self.crossed.takes(event, &doing.held, world);
                }
                doing.takes(event);
            }
            K::Release | K::PermitRelease | K::PermitForget => {
                if let Some(doing) = self.tasks.get_mut(&event.task.0) {
                    doing.gives_back(event.object);
                }
            }
            K::Join => {
                let held = self.tasks.get(&event.task.0).map_or(&[][..], |it| &it.held);
                self.over.waits(event, held, over::Mover::Ends, world);
            }
            K::Send | K::Recv | K::Signalled | K::SignalWait | K::NotifyOne | K::NotifyAll => {
                self.tells(event, world);
            }
            K::Finish | K::Cancel | K::Panic => {
                if self.tasks.get(&event.task.0).is_some_and(|it| it.held.is_empty()) {
                    self.tasks.remove(&event.task.0);
                }
                self.answers.ends(event.task.0);
            }
            _ => {}
        }
    }
}

impl Candidates {
    /// Nothing was seen yet.
    pub fn new() -> Candidates {
        Candidates::default()
    }

    fn tells(&mut self, event: &Event, world: &World) {
        use over::Mover;
        let tries = tries(event.site, world);
        let doing = self.tasks.entry(event.task.0).or_default();
        let gave_back = doing.gave_back.take();
        // What ends a wait here, and who can.
        let (by, own) = match event.kind {
            EventKind::Send => (Some(Mover::Receives), Some(Mover::Sends)),
            EventKind::Recv => (Some(Mover::Sends), Some(Mover::Receives)),
            EventKind::Signalled | EventKind::SignalWait => (Some(Mover::Signals), None),
            _ => (None, Some(Mover::Signals)),
        };
        if let Some(by) = by.filter(|_| !tries && event.kind != EventKind::SignalWait) {
            self.over.waits(event, &doing.held, by, world);
        }
        let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
        let meets = matches!(
            kind,
            Some(ObjectKind::StdBarrier | ObjectKind::TokioBarrier | ObjectKind::AsyncLockBarrier)
        );
        // Whoever waits at a barrier is one of those who let the others go on.
        if let Some(own) = own.or(meets.then_some(Mover::Signals)) {
            self.over.moves(event, own);
        }
        match event.kind {
            EventKind::Send => {
                self.filling.sends(event.object);
                self.answers.sends(event, tries, world);
                self.channel_cycles.sends(event, tries, world);
            }
            EventKind::Recv => {
                self.filling.receives(event.object);
                self.answers.receives(event, tries, world);
                self.channel_cycles.receives(event);
            }
            _ => self.signals.see(event, gave_back, world),
        }
    }

    /// What would stand still if channels were full that never were. Nothing is there twice.
    pub fn what_ifs(&self) -> Vec<WhatIf> {
        let all: BTreeSet<WhatIf> =
            self.over.what_ifs(&self.filling).chain(self.channel_cycles.what_ifs(&self.filling)).collect();
        let mut places = Set::default();
        all.into_iter().filter(|it| places.insert(it.sends_at)).take(MOST).collect()
    }

    /// The candidates, now that there are no more events. None is there twice.
    pub fn finish(self) -> Vec<CandidateSchedule> {
        let mut all: BTreeSet<CandidateSchedule> = BTreeSet::new();
        let found = [
            self.over.candidates(),
            self.answers.candidates(),
            self.permits.candidates(),
            self.signals.candidates(),
            self.channel_cycles.candidates(),
            self.crossed.candidates(),
            self.stale.candidates(),
        ];
        for candidate in found.into_iter().flatten() {
            let mut candidate = candidate;
            candidate.delays.sort_unstable();
            candidate.delays.dedup();
            if all.len() < MOST && candidate.delays.iter().all(SiteDelay::is_placed) {
                all.insert(candidate);
            }
        }
        all.into_iter().collect()
    }
}

impl SiteDelay {
    fn is_placed(&self) -> bool {
        self.at.is_some() && self.until.site().is_some()
    }
}

impl Until {
    /// Where.
    pub fn site(self) -> SiteId {
        match self {
            Until::Held(site) | Until::Waiting(site) | Until::Done(site) => site,
        }
    }
}

impl Doing {
    fn takes(&mut self, event: &Event) {
        // What is given back by somebody else stays here.
        if self.held.len() == HELD {
            self.held.remove(0);
        }
        self.held.push((event.object, event.site));
    }

    fn gives_back(&mut self, object: u32) {
        if let Some(at) = self.held.iter().rposition(|it| it.0 == object) {
            self.gave_back = Some(self.held.remove(at));
        }
    }
}

/// Whether the task has a thread of its own, which can be delayed wherever it is.
fn is_thread(task: TaskId, world: &World) -> bool {
    matches!(world.task(task).map(|it| it.kind), Some(TaskKind::Thread | TaskKind::Blocking))
}

/// Where the task was spawned; none where that is not known.
fn spawned_at(task: TaskId, world: &World) -> SiteId {
    world.task(task).map_or(SiteId::NONE, |it| it.spawned_at)
}

/// What an object was born with room for; 0 where there is no limit, or none that is known.
fn capacity(object: u32, world: &World) -> u32 {
    world.object(ObjectId(object)).map_or(0, |it| it.capacity)
}

/// For how many messages a channel has room before its senders wait: none where sender and receiver meet. `None` for one that keeps no
/// sender waiting, or of which nothing is known.
fn room(object: u32, world: &World) -> Option<u32> {
    let channel = world.object(ObjectId(object))?;
    let loses = matches!(channel.kind, ObjectKind::TokioBroadcast | ObjectKind::TokioWatch);
    let room = (channel.hands_over || channel.capacity > 0).then_some(channel.capacity);
    room.filter(|_| !loses)
}
