//! The polls and waits of a process that took longest.

use super::context::{FindingContext, Moment};
use super::recent::Recent;
use super::scene::Scene;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort, TaskKind};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_page::SlowRow;
use rvcheck_spec::Witness;
use std::collections::HashMap;

/// How many of each are kept.
const MOST: usize = 10;

/// See the module.
pub(super) struct Slowest<'a> {
    context: FindingContext<'a>,
    recent: Recent,
    polls: Vec<SlowRow>,
    waits: Vec<SlowRow>,
    /// When and where each wait has begun, by who waits and for what.
    begun: HashMap<(TaskId, Sort, u32), (u64, SiteId)>,
    /// Where each task was suspended last.
    awaited: HashMap<TaskId, SiteId>,
}

/// What took longest, the longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Slow {
    pub(super) polls: Vec<SlowRow>,
    pub(super) waits: Vec<SlowRow>,
}

impl<'a> Slowest<'a> {
    /// Before the first event.
    pub(super) fn new(context: FindingContext<'a>) -> Slowest<'a> {
        Slowest {
            context,
            recent: Recent::default(),
            polls: Vec::new(),
            waits: Vec::new(),
            begun: HashMap::new(),
            awaited: HashMap::new(),
        }
    }

    /// After the last event.
    pub(super) fn finish(self) -> Slow {
        Slow { polls: self.polls, waits: self.waits }
    }

    fn poll(&mut self, event: &Event, world: &World) {
        let awaited = self.awaited.remove(&event.task);
        let kind = || world.task(event.task).map(|it| it.kind);
        // A closure on a thread of its own keeps nobody waiting.
        if !is_long(&self.polls, event.ns) || matches!(kind(), Some(TaskKind::Blocking | TaskKind::Thread)) {
            return;
        }
        let site = awaited.or_else(|| world.task(event.task).map(|it| it.spawned_at)).unwrap_or(SiteId::NONE);
        let what = match (event.kind, awaited) {
            (EventKind::Suspend, Some(_)) => "ran until this await",
            (EventKind::Suspend, None) => "ran until it was suspended",
            _ => "ran until its end",
        };
        let row = self.row(event.ns, event, what.to_owned(), site, world);
        add(&mut self.polls, row);
    }

    fn wait_is_over(&mut self, event: &Event, world: &World) {
        let Some((sort, id)) = waited(event) else { return };
        let Some((begun, site)) = self.begun.remove(&(event.task, sort, id)) else { return };
        let nanos = event.time.saturating_sub(begun);
        if !is_long(&self.waits, nanos) {
            return;
        }
        let witness = Witness { first: vec![*event], ..Witness::default() };
        let moment = Moment { world, recent: &self.recent };
        let name = Scene::of(self.context.sources, moment, &witness).name(Value::Object(sort, id));
        let what = match event.kind {
            EventKind::Recv => format!("waited for a message from {name}"),
            EventKind::Send => format!("waited for room in {name}"),
            EventKind::Join => format!("waited for the end of {name}"),
            EventKind::Permit => format!("waited for permits of {name}"),
            _ => format!("waited for {name}"),
        };
        let row = self.row(nanos, event, what, site, world);
        add(&mut self.waits, row);
    }

    fn row(&self, nanos: u64, event: &Event, what: String, site: SiteId, world: &World) -> SlowRow {
        let witness = Witness { first: vec![*event], ..Witness::default() };
        let scene = Scene::of(self.context.sources, Moment { world, recent: &self.recent }, &witness);
        SlowRow {
            nanos,
            who: scene.task(event.task),
            what,
            place: scene.position(site).unwrap_or_default(),
            test: if event.unit == UnitId::PROCESS {
                String::new()
            } else {
                self.context.unit_name(event.unit, world.names())
            },
        }
    }
}

impl Observer for Slowest<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        match event.kind {
            K::Await => {
                self.awaited.insert(event.task, event.site);
            }
            K::Suspend | K::Finish | K::Cancel => self.poll(event, world),
            K::Request if event.flags & flag::TRY != 0 => {}
            K::Request | K::SendWait | K::RecvWait | K::PermitWait | K::SignalWait | K::JoinWait => {
                if let Some((sort, id)) = waited(event) {
                    self.begun.entry((event.task, sort, id)).or_insert((event.time, event.site));
                }
            }
            K::Acquire | K::Send | K::Recv | K::Permit | K::Signalled | K::Join if !self.begun.is_empty() => {
                self.wait_is_over(event, world);
            }
            K::Withdraw | K::SendCancel | K::RecvCancel | K::PermitCancel | K::SignalCancel => {
                if let Some((sort, id)) = waited(event) {
                    self.begun.remove(&(event.task, sort, id));
                }
            }
            _ => {}
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        for (_, id) in dead.iter().filter(|it| it.0 == Sort::Task) {
            self.awaited.remove(&TaskId(*id));
        }
    }
}

/// What is waited for.
fn waited(event: &Event) -> Option<(Sort, u32)> {
    if let Value::Object(sort, id) = event.argument(1) { Some((sort, id)) } else { None }
}

fn is_long(rows: &[SlowRow], nanos: u64) -> bool {
    nanos > 0 && (rows.len() < MOST || rows.last().is_some_and(|it| it.nanos < nanos))
}

fn add(rows: &mut Vec<SlowRow>, row: SlowRow) {
    let at = rows.partition_point(|it| it.nanos >= row.nanos);
    rows.insert(at, row);
    rows.truncate(MOST);
}

/// Those of several processes that took longest.
pub(super) fn longest(mut rows: Vec<SlowRow>) -> Vec<SlowRow> {
    rows.sort_by(|a, b| {
        b.nanos.cmp(&a.nanos).then_with(|| (&a.place, &a.who, &a.test).cmp(&(&b.place, &b.who, &b.test)))
    });
    rows.truncate(MOST);
    rows
}
