//! Signals that are not kept, given before anybody waits.
//!
//! A task that waits for a signal is delayed before that until another task has given it; and, where it gives a lock back to wait,
//! before it takes that lock. If it looks at what the signal stands for in between, it goes on.
//!
//! What is changed only after a signal is looked for in a module of its own.
//!
//! A condition variable is for those who look at a condition. A `Notify` may also stand for nothing but itself: who waits for the
//! next signal does not miss the last one.

mod early;

use super::{CandidateSchedule, SiteDelay, Until};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::world::World;
use std::collections::BTreeMap;

/// How many places are remembered.
const MOST: usize = 4096;

#[derive(Clone, Copy, Debug)]
struct Waits {
    task: u32,
    unit: UnitId,
    site: SiteId,
    /// Where the lock was taken that was given back to wait.
    taken: Option<SiteId>,
    /// The next signal may be all that it waits for.
    may_be_meant: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    waits: BTreeMap<u32, Vec<Waits>>,
    /// Who gives a signal, and where.
    given: Map<u32, Vec<(u32, SiteId)>>,
    known: Set<(u32, u32, u32)>,
    early: early::Early,
}

impl Signals {
    /// `gave_back` is what the task has given back right before.
    pub(super) fn see(&mut self, event: &Event, gave_back: Option<(u32, SiteId)>, world: &World) {
        use EventKind as K;
        use ObjectKind as O;
        let kind = world.object(ObjectId(event.object)).map(|it| it.kind);
        let counts = match kind {
            // One signal is kept.
            Some(O::TokioNotify) => event.kind != K::NotifyOne,
            Some(kind) => kind.is_condvar() || kind == O::EventListenerEvent,
            None => false,
        };
        if counts {
            self.early.signals(event);
        }
        let key = (event.task.0, event.object, event.site.0);
        if !counts || self.known.len() >= MOST || !self.known.insert(key) {
            return;
        }
        let (task, unit, site) = (event.task.0, event.unit, event.site);
        if matches!(event.kind, K::NotifyOne | K::NotifyAll) {
            self.given.entry(event.object).or_default().push((task, site));
        } else {
            let may_be_meant = kind.is_some_and(ObjectKind::stands_for_itself);
            // A `Notify` gives no lock back.
            let taken = gave_back.map(|it| it.1).filter(|_| !may_be_meant);
            let waits = Waits { task, unit, site, taken, may_be_meant };
            self.waits.entry(event.object).or_default().push(waits);
        }
    }

    /// A task suspends.
    pub(super) fn awaits(&mut self, event: &Event) {
        self.early.awaits(event);
    }

    /// A task takes a lock, and would wait for it.
    pub(super) fn takes(&mut self, event: &Event, world: &World) {
        self.early.takes(event, world);
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = self.early.candidates();
        for (object, waits) in &self.waits {
            let given = self.given.get(object).map_or(&[][..], Vec::as_slice);
            for wait in waits {
                for (_, site) in given.iter().filter(|(task, _)| *task != wait.task) {
                    for at in [Some(wait.site), wait.taken].into_iter().flatten() {
                        let candidate =
                            CandidateSchedule::of(wait.unit, SiteDelay::until(at, Until::Done(*site)));
                        found.push(CandidateSchedule { may_be_meant: wait.may_be_meant, ..candidate });
                    }
                }
            }
        }
        found
    }
}
