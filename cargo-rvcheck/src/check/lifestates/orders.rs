//! Which other order of what a controlled run did a lifestate prohibits, by the points of that run.
//!
//! Unlike in a [prediction](super::predicted) from a trace alone, nothing comes twice here: each participant does what it did, and the
//! question is who comes first. So what is found can be tried.

use crate::check::process::with_trace;
use crate::explore::directed::Order;
use camino::Utf8Path;
use rvcheck_event::event::Event;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::trace::merge;
use rvcheck_event::world::World;
use rvcheck_spec::Lifestate;
use rvcheck_spec::evaluation::lifestate::predict::predict_each;
use rvcheck_spec::evaluation::lifestate::steps::Steps;
use std::collections::BTreeMap;

/// How many states are looked at for one lifestate and test.
const STATES: usize = 1 << 14;

/// The orders that the lifestate prohibits, one for each message that it could be. The trace is that of the run with this outcome, which lists
/// its choices.
pub fn orders(trace: &Utf8Path, outcome: &Outcome, lifestate: &Lifestate) -> Vec<Order> {
    let found = with_trace(trace.as_std_path(), |trace| {
        let mut points = Points::new(outcome);
        let mut steps = Steps::new(lifestate);
        let mut of_steps: BTreeMap<UnitId, Vec<Option<Point>>> = BTreeMap::new();
        super::feed(&mut merge::events(trace), |event, world| {
            let point = points.step(event, world);
            if let Some(unit) = steps.step(event, world) {
                of_steps.entry(unit).or_default().push(point);
            }
        });
        let of_unit = |(unit, blocks)| {
            let points = of_steps.get(&unit).map(Vec::as_slice).unwrap_or_default();
            let words = predict_each(lifestate, &blocks, STATES);
            words.into_iter().map(|it| order(&it.blocks, points)).collect::<Vec<_>>()
        };
        steps.finish().into_iter().flat_map(of_unit).collect()
    });
    found.unwrap_or_default()
}

/// The order in which only these steps come, with the points of all steps.
fn order(word: &[usize], points: &[Option<Point>]) -> Order {
    let mut left_out: BTreeMap<&Name, &Point> = BTreeMap::new();
    for (_, point) in points.iter().enumerate().filter(|it| !word.contains(&it.0)) {
        if let Some(point) = point {
            left_out.entry(&point.of).or_insert(point);
        }
    }
    Order {
        word: word.iter().map(|it| points.get(*it).cloned().flatten()).collect(),
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

    /// The point before this event, if there is one.
    fn step(&mut self, event: &Event, world: &World) -> Option<Point> {
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
                let is_it = |it: &&rvcheck_event::exploration::outcome::Participant| it.name == name;
                let told = self.outcome.participants.iter().find(is_it)?;
                // Two ways to count the same spawns.
                if told.spawned.is_none() || told.spawned == place(event.site) {
                    self.names.insert(TaskId(event.object), name);
                }
            }
            kind if is_done(kind) => {
                let times = self.times.entry((event.task, event.site)).or_default();
                *times += 1;
                let (name, at) = (self.names.get(&event.task)?, place(event.site)?);
                let its = self.outcome.choices.iter().filter(|it| it.from.of == *name && it.at == at);
                return its.map(|it| it.from.clone()).nth(*times - 1);
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
