//! The least part of a run that has to come before something.
//!
//! A part is a *cut*: of each task its steps up to some place. It is closed when it holds whatever its steps had to come after,
//! and when of two critical sections of one lock that it begins and that exclude each other the earlier one is over. Then the
//! steps of the cut, in the order of the run, are a run themselves. Cuts only grow, so that a walk over all the requests of a
//! pattern visits each step once.

use crate::history::{Ask, History, LockIx, Op, StepId, TaskIx, conflict};
use crate::ids::Map;
use rvcheck_event::kind::Mode;
use std::collections::BTreeSet;

/// What a cut has to keep in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// Edges that are only there to be careful count.
    pub(crate) careful: bool,
    /// The tasks that one thread polls take turns.
    pub(crate) turns: bool,
    /// Edges count also that are there by chance, or by what a test does.
    pub(crate) all: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Cut<'h> {
    history: &'h History,
    rules: Rules,
    /// For each task how many of its steps are in.
    front: Vec<u32>,
    locks: Vec<Sections>,
    touched_tasks: Vec<TaskIx>,
    touched_locks: Vec<LockIx>,
    /// Tasks to be followed up to a place.
    wanted: Vec<(TaskIx, u32)>,
    /// By acquisition: where another task has let go of the lock before, if what locks protect orders those who take them.
    passed: Map<StepId, StepId>,
    /// The locks of which that counts; all but the turns of threads where it is empty, or those in `but`.
    only: Option<LockIx>,
    but: Vec<LockIx>,
    /// How many steps were visited.
    pub(crate) work: u64,
}

/// The critical sections of one lock that a cut begins.
#[derive(Clone, Debug, Default)]
struct Sections {
    /// Those that may still be open.
    open: Vec<(StepId, Mode)>,
    /// The last one by mode.
    last: [Option<StepId>; 3],
}

/// By acquisition of a lock: where another task has let go of it last.
fn passed(history: &History) -> Map<StepId, StepId> {
    let mut last: Map<LockIx, StepId> = Map::default();
    let mut found = Map::default();
    for (id, step) in (0..).zip(history.steps()) {
        match step.op {
            Op::Acquire { lock, .. } if !history.lock(lock).is_turn() => {
                let before = last.get(&lock).filter(|it| history.step(**it).task != step.task);
                if let Some(from) = before {
                    found.insert(id, *from);
                }
            }
            Op::Release { lock, .. } => {
                last.insert(lock, id);
            }
            _ => {}
        }
    }
    found
}

