//! From a history to its predictions.

use crate::closure::{Cut, Rules};
use crate::history::{History, LockIx, Op, StepId, TaskIx, conflict};
use crate::limits::Limits;
use crate::request::{Request, Requests, Wanted, compatible};
use crate::witness::check::Flaw;
use crate::witness::{Witness, check};
use rvcheck_event::cycles;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::Mode;
use std::collections::BTreeSet;

/// What was predicted.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// The predictions, those with a witness first.
    pub all: Vec<Prediction>,
    /// Those whose tasks hold what the next one asks for, and which the program itself keeps from happening.
    pub ordered: Vec<Ordered>,
    /// How many others there are at the places of these.
    pub alike: u64,
    /// There was more to try than the limits allow.
    pub bounded: bool,
    /// How many were left out because the witness did not check.
    pub unsound: u64,
}

/// Tasks that would wait for each other forever.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// What it is.
    pub shape: Shape,
    /// The tasks. Each waits for the next one, and the last one for the first.
    pub blocked: Vec<Blocked>,
    /// How it is known.
    pub proof: Proof,
    /// A lock that one of the tasks had let go of before another one took it, and without which the run to the deadlock would not be known
    /// to be one: what the lock protects may have told the other one what was done.
    pub passed: Option<LockIx>,
}

/// Requests of several tasks that would be a deadlock if they were made at once, and are not: what the program does, and not only its
/// test, orders them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ordered {
    /// A test that shows it.
    pub unit: UnitId,
    /// Where each of the tasks asks for what the next one has.
    pub asked: Vec<SiteId>,
}

/// The shape of a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Several locks, or the ends of tasks.
    LockOrder,
    /// One lock, which is taken again by who holds it, with another request in between.
    DoubleLock,
}

/// How a prediction is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// By a run that the steps of this one make up.
    Witnessed(Witness),
    /// It is not ruled out.
    Potential(Why),
}

/// Why there is no witness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// The steps may be ordered by something that was not seen, such as a socket or what a lock protects.
    Unseen,
    /// A lock is given back by another task than the one that took it.
    Moved,
    /// The tasks share a thread, and in the recorded run none was suspended where the others would have to come in.
    OneThread,
}

/// One task of a deadlock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The task.
    pub task: TaskIx,
    /// The step at which it waits.
    pub step: StepId,
    /// What it waits for.
    pub wanted: Wanted,
    /// The lock by which it keeps the one before it waiting, and where it took that; none where that one waits for its end, or
    /// behind it in the queue.
    pub holds: Option<(LockIx, Mode, StepId)>,
}

/// The deadlocks that a history can be made to have.
pub fn predict(history: &History, limits: &Limits) -> Predictions {
    let filters = limits.filters;
    let requests = Requests::of(history, filters);
    let mut search = Search {
        history,
        requests: &requests,
        limits,
        careful: Cut::new(history, Rules { careful: true, turns: true, all: true }),
        bold: Cut::new(history, Rules { careful: false, turns: true, all: true }),
        threads: Cut::new(history, Rules { careful: true, turns: false, all: true }),
        program: Cut::new(history, Rules { careful: false, turns: false, all: false }),
        contents: None,
        looked: 0,
        known: BTreeSet::new(),
        found: Predictions::default(),
    };
    let fits = |a: u32, b: u32| {
        !filters.compatible || compatible(&requests.all[a as usize], &requests.all[b as usize])
    };
    let bounds = cycles::Limits { connected: filters.connected, longest: usize::MAX, work: limits.waits };
    let all = cycles::each(&requests.waits_for, bounds, fits, |cycle| search.look(cycle));
    let mut found = search.found;
    found.bounded |= !all;
    found.all.sort_by_key(|it| matches!(it.proof, Proof::Potential(_)));
    found
}

/// How many are reported that the program keeps from happening.
const MOST_ORDERED: usize = 256;

/// How many locks are tried to find the one that keeps tasks apart.
const MAX_ORDERING_LOCKS: usize = 32;

/// The places of a cycle: those of its requests, and those where what they hold was taken.
type Places = BTreeSet<(u32, u32)>;

struct Search<'h> {
    history: &'h History,
    requests: &'h Requests,
    limits: &'h Limits,
    careful: Cut<'h>,
    bold: Cut<'h>,
    /// As if each task had a thread of its own.
    threads: Cut<'h>,
    /// As if neither tests nor chance ordered anything.
    program: Cut<'h>,
    /// As if what locks protect ordered those who take them; made when it is first asked for.
    contents: Option<Cut<'h>>,
    looked: u64,
    /// The places of what was predicted.
    known: BTreeSet<(bool, Places)>,
    found: Predictions,
}

