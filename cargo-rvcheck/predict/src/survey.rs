//! A first look at a trace: whether there is anything to predict, and what is to be known before a second one.
//!
//! Locks are related by instance: one leads to another if a task asked for that while it held this one. Where these relations
//! have no cycle there is no deadlock to predict, whoever the tasks were. That takes one pass and little memory, and is the end of
//! it for almost every trace.

use crate::dependency::{MOST, TakenLock};
use crate::ids::{Map, Set};
use rvcheck_event::cycles::components;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TaskKind, Timer, What};
use rvcheck_event::lock_dependency::LockDependency;
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;

/// How many messages are remembered that were handed over.
const MOST_HANDED: usize = 1 << 20;

/// What a second look has to know from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Threads that poll several tasks and are the only ones to poll them: those of a runtime with one thread.
    pub(crate) executors: Set<ThreadId>,
    /// Locks whose critical sections pass information to each other: those of condition variables, and those that are polled.
    pub(crate) signalling: Set<u32>,
    /// Semaphores that are no locks.
    pub(crate) counting: Set<u32>,
    /// Who receives which message of a channel that has room for none.
    pub(crate) handed: Map<(u32, u64), TaskId>,
    /// The threads on which a runtime with threads of its own polled tasks.
    pub(crate) workers: Set<ThreadId>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    facts: Facts,
    tasks: Map<u32, Looked>,
    holders: Map<u32, Vec<(u32, Mode)>>,
    /// Pairs of locks: the second was asked for while the first was held.
    nested: Set<(u32, u32)>,
    /// The last pairs, which are most often the next ones too.
    recent: [(u32, u32); 4],
    /// Locks that a task has read while it read them.
    read_twice: Set<u32>,
    /// A task asked for a lock that it held, and not only to read it twice.
    taken_twice: bool,
    /// Locks that somebody wrote.
    written: Set<u32>,
    /// The last ones of them.
    just_written: [Option<u32>; 4],
    /// A task waited for another one while it held a lock.
    joined_holding: bool,
    dependencies: Vec<(UnitId, LockDependency<TakenLock>)>,
    blocked_on: Map<u32, u32>,
}

/// What is known of a task at the moment.
#[derive(Clone, Debug, Default)]
struct Looked {
    held: Vec<(u32, Mode, SiteId)>,
    kind: Option<TaskKind>,
    /// The lock that it gave back last, if it did nothing else since.
    gave_back: u32,
    /// The lock and place at which it was before it slept.
    before: (u32, SiteId),
    slept: bool,
}

impl Observer for Survey {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        match event.kind {
            K::Request if event.flags & flag::TRY == 0 => self.ask(event, event.object, world),
            K::Acquire => self.acquire(event, event.object, world),
            K::Release => self.release(event.task, event.object, mode_of(event)),
            K::Permit | K::PermitRelease | K::PermitForget | K::PermitWait => self.permits(event, world),
            K::SignalWait | K::NotifyOne | K::NotifyAll => self.tell(event),
            K::Join => {
                let holds = self.tasks.get(&event.task.0).is_some_and(|it| !it.held.is_empty());
                self.joined_holding |= holds;
            }
            K::Spawn => {
                let kind = TaskKind::of_bits(event.flags & flag::ENUM);
                let task = self.tasks.entry(event.object).or_default();
                task.kind = kind;
                // Who drives a future waits for its end.
                let driven = matches!(kind, Some(TaskKind::Root | TaskKind::Test));
                let holds = self.tasks.get(&event.task.0).is_some_and(|it| !it.held.is_empty());
                self.joined_holding |= driven && holds;
            }
            K::Poll => self.poll(event),
            K::Recv => self.receive(event, world),
            K::Finish | K::Cancel | K::Panic => {
                if let Some(task) = self.tasks.get(&event.task.0)
                    && task.held.is_empty()
                {
                    self.tasks.remove(&event.task.0);
                }
            }
            K::Block => match What::of_bits(event.flags & flag::ENUM) {
                Some(What::BlockOn) => *self.blocked_on.entry(event.thread.0).or_default() += 1,
                Some(What::Sleep) => self.sleep(event.task),
                _ => {}
            },
            K::Unblock => {
                let what = What::of_bits(event.flags & flag::ENUM);
                if what == Some(What::BlockOn)
                    && let Some(depth) = self.blocked_on.get_mut(&event.thread.0)
                {
                    *depth = depth.saturating_sub(1);
                }
                let holds = self.tasks.get(&event.task.0).is_some_and(|it| !it.held.is_empty());
                self.joined_holding |= what == Some(What::Join) && holds;
            }
            K::Await => {
                let timer = Timer::of_bits(event.flags & flag::ENUM);
                if matches!(timer, Some(Timer::Sleep | Timer::Interval)) {
                    self.sleep(event.task);
                }
            }
            _ => {}
        }
    }
}

