//! Tasks that ask each other, and each waits for its answer.
//!
//! A task *serves* from when it receives a message until it receives the next one from the same channel. If it asks another task
//! meanwhile and waits for the answer, and that one may do the same, then both may wait at once, and neither serves. So one of them is
//! delayed before it asks until the other one waits for its answer; of several that ask each other in a cycle, all but the last.
//!
//! Those who ask often share the function that does it. So a delay also says where its task was spawned.

use super::{CandidateSchedule, SiteDelay, Until, is_thread, room, spawned_at};
use crate::ids::{Map, Set};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::world::World;

/// How many questions are remembered, and how many messages that were not received yet.
const MOST: usize = 4096;
/// The longest cycle.
const LONGEST: usize = 4;

/// A message on its way.
#[derive(Clone, Copy, Debug)]
struct Message {
    by: u32,
    site: SiteId,
    /// Its sender can be delayed before it sends it.
    waits: bool,
    /// Its sender served this one then.
    answers: Option<Served>,
}

/// What a task serves.
#[derive(Clone, Copy, Debug)]
struct Served {
    /// Who sent it.
    by: u32,
    channel: u32,
    sent_at: SiteId,
    waits: bool,
    received_at: SiteId,
}

/// A task that serves has asked another one.
#[derive(Clone, Copy, Debug)]
struct Question {
    unit: UnitId,
    by: u32,
    /// Where that one was spawned.
    spawned: SiteId,
    to: u32,
    /// Where it can be delayed before it asks.
    before: SiteId,
    /// Where it waits for the answer.
    waits_at: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    messages: Map<(u32, u64), Message>,
    serving: Map<u32, Served>,
    questions: Vec<Question>,
    known: Set<(u32, u32, u32)>,
}

impl Answers {
    pub(super) fn sends(&mut self, event: &Event, tries: bool, world: &World) {
        if self.messages.len() >= MOST || event.number == 0 {
            return;
        }
        let waits = !tries && (room(event.object, world).is_some() || is_thread(event.task, world));
        let answers = self.serving.get(&event.task.0).copied();
        let message = Message { by: event.task.0, site: event.site, waits, answers };
        self.messages.insert((event.object, event.number), message);
    }

    pub(super) fn receives(&mut self, event: &Event, tries: bool, world: &World) {
        let Some(message) = self.messages.remove(&(event.object, event.number)) else { return };
        let serving = self.serving.get(&event.task.0).copied();
        match message.answers {
            // The answer to what this task has sent.
            Some(served) if served.by == event.task.0 && served.channel != event.object => {
                let Some(own) = serving.filter(|_| !tries) else { return };
                let before = if served.waits { served.sent_at } else { own.received_at };
                let key = (event.task.0, message.by, event.site.0);
                if self.known.len() < MOST && self.known.insert(key) {
                    self.questions.push(Question {
                        unit: event.unit,
                        by: event.task.0,
                        spawned: spawned_at(event.task, world),
                        to: message.by,
                        before,
                        waits_at: event.site,
                    });
                }
            }
            _ => {
                let served = Served {
                    by: message.by,
                    channel: event.object,
                    sent_at: message.site,
                    waits: message.waits,
                    received_at: event.site,
                };
                self.serving.insert(event.task.0, served);
            }
        }
    }

    pub(super) fn ends(&mut self, task: u32) {
        self.serving.remove(&task);
    }

    pub(super) fn candidates(self) -> Vec<CandidateSchedule> {
        let mut by: Map<u32, Vec<&Question>> = Map::default();
        for question in &self.questions {
            by.entry(question.by).or_default().push(question);
        }
        let mut found = Vec::new();
        for first in &self.questions {
            if found.len() < super::MOST {
                cycles(&by, &mut vec![first], &mut found);
            }
        }
        found
    }
}

/// Adds the cycles that a path of questions can be made into, each by another task.
fn cycles<'q>(
    by: &Map<u32, Vec<&'q Question>>,
    path: &mut Vec<&'q Question>,
    found: &mut Vec<CandidateSchedule>,
) {
    let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return };
    if last.to == first.by {
        let pairs = path.iter().zip(path.iter().skip(1));
        let delay = |(one, next): (&&Question, &&Question)| SiteDelay {
            by: one.spawned,
            until_by: next.spawned,
            ..SiteDelay::until(one.before, Until::Waiting(next.waits_at))
        };
        let delays = pairs.map(delay).collect();
        found.push(CandidateSchedule::of_all(first.unit, delays));
        return;
    }
    if path.len() == LONGEST || found.len() >= super::MOST || path.iter().any(|it| it.by == last.to) {
        return;
    }
    for next in by.get(&last.to).map_or(&[][..], Vec::as_slice) {
        path.push(next);
        cycles(by, path, found);
        path.pop();
    }
}
