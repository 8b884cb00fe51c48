//! What a prediction knows of a run: the steps of its tasks, and which of them had to come before which.

use rvcheck_event::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use rvcheck_event::kind::{Mode, ObjectKind, TaskKind};
use std::ops::Range;

/// The number of a step, in the order of the run.
pub type StepId = u32;
/// The number of a task in a history.
pub type TaskIx = u32;
/// The number of a lock in a history.
pub type LockIx = u32;

/// How a task asks for something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ask {
    /// Its thread waits, if need be.
    Blocks,
    /// It is suspended, if need be, and its thread goes on with others.
    Suspends,
    /// It does not wait, or not forever.
    Tries,
}

/// What a task did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// It asked for the lock and got it.
    Acquire {
        /// The lock.
        lock: LockIx,
        /// How it is held from now on.
        mode: Mode,
        /// How it asked.
        ask: Ask,
    },
    /// It asked for the lock, and never got it in this run. Nothing comes after that.
    Want {
        /// The lock.
        lock: LockIx,
        /// How it would be held.
        mode: Mode,
        /// How it asks.
        ask: Ask,
    },
    /// The lock is given back.
    Release {
        /// The lock.
        lock: LockIx,
        /// The step by which it was acquired, by this task or another.
        acquire: StepId,
    },
    /// It went on when the other task was over.
    Join {
        /// The other one.
        task: TaskIx,
        /// How it waited.
        ask: Ask,
    },
    /// Anything else that others are ordered by.
    Point,
}

/// The event that a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Its number, counted from 0.
    pub event: u64,
    /// When, in ns since the run began.
    pub time: u64,
    /// Where.
    pub site: SiteId,
}

/// One step of a task.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Whose step it is.
    pub task: TaskIx,
    /// What it did.
    pub op: Op,
    /// The number of the event that it is, counted from 0.
    pub event: u64,
    /// When, in ns since the run began.
    pub time: u64,
    /// Where it happened.
    pub site: SiteId,
    /// Its place among the steps of its task, from 0.
    pub position: u32,
    first_edge: u32,
    edges: u32,
}

/// An edge of happens-before: a step that has to come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HappensBefore {
    /// That step.
    pub from: StepId,
    /// It is not known to have to; but nothing says that it does not.
    pub careful: bool,
}

/// A task, a thread, or something that only orders the steps of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its id in the trace.
    pub id: TaskId,
    /// The unit that it acts for.
    pub unit: UnitId,
    /// What it is, where that is known.
    pub kind: Option<TaskKind>,
    /// Where it was spawned.
    pub spawned_at: SiteId,
    /// It is no task, and only orders the steps of others.
    pub is_hub: bool,
    /// It is a thread that a dependency has made, or nobody known. It may do the work of any unit, and what orders the jobs that it is
    /// given, and who waits for them, may be in no event.
    pub is_of_others: bool,
}

/// A lock, or what works as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    /// Its id in the trace; none for the turn of an executor's thread.
    pub id: ObjectId,
    /// What it is, where that is known.
    pub kind: Option<ObjectKind>,
    /// Where it was created.
    pub born_at: SiteId,
    /// The name of what was created there.
    pub class: StringId,
    /// Whoever wants to read waits behind whoever waits to write.
    pub queues: bool,
    /// Its holder may take it again.
    pub reentrant: bool,
}

impl Lock {
    /// Whether it is the turn of a thread that polls several tasks, one at a time.
    pub fn is_turn(&self) -> bool {
        !self.id.is_some()
    }
}

/// Whether two may not hold a lock in these modes at once.
pub const fn conflict(a: Mode, b: Mode) -> bool {
    !matches!((a, b), (Mode::Read, Mode::Read | Mode::Upgrade) | (Mode::Upgrade, Mode::Read))
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: Vec<Step>,
    edges: Vec<HappensBefore>,
    tasks: Vec<Task>,
    of_task: Vec<Vec<StepId>>,
    locks: Vec<Lock>,
    /// For an acquisition: its release.
    releases: Vec<StepId>,
    /// For an acquisition: the locks that its task holds in another of its futures.
    aside: crate::ids::Map<StepId, Vec<LockIx>>,
    /// Requests that do not wait behind others in the queue.
    jumps: crate::ids::Set<StepId>,
    overlooks_atomics: bool,
    /// Places in the code of tests.
    of_tests: crate::ids::Set<SiteId>,
    /// Steps that what the program does does not keep behind others for certain.
    loose: crate::ids::Set<StepId>,
}

/// No step.
pub(crate) const NONE: StepId = StepId::MAX;

