//! From the events of one process to its timeline.

use super::super::labels::Labels;
use super::super::opened::{Looker, OpenTrace};
use super::points::Points;
use super::tracks::{Alone, Ids, Key, OpenSlice, Slots, Stack, TrackCursor, number, text};
use super::waits::Target;
use crate::timeline::{
    Category, Detail, Details, End, Flow, FlowKind, Id, Mark, Point, Track, TrackKind, TrackRef, Viewer,
};
use rvcheck_event::attribute;
use rvcheck_event::event::Event;
use rvcheck_event::id::{TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

/// See the module.
pub(super) struct Play<'a> {
    process: Id,
    trace: &'a OpenTrace<'a>,
    pub(super) ids: &'a mut Ids,
    budget: &'a mut Budget,
    pub(super) viewer: &'a mut dyn Viewer,
    pub(super) tasks: BTreeMap<u32, TaskTracks>,
    pub(super) threads: BTreeMap<u32, Stack>,
    /// By task.
    pub(super) waits: BTreeMap<(u32, Target), Alone>,
    /// By object, in the order in which they were taken: who has it, how many permits, and the slice.
    pub(super) holds: BTreeMap<u32, Vec<(u32, u64, Alone)>>,
    pub(super) points: Points,
    units: BTreeMap<u32, Arc<str>>,
    /// The time of the last event.
    last: u64,
}

/// How many events are played.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    /// There were more.
    pub(super) is_exceeded: bool,
}

impl Budget {
    pub(super) fn of(most: u64) -> Budget {
        Budget { left: most, is_exceeded: false }
    }

    /// Whether one more may be played.
    fn take(&mut self) -> bool {
        self.is_exceeded |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        !self.is_exceeded
    }
}

/// The tracks of a task.
pub(super) struct TaskTracks {
    pub(super) name: String,
    pub(super) unit: Arc<str>,
    pub(super) life: Id,
    pub(super) main: Stack,
    pub(super) waits: Slots,
    pub(super) holds: Slots,
}

/// One event, with what is known right after it.
#[derive(Clone, Copy)]
pub(super) struct Now<'e> {
    pub(super) event: &'e Event,
    pub(super) world: &'e World,
    pub(super) labels: &'e Labels<'e>,
}

impl Now<'_> {
    pub(super) fn place(&self) -> Details {
        let place = self.labels.place(self.event.site, self.event, self.world);
        place.map(|it| ("at", text(it))).into_iter().collect()
    }

    pub(super) fn about(&self) -> String {
        let about = match self.event.argument(1) {
            Value::Absent => self.event.argument(0),
            value => value,
        };
        self.labels.name(about, self.event, self.world)
    }

    /// The attributes of these names, as far as they are known.
    pub(super) fn attributes(&self, names: &[&'static str]) -> Details {
        let detail = |name: &&'static str| {
            let value = attribute(self.event, name, self.world)?;
            Some((*name, detail(value, self.world)?))
        };
        names.iter().filter_map(detail).collect()
    }
}

fn detail(value: Value, world: &World) -> Option<Detail> {
    Some(match value {
        Value::Absent => return None,
        Value::Int(number) => Detail::Number(number),
        Value::Bool(it) => Detail::Mark(it),
        Value::Object(sort, number) => text(format!("{}:{number}", sort.name())),
        value => text(value.text(world.names()).unwrap_or_default()),
    })
}

