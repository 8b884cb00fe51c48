//! From the events of a trace to a [`History`].
//!
//! What orders tasks becomes an edge: a spawn, the end of a task before who goes on after it, a message, a signal, a permit that was
//! given back, the end of a channel. Where it is not seen what let a task go on, everything before that may have: such an
//! edge is only there to be careful.

mod awaits;
mod channels;
mod hubs;
mod locks;

use crate::history::{Ask, HappensBefore, History, LockIx, Op, Seen, StepId, Task, TaskIx};
use crate::ids::Map;
use crate::survey::Facts;
use awaits::Awaits;
use channels::Room;
use hubs::Hubs;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TaskKind, What};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::BTreeSet;

/// See the module.
#[derive(Clone, Debug)]
pub struct Gather {
    facts: Facts,
    /// Observed calls are steps.
    has_calls: bool,
    history: History,
    tasks: Map<TaskId, TaskIx>,
    /// The task that was asked for last, which is most often the next one, too.
    last_task: Option<(TaskId, TaskIx)>,
    /// By the number of a task in the history.
    doing: Vec<Doing>,
    locks: Map<ObjectId, LockIx>,
    holding: Vec<Holding>,
    /// Where requests to read do not wait behind those who wait to write.
    jumping: BTreeSet<SiteId>,
    turns: Map<u32, LockIx>,
    /// The tasks that each thread polls, the innermost last.
    polled: Map<u32, Vec<TaskIx>>,
    hubs: Hubs,
    messages: Map<(u32, u64), StepId>,
    rooms: Map<u32, Room>,
    /// How many events were seen.
    count: u64,
    /// The time of the last event.
    time: u64,
}

/// What is known of a task at the moment.
#[derive(Clone, Debug, Default)]
struct Doing {
    spawn: Option<StepId>,
    /// Who goes on when it is over, because it drives it.
    driver: Option<TaskIx>,
    last: Option<StepId>,
    end: Option<StepId>,
    abort: Option<StepId>,
    /// The tasks that its scope waits for.
    owned: Vec<TaskIx>,
    /// What it has asked for and not got.
    asking: Vec<(LockIx, Mode, Ask, Seen)>,
    awaits: Awaits,
    /// The locks that it holds, each with how many waits there had been when it took it.
    holds: Vec<(LockIx, u64)>,
    /// The lock that it gave back last, if it did nothing else since.
    gave_back: Option<(LockIx, Mode)>,
}

/// What is known of a lock at the moment.
#[derive(Clone, Debug, Default)]
struct Holding {
    /// Who holds it, how, and since which step.
    open: Vec<(TaskIx, Mode, StepId)>,
    released: Option<StepId>,
}