impl History {
    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> u64 {
        let steps =
            self.steps.capacity() * size_of::<Step>() + self.releases.capacity() * size_of::<StepId>();
        let edges = self.edges.capacity() * size_of::<HappensBefore>();
        let of_task: usize = self.of_task.iter().map(|it| it.capacity() * size_of::<StepId>()).sum();
        (steps + edges + of_task) as u64
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps, in the order of the run.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A step of this history.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id as usize]
    }

    /// What has to come before a step, but for the one before it in its own task.
    pub fn edges(&self, id: StepId) -> &[HappensBefore] {
        let step = self.step(id);
        &self.edges[step.first_edge as usize..(step.first_edge + step.edges) as usize]
    }

    /// The tasks.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// A task of this history.
    pub fn task(&self, task: TaskIx) -> &Task {
        &self.tasks[task as usize]
    }

    /// The steps of a task, in its order.
    pub fn steps_of(&self, task: TaskIx) -> &[StepId] {
        &self.of_task[task as usize]
    }

    /// The locks.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// A lock of this history.
    pub fn lock(&self, lock: LockIx) -> &Lock {
        &self.locks[lock as usize]
    }

    /// The release of an acquisition, if there was one.
    pub fn release_of(&self, acquire: StepId) -> Option<StepId> {
        self.releases.get(acquire as usize).copied().filter(|it| *it != NONE)
    }

    /// The locks that the task of this step holds in another of its futures, which goes on by itself.
    pub fn aside(&self, step: StepId) -> &[LockIx] {
        self.aside.get(&step).map_or(&[], Vec::as_slice)
    }

    /// Whether what tasks saw in atomics is not all there.
    pub fn overlooks_atomics(&self) -> bool {
        self.overlooks_atomics
    }

    /// What tasks saw in atomics is not all there.
    pub fn set_overlooks_atomics(&mut self) {
        self.overlooks_atomics = true;
    }

    /// A task.
    pub fn add_task(&mut self, task: Task) -> TaskIx {
        self.tasks.push(task);
        self.of_task.push(Vec::new());
        (self.tasks.len() - 1) as TaskIx
    }

    /// The same task, now that more is known of it.
    pub fn task_mut(&mut self, task: TaskIx) -> &mut Task {
        &mut self.tasks[task as usize]
    }

    /// A lock.
    pub fn add_lock(&mut self, lock: Lock) -> LockIx {
        self.locks.push(lock);
        (self.locks.len() - 1) as LockIx
    }

    /// The next step of the run, and of its task. There are fewer than 2³² − 1; those beyond are left out.
    pub fn add_step(&mut self, task: TaskIx, op: Op, event: Seen) -> StepId {
        let id = self.steps.len().min(NONE as usize - 1) as StepId;
        if self.is_full() {
            return id;
        }
        let of_task = &mut self.of_task[task as usize];
        let position = of_task.len() as u32;
        let first_edge = self.edges.len() as u32;
        of_task.push(id);
        let Seen { event, time, site } = event;
        self.steps.push(Step { task, op, event, time, site, position, first_edge, edges: 0 });
        self.releases.push(NONE);
        if let Op::Release { acquire, .. } = op
            && let Some(release) = self.releases.get_mut(acquire as usize)
        {
            *release = id;
            // A guard that moved to another task got there somehow.
            self.add_edge(HappensBefore { from: acquire, careful: false });
        }
        id
    }

    /// Whether no more steps fit in.
    pub fn is_full(&self) -> bool {
        self.steps.len() >= NONE as usize - 1 || self.edges.len() >= NONE as usize - 1
    }

    /// The last step had to come after this one.
    pub fn add_edge(&mut self, edge: HappensBefore) {
        let last = self.steps.len().saturating_sub(1);
        if self.is_full() || edge.from as usize >= last {
            return;
        }
        // What a task did itself it did before.
        if self.steps[edge.from as usize].task != self.steps[last].task {
            self.steps[last].edges += 1;
            self.edges.push(edge);
        }
    }

    /// At this step its task held these locks in another of its futures.
    pub fn set_aside(&mut self, step: StepId, locks: Vec<LockIx>) {
        if !locks.is_empty() {
            self.aside.insert(step, locks);
        }
    }

    /// These places are in the code of tests.
    pub fn set_of_tests(&mut self, sites: impl IntoIterator<Item = SiteId>) {
        self.of_tests = sites.into_iter().collect();
    }

    /// The last step came after others by chance: as a thread polls its tasks, or by an atomic that somebody looked at too early.
    pub fn set_loose(&mut self) {
        if let Some(last) = self.steps.len().checked_sub(1) {
            self.loose.insert(last as StepId);
        }
    }

    /// Whether the program itself, and not only a test of it or chance, keeps a step behind the one that it comes after.
    pub fn is_kept(&self, step: StepId, edge: HappensBefore) -> bool {
        let of_test = |step: StepId| self.of_tests.contains(&self.step(step).site);
        let tests = || !self.of_tests.is_empty() && (of_test(step) || of_test(edge.from));
        !self.loose.contains(&step) && !tests()
    }

    /// This request to read does not wait behind those who wait to write.
    pub fn set_jumps(&mut self, step: StepId) {
        self.jumps.insert(step);
    }

    /// Whether a request to read waits behind those who wait to write.
    pub fn queues(&self, step: StepId) -> bool {
        match self.step(step).op {
            Op::Acquire { lock, mode: Mode::Read, .. } | Op::Want { lock, mode: Mode::Read, .. } => {
                self.lock(lock).queues && !self.jumps.contains(&step)
            }
            _ => false,
        }
    }

    /// The steps of a task from one position to another.
    pub(crate) fn stretch(&self, task: TaskIx, positions: Range<u32>) -> &[StepId] {
        &self.of_task[task as usize][positions.start as usize..positions.end as usize]
    }
}