impl Survey {
    /// Nothing was seen yet.
    pub fn new() -> Survey {
        Survey::default()
    }

    /// The lock dependencies, each with the unit that showed it first.
    pub fn dependencies(&self) -> &[(UnitId, LockDependency<TakenLock>)] {
        &self.dependencies
    }

    /// What a second look has to know, if there is anything to look for.
    pub fn suspicion(self) -> Option<Facts> {
        let suspicious = self.joined_holding
            || self.taken_twice
            || self.read_twice.intersection(&self.written).next().is_some()
            || self.has_cycle();
        suspicious.then_some(self.facts)
    }

    fn ask(&mut self, event: &Event, lock: u32, world: &World) {
        let Some(task) = self.tasks.get(&event.task.0) else { return };
        for (held, mode, _) in &task.held {
            if *held != lock {
                let pair = (*held, lock);
                if !self.recent.contains(&pair) {
                    self.recent.rotate_right(1);
                    self.recent[0] = pair;
                    if self.nested.insert(pair) && self.dependencies.len() < MOST {
                        let found = dependency(&task.held, *held, event, lock, world);
                        self.dependencies.extend(found.map(|it| (event.unit, it)));
                    }
                }
            } else if (*mode, mode_of(event)) == (Mode::Read, Mode::Read) {
                self.read_twice.insert(lock);
            } else {
                let kind = world.object(ObjectId(lock)).map(|it| it.kind);
                self.taken_twice |= kind != Some(ObjectKind::LockApiReentrant);
            }
        }
    }

    fn acquire(&mut self, event: &Event, lock: u32, world: &World) {
        let mode = mode_of(event);
        if event.flags & flag::TRY == 0 {
            self.ask(event, lock, world);
        }
        if mode == Mode::Write && !self.just_written.contains(&Some(lock)) {
            let kind = world.object(ObjectId(lock)).map(|it| it.kind);
            if kind != Some(ObjectKind::LockApiReentrant) {
                self.written.insert(lock);
                self.just_written.rotate_right(1);
                self.just_written[0] = Some(lock);
            }
        }
        let task = self.tasks.entry(event.task.0).or_default();
        let here = (lock, event.site);
        if task.slept && task.before == here {
            self.facts.signalling.insert(lock);
        }
        task.before = here;
        task.slept = false;
        task.gave_back = 0;
        task.held.push((lock, mode, event.site));
        self.holders.entry(lock).or_default().push((event.task.0, mode));
    }

    fn release(&mut self, task: TaskId, lock: u32, mode: Mode) {
        let holders = self.holders.entry(lock).or_default();
        let own = holders.iter().rposition(|it| *it == (task.0, mode));
        let holder = own.or_else(|| holders.iter().rposition(|(_, held)| *held == mode));
        let Some((holder, _)) = holder.map(|at| holders.remove(at)) else { return };
        if let Some(held) = self.tasks.get_mut(&holder).map(|it| &mut it.held)
            && let Some(at) = held.iter().rposition(|it| (it.0, it.1) == (lock, mode))
        {
            held.remove(at);
        }
        self.tasks.entry(task.0).or_default().gave_back = lock;
    }