impl Observer for Gather {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        self.time = event.time;
        match event.kind {
            K::Spawn => self.spawn(event, world),
            K::Start => {
                self.task(event.task, event.unit, world);
            }
            K::Poll => self.poll(event, world),
            K::Suspend => self.turn_over(event, world),
            K::Finish | K::Cancel => self.end(event, world),
            K::Panic if event.flags & flag::CAUGHT == 0 => self.end(event, world),
            K::Join => self.join(event, TaskId(event.object), world),
            K::Ended => {
                let other = self.task(TaskId(event.object), event.unit, world);
                let end = self.doing[other as usize].end.or(self.doing[other as usize].last);
                self.point(event, world);
                self.after(end);
            }
            K::Detach if event.flags & flag::BY_OWNER != 0 => {
                let task = self.task(event.task, event.unit, world);
                let owned = self.task(TaskId(event.object), event.unit, world);
                self.doing[task as usize].owned.push(owned);
            }
            K::Abort => {
                let step = self.point(event, world);
                let aborted = self.task(TaskId(event.object), event.unit, world);
                self.doing[aborted as usize].abort = Some(step);
            }
            K::Request | K::Acquire | K::Release | K::Withdraw => self.lock_event(event, world),
            K::Permit | K::PermitRelease | K::PermitForget | K::PermitWait => self.permit_event(event, world),
            K::Send | K::Recv | K::Closed | K::ChanClose | K::Lagged | K::SenderDrop | K::ReceiverDrop => {
                self.channel_event(event, world);
            }
            K::SendWait | K::RecvWait | K::SignalWait => {
                let task = self.task(event.task, event.unit, world);
                self.doing[task as usize].awaits.wait(event.object);
            }
            K::NotifyOne | K::NotifyAll | K::AtomicStore => {
                let step = self.point(event, world);
                self.hubs.tell(&mut self.history, hubs::Topic::Signal(event.object), step);
            }
            K::Signalled => {
                let step = self.point(event, world);
                self.heard(step, hubs::Topic::Signal(event.object));
                self.explained(event, event.object);
            }
            K::AtomicLoad => self.atomic_load(event, world),
            K::Await => {
                let task = self.task(event.task, event.unit, world);
                self.doing[task as usize].awaits.begin(event, world);
            }
            K::Resume | K::AwaitCancel => {
                let task = self.task(event.task, event.unit, world);
                let unseen = self.doing[task as usize].awaits.end(event);
                if unseen && event.kind == K::Resume {
                    self.unseen(event, world);
                }
            }
            K::Unblock => self.unblock(event, world),
            K::User if self.has_calls => {
                self.point(event, world);
            }
            _ => {}
        }
        let last = self.last_task.filter(|it| it.0 == event.task).map(|it| it.1);
        if let Some(task) = last.or_else(|| self.tasks.get(&event.task).copied()) {
            self.doing[task as usize].awaits.did(event.kind);
        }
        self.count += 1;
    }

    fn control(&mut self, event: &Event, world: &World) {
        self.observe(event, world);
    }
}

impl Gather {
    /// Nothing was seen yet.
    pub fn new(facts: Facts) -> Gather {
        Gather {
            facts,
            has_calls: false,
            history: History::default(),
            tasks: Map::default(),
            last_task: None,
            doing: Vec::new(),
            locks: Map::default(),
            holding: Vec::new(),
            jumping: BTreeSet::new(),
            turns: Map::default(),
            polled: Map::default(),
            hubs: Hubs::default(),
            messages: Map::default(),
            rooms: Map::default(),
            count: 0,
            time: 0,
        }
    }

    /// Nothing was seen yet, and observed calls of the program are steps, too.
    pub fn with_calls() -> Gather {
        Gather { has_calls: true, ..Gather::new(Facts::default()) }
    }

    /// The history, now that there are no more events.
    pub fn finish(mut self) -> History {
        for task in 0..self.doing.len() {
            // Who still asks waits at the last of it.
            let last = self.doing[task].asking.last().copied();
            if let (Some((lock, mode, ask, seen)), None) = (last, self.doing[task].end) {
                self.step_at(task as TaskIx, Op::Want { lock, mode, ask }, seen);
            }
        }
        self.history
    }

    fn task(&mut self, id: TaskId, unit: UnitId, world: &World) -> TaskIx {
        if let Some((_, task)) = self.last_task.filter(|it| it.0 == id) {
            return task;
        }
        if let Some(task) = self.tasks.get(&id) {
            self.last_task = Some((id, *task));
            return *task;
        }
        let known = world.task(id);
        let own = || world.names().threads().find(|(_, it)| it.task == id).map(|(_, it)| it.kind);
        let kind = known.map(|it| it.kind).or_else(own);
        let spawned_at = known.map_or(SiteId::NONE, |it| it.spawned_at);
        let task = self.history.add_task(Task {
            id,
            unit: known.map_or(unit, |it| it.unit),
            kind,
            spawned_at,
            is_hub: false,
            is_of_others: is_of_others(id, kind, spawned_at, world),
        });
        self.tasks.insert(id, task);
        // Hubs are tasks of the history, too.
        self.doing.resize_with(task as usize + 1, Doing::default);
        task
    }

    fn step(&mut self, task: TaskIx, op: Op, site: SiteId) -> StepId {
        self.step_at(task, op, Seen { event: self.count, time: self.time, site })
    }