impl<'a> Play<'a> {
    pub(super) fn new(
        process: Id,
        trace: &'a OpenTrace<'a>,
        ids: &'a mut Ids,
        budget: &'a mut Budget,
        viewer: &'a mut dyn Viewer,
    ) -> Play<'a> {
        Play {
            process,
            trace,
            ids,
            budget,
            viewer,
            tasks: BTreeMap::new(),
            threads: BTreeMap::new(),
            waits: BTreeMap::new(),
            holds: BTreeMap::new(),
            points: Points::default(),
            units: BTreeMap::new(),
            last: 0,
        }
    }

    /// Plays all events. Errors are those of the viewer.
    pub(super) fn run(mut self) -> io::Result<()> {
        let trace = self.trace;
        let mut done = Ok(());
        let mut playing = Playing { play: &mut self, done: &mut done };
        trace.each(&mut playing);
        done.and_then(|()| self.finish())
    }

    /// Ends what is still open.
    fn finish(mut self) -> io::Result<()> {
        let time = self.last;
        for (key, wait) in std::mem::take(&mut self.waits) {
            let slots = self.tasks.get_mut(&key.0).map(|it| &mut it.waits);
            wait.end(slots, time, End::Open, self.viewer)?;
        }
        for (task, _, hold) in std::mem::take(&mut self.holds).into_values().flatten() {
            let slots = self.tasks.get_mut(&task).map(|it| &mut it.holds);
            hold.end(slots, time, End::Open, self.viewer)?;
        }
        for stack in self.tasks.values_mut().map(|it| &mut it.main).chain(self.threads.values_mut()) {
            stack.end_all(time, self.viewer)?;
        }
        Ok(())
    }

    pub(super) fn cursor(&mut self, kind: TrackKind, name: &str) -> io::Result<TrackCursor> {
        let track = TrackRef { id: self.ids.next(), process: self.process, kind };
        self.viewer.track(&Track { id: track.id, process: self.process, kind, name })?;
        Ok(TrackCursor::new(track))
    }

    pub(super) fn unit(&mut self, unit: UnitId) -> Arc<str> {
        let trace = self.trace;
        Arc::clone(self.units.entry(unit.0).or_insert_with(|| trace.unit(unit).into()))
    }

    pub(super) fn slice(
        &mut self,
        category: Category,
        name: String,
        parent: Option<Id>,
        unit: Arc<str>,
        details: Details,
    ) -> OpenSlice {
        OpenSlice { id: self.ids.next(), parent, unit, category, name, details }
    }

    /// The tracks of a task, whose life begins now if nothing was known of it. `parent` is what has created it.
    pub(super) fn task(
        &mut self,
        task: TaskId,
        parent: Option<(Id, Arc<str>)>,
        now: Now<'_>,
    ) -> io::Result<&mut TaskTracks> {
        if !self.tasks.contains_key(&task.0) {
            let name = now.labels.task(task, now.event, now.world);
            let unit = now.world.task(task).map_or(now.event.unit, |it| it.unit);
            let unit = self.unit(if unit == UnitId::PROCESS { now.event.unit } else { unit });
            // What is of another test belongs to that.
            let parent = parent.filter(|it| it.1 == unit).map(|it| it.0);
            let main = self.cursor(TrackKind::Task, &name)?;
            let mut details: Details = vec![("task", number(task.0.into()))];
            if now.event.kind == EventKind::Spawn && now.event.object == task.0 {
                details.extend(now.place());
                details.extend(now.attributes(&["kind", "output"]));
            }
            // The thread of a test is the test.
            let is_test = now.event.kind == EventKind::TestBegin;
            let (category, title) = if is_test && !unit.is_empty() {
                (Category::Test, unit.to_string())
            } else {
                (Category::Task, name.clone())
            };
            let life = self.slice(category, title, parent, unit, details);
            let mut tracks = TaskTracks {
                name,
                unit: Arc::clone(&life.unit),
                life: life.id,
                main: Stack::new(main),
                waits: Slots::default(),
                holds: Slots::default(),
            };
            tracks.main.begin(if is_test { Key::Test } else { Key::Life }, life, now.event.time);
            self.tasks.insert(task.0, tracks);
        }
        self.tasks.get_mut(&task.0).ok_or_else(|| io::Error::other("a task without tracks"))
    }

    /// The life of the acting task, and the test that it belongs to.
    pub(super) fn life(&mut self, now: Now<'_>) -> io::Result<(Id, Arc<str>)> {
        let tracks = self.task(now.event.task, None, now)?;
        Ok((tracks.life, Arc::clone(&tracks.unit)))
    }

    /// A moment in what the acting task does.
    pub(super) fn here(&mut self, time: u64, now: Now<'_>) -> io::Result<Option<Point>> {
        if !now.event.task.is_some() {
            return Ok(None);
        }
        Ok(self.task(now.event.task, None, now)?.main.point(time))
    }

    /// One thing has led to another, which the acting task does now.
    pub(super) fn flow(&mut self, kind: FlowKind, from: Option<Point>, now: Now<'_>) -> io::Result<()> {
        let Some(from) = from else { return Ok(()) };
        let time = now.event.time.max(from.time + 1);
        let Some(to) = self.here(time, now)? else { return Ok(()) };
        if from.slice == to.slice {
            return Ok(());
        }
        let id = self.ids.next();
        self.viewer.flow(&Flow { id, kind, from: &from, to: &to })
    }

    fn mark(&mut self, name: &str, details: &[(&'static str, Detail)], now: Now<'_>) -> io::Result<()> {
        match self.here(now.event.time, now)? {
            Some(at) => self.viewer.mark(&Mark { at: &at, name, details }),
            None => Ok(()),
        }
    }

    fn event(&mut self, now: Now<'_>) -> io::Result<()> {
        use EventKind as K;
        let event = now.event;
        self.last = self.last.max(event.time);
        match event.kind {
            K::Spawn => self.spawned(now),
            K::Start => self.task(event.task, None, now).map(|_| ()),
            K::TestBegin => self.test_begins(now),
            K::TestEnd => self.test_ends(now),
            K::Poll => self.poll_begins(now),
            K::Suspend => self.poll_ends(End::Normal, now),
            K::Finish | K::Cancel => self.task_ends(now),
            K::Panic if event.flags & flag::CAUGHT == 0 => self.task_ends(now),
            K::Panic => self.mark("panic, caught", &now.place(), now),
            K::Block => self.block_begins(now),
            K::Unblock => self.block_ends(now),
            K::Request if event.flags & flag::TRY != 0 => Ok(()),
            K::Request | K::SendWait | K::RecvWait | K::PermitWait | K::SignalWait => {
                self.wait_begins(Target::Object(event.object), now)
            }
            K::JoinWait => self.wait_begins(Target::Task(event.object), now),
            K::Await => self.wait_begins(Target::Await, now),
            K::Resume | K::AwaitCancel => self.wait_ends(Target::Await, now).map(|_| ()),
            K::Withdraw | K::SendCancel | K::RecvCancel | K::PermitCancel | K::SignalCancel => {
                self.wait_ends(Target::Object(event.object), now).map(|_| ())
            }
            K::Acquire | K::Permit => {
                self.woken(now)?;
                self.hold_begins(now)
            }
            K::PermitRelease if event.flags & flag::ADDED != 0 => self.freed(now),
            K::Release | K::PermitRelease => {
                self.hold_ends(now)?;
                self.freed(now)
            }
            K::PermitForget => self.hold_ends(now),
            K::NotifyOne | K::NotifyAll => self.freed(now),
            K::Signalled => self.woken(now),
            K::Send => {
                self.woken(now)?;
                if let Some(point) = self.here(event.time, now)? {
                    self.points.send(event.object, event.number, point);
                }
                Ok(())
            }
            K::Recv => {
                self.wait_ends(Target::Object(event.object), now)?;
                let sent = self.points.sent(event.object, event.number).cloned();
                self.flow(FlowKind::Send, sent, now)?;
                self.freed(now)
            }
            K::Closed => {
                self.wait_ends(Target::Object(event.object), now)?;
                self.noted("finds closed", now)
            }
            K::Lagged => self.noted("misses messages of", now),
            K::Join | K::Ended => {
                self.wait_ends(Target::Task(event.object), now)?;
                let ended = self.points.ended(event.object).cloned();
                self.flow(FlowKind::Join, ended, now)
            }
            K::Abort => self.noted("aborts", now),
            K::ChanClose => self.noted("closes", now),
            K::User => self.own_event(now),
            K::SetSpawn
            | K::Detach
            | K::WakerDrop
            | K::SenderDrop
            | K::ReceiverDrop
            | K::Undelivered
            | K::AtomicStore
            | K::AtomicLoad => Ok(()),
        }
    }

    /// Something happened that takes no time.
    fn noted(&mut self, what: &str, now: Now<'_>) -> io::Result<()> {
        let name = format!("{what} {}", now.about());
        self.mark(&name, &now.place(), now)
    }

    /// An event of the program's own.
    fn own_event(&mut self, now: Now<'_>) -> io::Result<()> {
        let name = now.world.names().event(now.event).to_owned();
        let arguments: Vec<String> =
            now.world.arguments().iter().map(|it| now.labels.name(*it, now.event, now.world)).collect();
        let mut details = now.place();
        if !arguments.is_empty() {
            details.push(("arguments", text(arguments.join(", "))));
        }
        self.mark(&name, &details, now)
    }

    /// A task is gone. What is left of it, such as waits that nobody has ended, ends now.
    fn bury(&mut self, task: u32) -> io::Result<()> {
        self.points.forget_task(task);
        let open: Vec<(u32, Target)> =
            self.waits.range((task, Target::Object(0))..=(task, Target::Await)).map(|it| *it.0).collect();
        for key in open {
            if let Some(wait) = self.waits.remove(&key) {
                let slots = self.tasks.get_mut(&task).map(|it| &mut it.waits);
                wait.end(slots, self.last, End::Open, self.viewer)?;
            }
        }
        match self.tasks.remove(&task) {
            Some(mut tracks) => tracks.main.end_all(self.last, self.viewer),
            None => Ok(()),
        }
    }
}

/// Plays until the viewer has an error.
struct Playing<'p, 'a> {
    play: &'p mut Play<'a>,
    done: &'p mut io::Result<()>,
}

impl Looker for Playing<'_, '_> {
    fn event(&mut self, event: &Event, world: &World, labels: &Labels<'_>) -> ControlFlow<()> {
        if !self.play.budget.take() {
            return ControlFlow::Break(());
        }
        *self.done = self.play.event(Now { event, world, labels });
        if self.done.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn dead(&mut self, dead: &[(Sort, u32)]) {
        for (sort, id) in dead {
            if *sort == Sort::Task {
                let buried = self.play.bury(*id);
                if self.done.is_ok() {
                    *self.done = buried;
                }
            } else {
                self.play.points.forget_object(*id);
            }
        }
    }
}