    /// Semaphores of one permit are locks.
    fn permits(&mut self, event: &Event, world: &World) {
        let one = event.number == 1
            && event.flags & flag::ADDED == 0
            && event.kind != EventKind::PermitForget
            && world.object(ObjectId(event.object)).is_some_and(|it| it.capacity == 1);
        if !one {
            self.facts.counting.insert(event.object);
            return;
        }
        match event.kind {
            EventKind::Permit => self.acquire(&Event { flags: 0, ..*event }, event.object, world),
            EventKind::PermitRelease => self.release(event.task, event.object, Mode::Write),
            _ => self.ask(&Event { flags: 0, ..*event }, event.object, world),
        }
    }

    fn receive(&mut self, event: &Event, world: &World) {
        let hands_over = world.object(ObjectId(event.object)).is_some_and(|it| it.hands_over);
        if hands_over && self.facts.handed.len() < MOST_HANDED {
            self.facts.handed.insert((event.object, event.number), event.task);
        }
    }

    /// A signal goes with what was said under the lock that is held, or was just given back.
    fn tell(&mut self, event: &Event) {
        let Some(task) = self.tasks.get_mut(&event.task.0) else { return };
        let gave_back = std::mem::take(&mut task.gave_back);
        if gave_back != 0 {
            self.facts.signalling.insert(gave_back);
        }
        if event.kind != EventKind::SignalWait {
            self.facts.signalling.extend(task.held.last().map(|(lock, ..)| *lock));
        }
    }

    fn sleep(&mut self, task: TaskId) {
        if let Some(task) = self.tasks.get_mut(&task.0) {
            task.slept = true;
        }
    }

    fn poll(&mut self, event: &Event) {
        let kind = self.tasks.get(&event.task.0).and_then(|it| it.kind);
        if matches!(kind, Some(TaskKind::Async | TaskKind::Local)) {
            let inside = self.blocked_on.get(&event.thread.0).is_some_and(|depth| *depth > 0);
            if inside {
                self.facts.executors.insert(event.thread);
            } else {
                self.facts.workers.insert(event.thread);
            }
        }
    }

    fn has_cycle(&self) -> bool {
        let mut numbers: Map<u32, u32> = Map::default();
        let mut graph: Vec<Vec<u32>> = Vec::new();
        let mut number = |lock: u32, graph: &mut Vec<Vec<u32>>| {
            *numbers.entry(lock).or_insert_with(|| {
                graph.push(Vec::new());
                graph.len() as u32 - 1
            })
        };
        let mut nested: Vec<(u32, u32)> = self.nested.iter().copied().collect();
        nested.sort_unstable();
        for (from, to) in &nested {
            let (from, to) = (number(*from, &mut graph), number(*to, &mut graph));
            graph[from as usize].push(to);
        }
        let component = components(&graph);
        graph
            .iter()
            .enumerate()
            .any(|(node, nexts)| nexts.iter().any(|next| component[*next as usize] == component[node]))
    }
}

/// What is known of a lock that is asked for while all of `holding` are held, among them `held`. `None` where it is not known where
/// one of the two was created.
fn dependency(
    holding: &[(u32, Mode, SiteId)],
    held: u32,
    event: &Event,
    lock: u32,
    world: &World,
) -> Option<LockDependency<TakenLock>> {
    let born_at = |lock| world.object(ObjectId(lock)).map(|it| it.born_at).filter(|it| it.is_some());
    let taken = |lock, mode, site| born_at(lock).map(|born_at| TakenLock { born_at, mode, site });
    let (_, mode, site) = holding.iter().find(|it| it.0 == held)?;
    Some(LockDependency {
        held: taken(held, *mode, *site)?,
        wanted: taken(lock, mode_of(event), event.site)?,
        gates: holding.iter().filter(|it| it.0 != held).filter_map(|it| born_at(it.0)).collect(),
    })
}

/// How a lock is held or wanted.
fn mode_of(event: &Event) -> Mode {
    Mode::of_bits(event.flags & flag::ENUM).unwrap_or(Mode::Write)
}