    fn step_at(&mut self, task: TaskIx, op: Op, seen: Seen) -> StepId {
        let doing = &mut self.doing[task as usize];
        doing.gave_back = None;
        if doing.last.is_none()
            && let Some(spawn) = doing.spawn
        {
            self.history.add_step(task, Op::Point, Seen { site: SiteId::NONE, ..seen });
            self.history.add_edge(HappensBefore { from: spawn, careful: false });
        }
        let step = self.history.add_step(task, op, seen);
        self.doing[task as usize].last = Some(step);
        self.hubs.changed(task, step);
        if self.jumping.contains(&seen.site) {
            self.history.set_jumps(step);
        }
        step
    }

    /// A step that only others are ordered by.
    fn point(&mut self, event: &Event, world: &World) -> StepId {
        let task = self.task(event.task, event.unit, world);
        self.step(task, Op::Point, event.site)
    }

    /// The last step came after `from`.
    fn after(&mut self, from: Option<StepId>) {
        if let Some(from) = from {
            self.history.add_edge(HappensBefore { from, careful: false });
        }
    }

    /// This step came after all that happened before it there.
    fn heard(&mut self, step: StepId, topic: hubs::Topic) {
        debug_assert_eq!(step as usize + 1, self.history.len());
        let latest = self.hubs.latest(topic);
        self.after(latest);
    }

    /// A task has seen what others have stored. Where it may not have decided anything by that, it may come before them, too.
    fn atomic_load(&mut self, event: &Event, world: &World) {
        if event.object == 0 {
            return self.history.set_overlooks_atomics();
        }
        let step = self.point(event, world);
        debug_assert_eq!(step as usize + 1, self.history.len());
        if let Some(from) = self.hubs.latest(hubs::Topic::Signal(event.object)) {
            let careful = event.flags & flag::DECIDES == 0;
            self.history.add_edge(HappensBefore { from, careful });
            if event.flags & flag::MADE_ONCE == 0 {
                self.history.set_loose();
            }
        }
    }

    /// The wait of a task for this object is over, and it is known why.
    fn explained(&mut self, event: &Event, object: u32) {
        if let Some(task) = self.tasks.get(&event.task) {
            self.doing[*task as usize].awaits.explained(object);
        }
    }

    /// A task goes on, and nobody knows why: perhaps because of anything that has happened.
    fn unseen(&mut self, event: &Event, world: &World) {
        let task = self.task(event.task, event.unit, world);
        let all = self.hubs.everything(&mut self.history, task);
        self.point(event, world);
        if let Some(from) = all {
            self.history.add_edge(HappensBefore { from, careful: true });
        }
    }

    fn spawn(&mut self, event: &Event, world: &World) {
        let step = self.point(event, world);
        let parent = self.history.step(step).task;
        let child = self.task(TaskId(event.object), event.unit, world);
        let kind = TaskKind::of_bits(event.flags & flag::ENUM);
        let facts = self.history.task_mut(child);
        (facts.kind, facts.spawned_at, facts.unit) = (kind, event.site, event.unit);
        facts.is_of_others = is_of_others(facts.id, kind, event.site, world);
        let doing = &mut self.doing[child as usize];
        doing.spawn = Some(step);
        doing.driver = matches!(kind, Some(TaskKind::Root | TaskKind::Test)).then_some(parent);
    }

    /// A thread that polls several tasks takes turns.
    fn poll(&mut self, event: &Event, world: &World) {
        let task = self.task(event.task, event.unit, world);
        if let Some(abort) = self.doing[task as usize].abort {
            // It is polled, or dropped, the way it was aborted.
            self.step(task, Op::Point, SiteId::NONE);
            self.after(Some(abort));
        }
        if !self.facts.executors.contains(&event.thread) {
            return;
        }
        let polled = self.polled.entry(event.thread.0).or_default();
        let around = polled.last().copied();
        polled.push(task);
        if let Some(around) = around {
            // Polled by another task, in that one's turn.
            let last = self.doing[around as usize].last;
            self.step(task, Op::Point, SiteId::NONE);
            self.after(last);
            self.history.set_loose();
            return;
        }
        let lock = match self.turns.get(&event.thread.0) {
            Some(lock) => *lock,
            None => {
                let lock = self.add_lock(ObjectId::NONE, world);
                self.turns.insert(event.thread.0, lock);
                lock
            }
        };
        let step = self.step(task, Op::Acquire { lock, mode: Mode::Write, ask: Ask::Tries }, SiteId::NONE);
        self.holding[lock as usize].open.push((task, Mode::Write, step));
    }

