//! Permits of several semaphores that are taken in inverted orders, and locks that are so with another lock of the same kind.
//!
//! A task that has a permit of one semaphore and asks for another one waits for those that have all of that. If they ask for the first
//! one, all of them wait. Each is delayed before it asks: the one until the other has what it asks for, the other until the one waits.
//!
//! Two locks in inverted orders are predicted. One may also be taken before and after two different locks that were made in one place, such
//! as those of the sessions that a registry has: another run may take the same one of them both times.

use super::{CandidateSchedule, SiteDelay, Until, capacity};
use crate::ids::Set;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, UnitId};
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
    /// Where both were made.
    made: [SiteId; 2],
}

impl Asked {
    /// What both have and want is the same, the other way round.
    fn inverts(&self, other: &Asked) -> bool {
        (self.has, self.wants) == (other.wants, other.has)
    }

    /// One of the two is the same, the other way round, and in place of the other one there is another one that was made in the same place.
    fn nearly_inverts(&self, other: &Asked) -> bool {
        let [has_made, wants_made] = self.made;
        let is_like = [wants_made, has_made] == other.made && has_made != wants_made;
        let is_known = self.unit == other.unit && has_made.is_some() && wants_made.is_some();
        is_like && is_known && (self.has == other.wants) != (self.wants == other.has)
    }
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
        let made = |object: u32| world.object(ObjectId(object)).map_or(SiteId::NONE, |it| it.born_at);
        for (has, had_at) in held {
            let key = (*has, had_at.0, event.site.0);
            if *has != event.object && self.asked.len() < MOST && self.known.insert(key) {
                let (task, unit, wants, at) = (event.task.0, event.unit, event.object, event.site);
                let made = [made(*has), made(wants)];
                self.asked.push(Asked { task, unit, has: *has, had_at: *had_at, wants, at, made });
            }
        }
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut found = Vec::new();
        for one in &self.asked {
            // Where both are locks, that is predicted.
            let several = [one.has, one.wants].iter().any(|it| self.several.contains(it));
            let crosses = |it: &&Asked| {
                let is_crossed = several && it.inverts(one) || it.nearly_inverts(one);
                is_crossed && (it.task, it.unit) != (one.task, one.unit)
            };
            for other in self.asked.iter().filter(crosses) {
                let waits = SiteDelay::until(one.at, Until::Held(other.had_at)).having(one.had_at);
                let then = SiteDelay::until(other.at, Until::Waiting(one.at)).having(other.had_at);
                found.push(CandidateSchedule::of_all(one.unit, vec![waits, then]));
            }
        }
        found
    }
}
