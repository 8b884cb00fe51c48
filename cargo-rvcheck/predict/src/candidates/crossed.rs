//! Permits of several semaphores that are taken in inverted orders.
//!
//! A task that has a permit of one semaphore and asks for another one waits for those that have all of that. If they ask for the first
//! one, all of them wait. Each is delayed before it asks: the one until the other has what it asks for, the other until the one waits.

use super::{CandidateSchedule, SiteDelay, Until, capacity};
use crate::ids::Set;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::world::World;

/// How many requests are remembered.
const MOST: usize = 1024;

/// Somebody asks for something and has something else.
#[derive(Clone, Copy, Debug)]
struct Asked {
    task: u32,
    unit: UnitId,
    has: u32,
    had_at: SiteId,
    wants: u32,
    at: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossed {
    asked: Vec<Asked>,
    known: Set<(u32, u32, u32)>,
    several: Set<u32>,
}

impl Crossed {
    /// Somebody who has these takes a lock or permits, and would wait for that.
    pub(super) fn takes(&mut self, event: &Event, held: &[(u32, SiteId)], world: &World) {
        if capacity(event.object, world) > 1 {
            self.several.insert(event.object);
        }
        for (has, had_at) in held {
            let key = (*has, had_at.0, event.site.0);
            if *has != event.object && self.asked.len() < MOST && self.known.insert(key) {
                let (task, unit, wants, at) = (event.task.0, event.unit, event.object, event.site);
                self.asked.push(Asked { task, unit, has: *has, had_at: *had_at, wants, at });
            }
        }
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for one in &self.asked {
            // Where both are locks, that is predicted.
            let several = [one.has, one.wants].iter().any(|it| self.several.contains(it));
            let crosses = |it: &&Asked| {
                (it.has, it.wants) == (one.wants, one.has) && (it.task, it.unit) != (one.task, one.unit)
            };
            for other in self.asked.iter().filter(|_| several).filter(crosses) {
                let waits = SiteDelay::until(one.at, Until::Held(other.had_at)).having(one.had_at);
                let then = SiteDelay::until(other.at, Until::Waiting(one.at)).having(other.had_at);
                found.push(CandidateSchedule::of_all(one.unit, vec![waits, then]));
            }
        }
        found
    }
}