    fn turn_over(&mut self, event: &Event, world: &World) {
        let Some(polled) = self.polled.get_mut(&event.thread.0) else { return };
        if polled.pop().is_none() {
            return;
        }
        let around = polled.last().copied();
        let task = self.task(event.task, event.unit, world);
        if let Some(around) = around {
            let last = self.doing[task as usize].last;
            self.step(around, Op::Point, SiteId::NONE);
            self.after(last);
            self.history.set_loose();
        } else if let Some(lock) = self.turns.get(&event.thread.0).copied() {
            self.release(task, lock, Mode::Write, SiteId::NONE);
        }
    }

    fn end(&mut self, event: &Event, world: &World) {
        let task = self.task(event.task, event.unit, world);
        let abort = self.doing[task as usize].abort;
        if event.kind == EventKind::Cancel && abort.is_none() {
            self.unseen(event, world);
        }
        self.turn_over(event, world);
        let step = self.step(task, Op::Point, SiteId::NONE);
        let doing = &mut self.doing[task as usize];
        doing.end = Some(step);
        doing.asking.clear();
        if let Some(driver) = doing.driver {
            self.joined(driver, task, Ask::Blocks, SiteId::NONE);
        }
    }

    fn join(&mut self, event: &Event, id: TaskId, world: &World) {
        let task = self.task(event.task, event.unit, world);
        let other = self.task(id, event.unit, world);
        let ask = match self.history.task(other).kind {
            Some(TaskKind::Thread) => Ask::Blocks,
            _ => Ask::Suspends,
        };
        self.joined(task, other, ask, event.site);
        self.doing[task as usize].awaits.explained(0);
    }

    fn joined(&mut self, task: TaskIx, other: TaskIx, ask: Ask, site: SiteId) {
        let end = self.doing[other as usize].end.or(self.doing[other as usize].last);
        self.step(task, Op::Join { task: other, ask }, site);
        self.after(end);
    }

    fn unblock(&mut self, event: &Event, world: &World) {
        match What::of_bits(event.flags & flag::ENUM) {
            Some(What::Join) => {
                let task = self.task(event.task, event.unit, world);
                let owned = std::mem::take(&mut self.doing[task as usize].owned);
                let (over, others) = owned.into_iter().partition(|it| self.doing[*it as usize].end.is_some());
                self.doing[task as usize].owned = others;
                let over: Vec<TaskIx> = over;
                for other in over {
                    self.joined(task, other, Ask::Blocks, event.site);
                }
            }
            Some(What::Fs | What::Net | What::Process | What::Io | What::Park) => self.unseen(event, world),
            _ => {}
        }
    }
}

/// Whether it is a thread that was spawned by a dependency, or, with no place where it was spawned, one that nobody has seen being made.
fn is_of_others(id: TaskId, kind: Option<TaskKind>, spawned_at: SiteId, world: &World) -> bool {
    let names = world.names();
    kind == Some(TaskKind::Thread)
        && match names.site(spawned_at) {
            Some(site) => !site.own,
            None => names.threads().any(|(_, it)| it.task == id && it.name != "main"),
        }
}

/// How a lock of this kind is waited for.
fn asks(kind: Option<ObjectKind>) -> Ask {
    use ObjectKind as K;
    match kind {
        Some(
            K::TokioMutex
            | K::TokioRwLock
            | K::TokioOnce
            | K::AsyncLockMutex
            | K::AsyncLockRwLock
            | K::AsyncLockOnce
            | K::FuturesMutex,
        ) => Ask::Suspends,
        _ => Ask::Blocks,
    }
}

/// Whether a lock that is held in `from` and then in `to` was downgraded.
fn is_weaker(to: Mode, from: Mode) -> bool {
    matches!((from, to), (Mode::Write, Mode::Read | Mode::Upgrade) | (Mode::Upgrade, Mode::Read))
}