impl<'h> Cut<'h> {
    /// The cut with nothing in it.
    pub(crate) fn new(history: &'h History, rules: Rules) -> Cut<'h> {
        Cut {
            history,
            rules,
            front: vec![0; history.tasks().len()],
            locks: vec![Sections::default(); history.locks().len()],
            touched_tasks: Vec::new(),
            touched_locks: Vec::new(),
            wanted: Vec::new(),
            passed: Map::default(),
            only: None,
            but: Vec::new(),
            work: 0,
        }
    }

    /// As if what each lock protects told whoever takes it what was done before.
    pub(crate) fn with_contents(history: &'h History, rules: Rules) -> Cut<'h> {
        Cut { passed: passed(history), ..Cut::new(history, rules) }
    }

    /// That holds of locks other than these, and of one alone where that is named.
    pub(crate) fn tell(&mut self, but: Vec<LockIx>, only: Option<LockIx>) {
        (self.but, self.only) = (but, only);
    }

    /// The locks by which the tasks of the cut may have been told.
    pub(crate) fn ordering_locks(&self) -> BTreeSet<LockIx> {
        let history = self.history;
        let steps = self.touched_tasks.iter().flat_map(|task| history.stretch(*task, 0..self.front(*task)));
        let of = |id: &StepId| match history.step(*id).op {
            Op::Acquire { lock, .. } if self.passed.contains_key(id) => Some(lock),
            _ => None,
        };
        steps.filter_map(of).filter(|it| !self.but.contains(it)).collect()
    }

    /// Nothing is in it any more.
    pub(crate) fn clear(&mut self) {
        for task in self.touched_tasks.drain(..) {
            self.front[task as usize] = 0;
        }
        for lock in self.touched_locks.drain(..) {
            self.locks[lock as usize] = Sections::default();
        }
        self.wanted.clear();
    }

    /// How many steps of a task are in.
    pub(crate) fn front(&self, task: TaskIx) -> u32 {
        self.front[task as usize]
    }

    /// The tasks of which any step is in.
    pub(crate) fn tasks(&self) -> &[TaskIx] {
        &self.touched_tasks
    }

    /// Everything before this step comes in, and what that takes. Where `stopped` is asked for by a future, the turn of its
    /// task is over there. `false` if no run can get there: a lock would have to be free that is never given back.
    pub(crate) fn reach(&mut self, step: StepId, stopped: &[StepId]) -> bool {
        let it = self.history.step(step);
        self.wanted.push((it.task, it.position));
        while let Some((task, until)) = self.wanted.pop() {
            let from = self.front[task as usize];
            if from >= until {
                continue;
            }
            if from == 0 {
                self.touched_tasks.push(task);
            }
            self.front[task as usize] = until;
            let history = self.history;
            for id in history.stretch(task, from..until) {
                self.work += 1;
                if !self.take(*id, stopped) {
                    self.wanted.clear();
                    return false;
                }
            }
        }
        true
    }

    /// Asks for what this step takes.
    fn take(&mut self, id: StepId, stopped: &[StepId]) -> bool {
        let history = self.history;
        let Rules { careful, turns, all } = self.rules;
        for edge in history.edges(id) {
            if (careful || !edge.careful) && (all || history.is_kept(id, *edge)) {
                self.want(edge.from);
            }
        }
        if let Op::Acquire { lock, .. } = history.step(id).op
            && self.only.is_none_or(|it| it == lock)
            && !self.but.contains(&lock)
            && let Some(from) = self.passed.get(&id)
        {
            self.want(*from);
        }
        match history.step(id).op {
            Op::Acquire { lock, .. } if !turns && history.lock(lock).is_turn() => true,
            Op::Acquire { lock, mode, .. } => self.enter(lock, mode, id, stopped),
            // Nobody gets past what was never granted.
            Op::Want { .. } => false,
            _ => true,
        }
    }

    /// This step has to be in.
    fn want(&mut self, id: StepId) {
        let step = self.history.step(id);
        if self.front[step.task as usize] <= step.position {
            self.wanted.push((step.task, step.position + 1));
        }
    }

    /// A critical section begins.
    fn enter(&mut self, lock: LockIx, mode: Mode, id: StepId, stopped: &[StepId]) -> bool {
        let mut sections = std::mem::take(&mut self.locks[lock as usize]);
        if sections.last == [None; 3] {
            self.touched_locks.push(lock);
        }
        let mut over = true;
        let nests = |other: StepId| self.history.lock(lock).reentrant && self.same_task(other, id);
        let later = Mode::ALL.iter().any(|other| {
            conflict(mode, *other)
                && sections.last[*other as usize].is_some_and(|last| last > id && !nests(last))
        });
        let mut ended: Vec<StepId> = Vec::new();
        sections.open.retain(|(other, held)| {
            let before = *other < id && conflict(mode, *held) && !nests(*other);
            if before {
                ended.push(*other);
            }
            !before
        });
        if later {
            ended.push(id);
        } else {
            sections.open.push((id, mode));
        }
        let last = &mut sections.last[mode as usize];
        *last = Some(last.map_or(id, |it| it.max(id)));
        self.locks[lock as usize] = sections;
        for acquire in ended {
            over &= self.end(lock, acquire, stopped);
        }
        over
    }

    fn same_task(&self, a: StepId, b: StepId) -> bool {
        self.history.step(a).task == self.history.step(b).task
    }

    /// A critical section has to be over.
    fn end(&mut self, lock: LockIx, acquire: StepId, stopped: &[StepId]) -> bool {
        let release = self.history.release_of(acquire);
        if self.history.lock(lock).is_turn() && stopped.iter().any(|it| self.ends_turn(*it, acquire, release))
        {
            return true;
        }
        match release {
            Some(release) => {
                self.want(release);
                true
            }
            None => false,
        }
    }

    /// Whether asking at this step ends the turn that its task has begun by `acquire`.
    fn ends_turn(&self, asking: StepId, acquire: StepId, release: Option<StepId>) -> bool {
        let (asking, acquire) = (self.history.step(asking), self.history.step(acquire));
        let suspends = match asking.op {
            Op::Acquire { ask, .. } | Op::Want { ask, .. } | Op::Join { ask, .. } => ask == Ask::Suspends,
            _ => false,
        };
        let ends_after = |release: StepId| asking.position < self.history.step(release).position;
        suspends
            && asking.task == acquire.task
            && acquire.position < asking.position
            && release.is_none_or(ends_after)
    }
}
