//! Abstract requests: what a task asks for while it holds something, however often it does so; and who waits for whom.

use crate::history::{Ask, History, LockIx, Op, StepId, TaskIx, conflict};
use crate::ids::{Map, Set};
use crate::limits::Filters;
use rvcheck_event::kind::Mode;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wanted {
    /// A lock.
    Lock(LockIx, Mode),
    /// The end of a task.
    End(TaskIx),
}

/// A lock that is held at a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: LockIx,
    /// How it is held.
    pub mode: Mode,
    /// Another task gives it back, which this one cannot keep from doing so.
    pub moved: bool,
}

/// Requests of one task for one thing with the same locks held.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) task: TaskIx,
    pub(crate) wanted: Wanted,
    pub(crate) holds: Vec<Hold>,
    /// It waits behind those who wait to write.
    pub(crate) queues: bool,
    /// The steps, in the order of the task.
    pub(crate) at: Vec<StepId>,
}

/// All abstract requests of a history that can be part of a deadlock, and who can wait for whom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    pub(crate) all: Vec<Request>,
    /// For each request those that keep it waiting.
    pub(crate) waits_for: Vec<Vec<u32>>,
}

/// A lock that a task holds, by its acquisition.
#[derive(Clone, Copy, Debug)]
struct Open {
    lock: LockIx,
    mode: Mode,
    acquire: StepId,
}

impl Requests {
    /// Those of a history.
    pub(crate) fn of(history: &History, filters: Filters) -> Requests {
        let involved = filters.involved.then(|| Involved::in_history(history));
        let counts_without_locks =
            |task, wanted| involved.as_ref().is_none_or(|it| it.without_locks(task, wanted));
        let mut requests = Requests::default();
        // Those of a task for one thing; there are few with different locks held.
        let mut known: Map<(TaskIx, Wanted), Vec<u32>> = Map::default();
        let mut held = Vec::new();
        walk(history, |id, open| {
            let step = history.step(id);
            let (wanted, ask) = match step.op {
                Op::Acquire { lock, mode, ask } | Op::Want { lock, mode, ask } => {
                    (Wanted::Lock(lock, mode), ask)
                }
                Op::Join { task, ask } => (Wanted::End(task), ask),
                _ => return,
            };
            if ask == Ask::Tries {
                return;
            }
            if open.is_empty() && !counts_without_locks(step.task, wanted) {
                return;
            }
            holds(history, id, open, ask, &mut held);
            if held.iter().all(|it| history.lock(it.lock).is_turn())
                && !counts_without_locks(step.task, wanted)
            {
                return;
            }
            let queues = history.queues(id);
            let alike = known.entry((step.task, wanted)).or_default();
            let is_this = |index: &u32| {
                let it = &requests.all[*index as usize];
                filters.patterns && it.queues == queues && it.holds == held
            };
            let index = alike.iter().copied().find(is_this).unwrap_or_else(|| {
                let index = requests.all.len() as u32;
                let holds = held.clone();
                requests.all.push(Request { task: step.task, wanted, holds, queues, at: Vec::new() });
                alike.push(index);
                index
            });
            requests.all[index as usize].at.push(id);
        });
        requests.connect(history);
        requests
    }

    /// Finds out who can wait for whom.
    fn connect(&mut self, history: &History) {
        let mut holders: Map<LockIx, Vec<(u32, Mode)>> = Map::default();
        let mut writers: Map<LockIx, Vec<u32>> = Map::default();
        let mut of_task: Map<TaskIx, Vec<u32>> = Map::default();
        for (index, request) in self.all.iter().enumerate() {
            let index = index as u32;
            of_task.entry(request.task).or_default().push(index);
            for hold in &request.holds {
                holders.entry(hold.lock).or_default().push((index, hold.mode));
            }
            if let Wanted::Lock(lock, Mode::Write) = request.wanted
                && history.lock(lock).queues
            {
                writers.entry(lock).or_default().push(index);
            }
        }
        let waits_for = self.all.iter().map(|request| {
            let own = history.task(request.task);
            let other = |index: &u32| {
                let task = self.all[*index as usize].task;
                let it = history.task(task);
                task != request.task && (it.unit == own.unit || it.is_of_others || own.is_of_others)
            };
            let mut found: Vec<u32> = match request.wanted {
                Wanted::Lock(lock, mode) => {
                    let held = holders.get(&lock).into_iter().flatten();
                    let held = held.filter(|(_, it)| conflict(mode, *it)).map(|(index, _)| *index);
                    let queued = writers.get(&lock).filter(|_| request.queues).into_iter().flatten().copied();
                    held.chain(queued).filter(other).collect()
                }
                Wanted::End(task) => {
                    of_task.get(&task).into_iter().flatten().copied().filter(other).collect()
                }
            };
            found.sort_unstable();
            found.dedup();
            found
        });
        self.waits_for = waits_for.collect();
    }
}