impl Search<'_> {
    /// Looks into a cycle of requests. Whether to go on.
    fn look(&mut self, cycle: &[u32]) -> bool {
        self.looked += 1;
        let work = [&self.careful, &self.bold, &self.threads, &self.program].map(|it| it.work);
        if self.looked > self.limits.cycles || work.iter().sum::<u64>() > self.limits.steps {
            return false;
        }
        let cycle: Vec<&Request> = cycle.iter().map(|it| &self.requests.all[*it as usize]).collect();
        // What every request of the pattern could be blamed for was reported before.
        let first: Vec<StepId> = cycle.iter().filter_map(|it| it.at.first().copied()).collect();
        let places = self.limits.distinct.then(|| self.places(&self.blocked(&cycle, &first)));
        if let Some(places) = &places
            && self.known.contains(&(true, places.clone()))
        {
            self.found.alike += 1;
            return true;
        }
        if let Some(prediction) = self.prediction(&cycle) {
            let witnessed = matches!(prediction.proof, Proof::Witnessed(_));
            let places = places.map(|_| self.places(&prediction.blocked));
            match places {
                Some(places) if !self.known.insert((witnessed, places.clone())) => self.found.alike += 1,
                _ => self.found.all.push(prediction),
            }
        } else if self.found.ordered.len() < MOST_ORDERED
            && reached(self.history, &mut self.program, &cycle).is_none()
        {
            let asked = first.iter().map(|it| self.history.step(*it).site).collect();
            let unit = self.history.task(cycle[0].task).unit;
            let ordered = Ordered { unit, asked };
            if !self.found.ordered.contains(&ordered) {
                self.found.ordered.push(ordered);
            }
        }
        true
    }

    fn prediction(&mut self, cycle: &[&Request]) -> Option<Prediction> {
        let shape = shape(cycle);
        if !rests_on_moved(cycle)
            && let Some(steps) = reached(self.history, &mut self.careful, cycle)
        {
            let witness = self.witness(&steps);
            if let Err(flaw) = check::check(self.history, &witness, &steps) {
                if self.rests_on_a_turn(flaw) {
                    return self.on_one_thread(cycle);
                }
                self.found.unsound += 1;
                return None;
            }
            let (blocked, passed) = (self.blocked(cycle, &steps), self.passed(cycle));
            return Some(Prediction { shape, blocked, proof: Proof::Witnessed(witness), passed });
        }
        let Some(steps) = reached(self.history, &mut self.bold, cycle) else {
            return self.on_one_thread(cycle);
        };
        let why = if rests_on_moved(cycle) { Why::Moved } else { Why::Unseen };
        let blocked = self.blocked(cycle, &steps);
        Some(Prediction { shape, blocked, proof: Proof::Potential(why), passed: None })
    }

    /// The lock by which the tasks of a cycle may have been told of each other, if that would keep them apart.
    fn passed(&mut self, cycle: &[&Request]) -> Option<LockIx> {
        let history = self.history;
        let rules = Rules { careful: true, turns: true, all: true };
        let cut = self.contents.get_or_insert_with(|| Cut::with_contents(history, rules));
        let wanted = cycle.iter().filter_map(|it| match it.wanted {
            Wanted::Lock(lock, _) => Some(lock),
            Wanted::End(_) => None,
        });
        let own: Vec<LockIx> =
            wanted.chain(cycle.iter().flat_map(|it| &it.holds).map(|it| it.lock)).collect();
        cut.tell(own.clone(), None);
        if reached(history, cut, cycle).is_some() {
            return None;
        }
        let ordering_locks: Vec<LockIx> = cut.ordering_locks().into_iter().take(MAX_ORDERING_LOCKS).collect();
        let keeps_apart = |lock: &&LockIx| {
            cut.tell(own.clone(), Some(**lock));
            reached(history, cut, cycle).is_none()
        };
        let alone = ordering_locks.iter().find(keeps_apart);
        alone.or(ordering_locks.first()).copied()
    }

    /// A deadlock of tasks that one thread polls, if only they were suspended where they ask: whoever awaits a lock may be, be it for a
    /// third one who has it.
    fn on_one_thread(&mut self, cycle: &[&Request]) -> Option<Prediction> {
        let waits = |it: &Request| it.holds.iter().all(|hold| !self.history.lock(hold.lock).is_turn());
        if rests_on_moved(cycle) || !cycle.iter().all(|it| waits(it)) {
            return None;
        }
        let steps = reached(self.history, &mut self.threads, cycle)?;
        let (shape, blocked) = (shape(cycle), self.blocked(cycle, &steps));
        Some(Prediction { shape, blocked, proof: Proof::Potential(Why::OneThread), passed: None })
    }

    /// Whether the thread of a task could not go on with another one, since nothing would have suspended the first. The search
    /// takes every request for one that suspends, and only the run to it tells whether the lock is free then.
    fn rests_on_a_turn(&self, flaw: Flaw) -> bool {
        let Flaw::NotFree(step) = flaw else { return false };
        matches!(self.history.step(step).op, Op::Acquire { lock, .. } if self.history.lock(lock).is_turn())
    }

    /// The run to where the steps are asked for.
    fn witness(&self, steps: &[StepId]) -> Witness {
        let cut = &self.careful;
        let parts = cut.tasks().iter().flat_map(|task| self.history.stretch(*task, 0..cut.front(*task)));
        let mut run: Vec<StepId> = parts.copied().collect();
        run.sort_unstable();
        // Whoever wants to write queues up before those who then have to wait behind it.
        let mut asking = steps.to_vec();
        asking.sort_by_key(|it| (!self.wants_to_write(*it), *it));
        Witness { steps: run, asking }
    }

    fn wants_to_write(&self, step: StepId) -> bool {
        matches!(
            self.history.step(step).op,
            Op::Acquire { mode: Mode::Write, .. } | Op::Want { mode: Mode::Write, .. }
        )
    }

    /// The tasks at these steps, each with the lock by which it keeps the one before it waiting.
    fn blocked(&self, cycle: &[&Request], steps: &[StepId]) -> Vec<Blocked> {
        let before = cycle.iter().cycle().skip(cycle.len().saturating_sub(1));
        let all = cycle.iter().zip(steps).zip(before);
        all.map(|((request, step), waiting)| {
            let holds = match waiting.wanted {
                Wanted::Lock(lock, mode) => {
                    let held = request.holds.iter().find(|it| it.lock == lock && conflict(it.mode, mode));
                    held.and_then(|it| Some((lock, it.mode, self.taken(*step, lock)?)))
                }
                Wanted::End(_) => None,
            };
            Blocked { task: request.task, step: *step, wanted: request.wanted, holds }
        })
        .collect()
    }

    /// The step by which the task of `step` took the lock that it holds then.
    fn taken(&self, step: StepId, lock: LockIx) -> Option<StepId> {
        let it = self.history.step(step);
        let before = self.history.stretch(it.task, 0..it.position);
        before.iter().rev().copied().find(|id| {
            matches!(self.history.step(*id).op, Op::Acquire { lock: other, .. } if other == lock)
                && self.history.release_of(*id).is_none_or(|release| release > step)
        })
    }

    fn places(&self, blocked: &[Blocked]) -> Places {
        let site = |step: StepId| self.history.step(step).site.0;
        blocked.iter().map(|it| (site(it.step), it.holds.map_or(0, |(_, _, taken)| site(taken)))).collect()
    }
}

