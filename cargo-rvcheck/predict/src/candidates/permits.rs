//! Permits that are taken by several tasks, one after the other.
//!
//! A task that has some permits of a semaphore and asks for more may have to wait for another one that does the same. So each is
//! delayed before it asks for more, until all permits are taken.

use super::{CandidateSchedule, SiteDelay, Until, capacity};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::world::World;

/// How many tasks are remembered.
const MOST: usize = 4096;

#[derive(Clone, Copy, Debug)]
struct More {
    unit: UnitId,
    semaphore: u32,
    permits: u32,
    had_at: SiteId,
    at: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Permits {
    asked: Vec<More>,
    known: Set<(u32, u32)>,
    /// How many tasks do so with each semaphore.
    tasks: Map<u32, u32>,
}

impl Permits {
    /// Somebody who has these takes permits, and would wait for them.
    pub(super) fn takes(&mut self, event: &Event, held: &[(u32, SiteId)], world: &World) {
        let Some((_, had_at)) = held.iter().find(|it| it.0 == event.object) else { return };
        let permits = capacity(event.object, world);
        if permits > 1 && self.known.len() < MOST && self.known.insert((event.task.0, event.object)) {
            *self.tasks.entry(event.object).or_default() += 1;
            let (unit, semaphore) = (event.unit, event.object);
            self.asked.push(More { unit, semaphore, permits, had_at: *had_at, at: event.site });
        }
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for more in &self.asked {
            let tasks = self.tasks.get(&more.semaphore).copied().unwrap_or(0);
            if tasks < 2 {
                continue;
            }
            // Where there are more tasks than permits, one of them waits for its first.
            let until =
                if tasks > more.permits { Until::Waiting(more.had_at) } else { Until::Held(more.had_at) };
            found
                .push(CandidateSchedule::of(more.unit, SiteDelay::until(more.at, until).having(more.had_at)));
        }
        found
    }
}