/// Which requests count that are made without a lock.
struct Involved {
    /// Tasks that somebody waits for who holds a lock.
    awaited: Set<TaskIx>,
    /// Locks that somebody reads who holds a lock or is one of these.
    read: Set<LockIx>,
}

impl Involved {
    fn in_history(history: &History) -> Involved {
        let mut awaited: Set<TaskIx> = Set::default();
        let mut read: Set<LockIx> = Set::default();
        let concerns = |op: Op| {
            matches!(
                op,
                Op::Join { .. } | Op::Acquire { mode: Mode::Read, .. } | Op::Want { mode: Mode::Read, .. }
            )
        };
        if !history.steps().iter().any(|it| concerns(it.op)) {
            return Involved { awaited, read };
        }
        walk(history, |id, open| {
            let holds = open.iter().any(|it| !history.lock(it.lock).is_turn());
            match history.step(id).op {
                Op::Join { task, .. } if holds => {
                    awaited.insert(task);
                }
                Op::Acquire { lock, mode: Mode::Read, .. } | Op::Want { lock, mode: Mode::Read, .. }
                    if holds =>
                {
                    read.insert(lock);
                }
                _ => {}
            }
        });
        let mut found: Vec<TaskIx> = awaited.iter().copied().collect();
        while let Some(task) = found.pop() {
            for id in history.steps_of(task) {
                match history.step(*id).op {
                    Op::Join { task, .. } => found.extend(awaited.insert(task).then_some(task)),
                    Op::Acquire { lock, mode: Mode::Read, .. } | Op::Want { lock, mode: Mode::Read, .. } => {
                        read.insert(lock);
                    }
                    _ => {}
                }
            }
        }
        Involved { awaited, read }
    }

    fn without_locks(&self, task: TaskIx, wanted: Wanted) -> bool {
        let queues = matches!(wanted, Wanted::Lock(lock, Mode::Write) if self.read.contains(&lock));
        queues || self.awaited.contains(&task)
    }
}

/// The locks that are held at a request, in one order. A future that is suspended has given its turn back.
fn holds(history: &History, id: StepId, open: &[Open], ask: Ask, holds: &mut Vec<Hold>) {
    let task = history.step(id).task;
    let aside = history.aside(id);
    let given_back = |lock: LockIx| ask == Ask::Suspends && history.lock(lock).is_turn();
    holds.clear();
    holds.extend(open.iter().filter(|it| !given_back(it.lock) && !aside.contains(&it.lock)).map(|it| {
        let release = history.release_of(it.acquire);
        let moved = release.is_some_and(|release| history.step(release).task != task);
        Hold { lock: it.lock, mode: it.mode, moved }
    }));
    if holds.len() > 1 {
        holds.sort_unstable();
        holds.dedup();
    }
}

/// Goes through all steps with the locks that the task of each holds before it.
fn walk(history: &History, mut visit: impl FnMut(StepId, &[Open])) {
    let mut open: Vec<Vec<Open>> = vec![Vec::new(); history.tasks().len()];
    for (index, step) in history.steps().iter().enumerate() {
        let id = index as StepId;
        visit(id, &open[step.task as usize]);
        match step.op {
            Op::Acquire { lock, mode, .. } => open[step.task as usize].push(Open { lock, mode, acquire: id }),
            Op::Release { acquire, .. } => {
                let holder = history.steps().get(acquire as usize).map_or(step.task, |it| it.task);
                open[holder as usize].retain(|it| it.acquire != acquire);
            }
            _ => {}
        }
    }
}

/// Whether two requests can be made at the same time: no lock is held by both that only one can hold.
pub(crate) fn compatible(a: &Request, b: &Request) -> bool {
    a.task != b.task
        && !a.holds.iter().any(|mine| {
            b.holds.iter().any(|other| {
                mine.lock == other.lock && conflict(mine.mode, other.mode) && !mine.moved && !other.moved
            })
        })
}