/// Each request with the next one, the last with the first.
fn pairs<'a>(cycle: &'a [&'a Request]) -> impl Iterator<Item = (&'a Request, &'a Request)> {
    cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1))
}

/// Whether a task waits only for a lock that the next one cannot keep from being given back.
fn rests_on_moved(cycle: &[&Request]) -> bool {
    pairs(cycle).any(|(waiting, next)| match waiting.wanted {
        Wanted::End(_) => false,
        Wanted::Lock(lock, mode) => {
            let mut held =
                next.holds.iter().filter(|it| it.lock == lock && conflict(it.mode, mode)).peekable();
            held.peek().is_some() && held.all(|it| it.moved)
        }
    })
}

fn shape(cycle: &[&Request]) -> Shape {
    let locks: BTreeSet<Option<LockIx>> = cycle
        .iter()
        .map(|it| match it.wanted {
            Wanted::Lock(lock, _) => Some(lock),
            Wanted::End(_) => None,
        })
        .collect();
    if locks.len() == 1 && !locks.contains(&None) { Shape::DoubleLock } else { Shape::LockOrder }
}

/// The first steps of the requests that can all be waited at together. The cut is then what comes before them.
fn reached(history: &History, cut: &mut Cut<'_>, cycle: &[&Request]) -> Option<Vec<StepId>> {
    cut.clear();
    let mut steps: Vec<StepId> = cycle.iter().map(|it| it.at.first().copied()).collect::<Option<_>>()?;
    loop {
        for step in &steps {
            if !cut.reach(*step, &steps) {
                return None;
            }
        }
        let mut moved = false;
        for (request, step) in cycle.iter().zip(&mut steps) {
            let front = cut.front(request.task);
            if history.step(*step).position < front {
                let next = request.at.partition_point(|it| history.step(*it).position < front);
                *step = *request.at.get(next)?;
                moved = true;
            }
        }
        if !moved {
            return Some(steps);
        }
    }
}
