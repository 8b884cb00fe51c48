//! Which other order of what a controlled run did a lifestate prohibits, by the points of that run.
//!
//! Unlike in a [prediction](super::predicted) from a trace alone, nothing comes twice here: each task and thread does what it did, and the
//! question is who comes first. So what is found can be tried.

use crate::check::process::with_trace;
use crate::explore::directed::{Order, Turn};
use camino::Utf8Path;
use rvcheck_event::event::Event;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Outcome, Participant};
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::Trace;
use rvcheck_event::world::World;
use rvcheck_predict::Gather;
use rvcheck_predict::reorder::Moments;
use rvcheck_spec::Lifestate;
use rvcheck_spec::evaluation::lifestate::blocks::{Blocks, Cutter};
use rvcheck_spec::evaluation::lifestate::predict::replayed;
use std::collections::{BTreeMap, BTreeSet};

/// How many messages are stepped through for one lifestate and test.
const MOST: usize = 1 << 20;

/// The orders that the lifestate prohibits, each for other places. The trace is that of the run with this outcome, which lists its choices.
pub fn orders(trace: &Utf8Path, outcome: &Outcome, lifestate: &Lifestate) -> Vec<Order> {
    with_trace(trace.as_std_path(), |trace| of_trace(trace, outcome, lifestate)).unwrap_or_default()
}

fn of_trace(trace: &Trace<'_>, outcome: &Outcome, lifestate: &Lifestate) -> Vec<Order> {
    let mut gather = Gather::with_calls();
    let mut points = Points::new(outcome);
    let mut cutter = Cutter::into_steps(lifestate);
    // By unit: the number of the event that each message is, whose it is, and the points before it.
    let mut messages: BTreeMap<UnitId, Vec<(u64, TaskId, Option<Turn>)>> = BTreeMap::new();
    let mut count = 0;
    super::feed(&mut merge::events(trace), |event, world| {
        gather.observe(event, world);
        let turn = points.step(event, world);
        if let Some(unit) = cutter.step(event, world) {
            messages.entry(unit).or_default().push((count, event.task, turn));
        }
        count += 1;
    });
    let history = gather.finish();
    let mut found = Vec::new();
    for (unit, blocks) in cutter.finish() {
        let of_unit = messages.remove(&unit).unwrap_or_default();
        let moments = Moments::new(&history, of_unit.iter().map(|it| (it.0, it.1)));
        let turns: Vec<Option<Turn>> = of_unit.into_iter().map(|it| it.2).collect();
        let words = moments.map(|it| prohibited(lifestate, &blocks, &it)).unwrap_or_default();
        found.extend(words.iter().map(|it| order(it, &turns)));
    }
    found
}

/// The words of messages that the lifestate prohibits, in each of which two have changed sides: of each two places one, those first that
/// are next to each other.
fn prohibited(lifestate: &Lifestate, blocks: &Blocks, moments: &Moments) -> Vec<Vec<usize>> {
    let length = blocks.blocks.len();
    let place = |it: usize| blocks.blocks[it].messages.first().map(|it| (it.event.kind, it.event.site));
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    let mut left = MOST;
    for distance in 1..length {
        for first in 0..length - distance {
            let second = first + distance;
            for (last, other) in [(second, first), (first, second)] {
                let Some(word) = moments.moved(other, last) else { continue };
                if left < word.len() {
                    return found;
                }
                left -= word.len();
                if let Some(violated) = replayed(lifestate, blocks, &word)
                    && known.insert((violated.blocks.last().copied().and_then(place), place(other)))
                {
                    found.push(violated.blocks);
                }
            }
        }
    }
    found
}

/// The order in which only these messages come, with the points before all of them.
fn order(word: &[usize], turns: &[Option<Turn>]) -> Order {
    let mut left_out: BTreeMap<&Name, &Turn> = BTreeMap::new();
    for (_, turn) in turns.iter().enumerate().filter(|it| !word.contains(&it.0)) {
        if let Some(turn) = turn {
            left_out.entry(&turn.at.of).or_insert(turn);
        }
    }
    Order {
        word: word.iter().map(|it| turns.get(*it).cloned().flatten()).collect(),
        left_out: left_out.into_values().cloned().collect(),
    }
}

/// Where each event of a run has its point, by whose it is and how often something was done at its place.
struct Points<'o> {
    outcome: &'o Outcome,
    names: BTreeMap<TaskId, Name>,
    children: BTreeMap<TaskId, u32>,
    /// How often a task has done something at a place.
    times: BTreeMap<(TaskId, SiteId), usize>,
}

impl<'o> Points<'o> {
    fn new(outcome: &'o Outcome) -> Points<'o> {
        Points { outcome, names: BTreeMap::new(), children: BTreeMap::new(), times: BTreeMap::new() }
    }

    /// The points before this event, if there are any.
    fn step(&mut self, event: &Event, world: &World) -> Option<Turn> {
        let place = |site: SiteId| {
            let place = world.names().site(site)?;
            Some(ProgramPoint { file: place.file.clone(), position: place.position })
        };
        match event.kind {
            EventKind::TestBegin => {
                self.names.insert(event.task, Name::test());
            }
            EventKind::Spawn => {
                let ordinal = self.children.entry(event.task).or_default();
                *ordinal += 1;
                let name = self.names.get(&event.task)?.child(*ordinal);
                let is_it = |it: &&Participant| it.name == name;
                let participant = self.outcome.participants.iter().find(is_it)?;
                // Two ways to count the same spawns.
                if participant.spawned.is_none() || participant.spawned == place(event.site) {
                    self.names.insert(TaskId(event.object), name);
                }
            }
            kind if is_done(kind) => {
                let times = self.times.entry((event.task, event.site)).or_default();
                *times += 1;
                let (name, at) = (self.names.get(&event.task)?, place(event.site)?);
                let its = self.outcome.choices.iter().filter(|it| it.from.of == *name && it.at == at);
                let at = its.map(|it| it.from.clone()).nth(*times - 1)?;
                let mut polls = self.outcome.polls.iter();
                let polled = polls.rfind(|it| it.of == at.of && it.number <= at.number);
                // It is held where it stands before that.
                let before = |it: &Point| Point { number: (it.number - 1).max(1), ..it.clone() };
                return Some(Turn { polled: polled.map(before), at });
            }
            _ => {}
        }
        None
    }
}

/// Whether such an event says that something was done for which there is a point.
const fn is_done(kind: EventKind) -> bool {
    use EventKind as K;
    matches!(
        kind,
        K::User
            | K::Acquire
            | K::Send
            | K::Recv
            | K::Permit
            | K::NotifyOne
            | K::NotifyAll
            | K::Signalled
            | K::Abort
    )
}
