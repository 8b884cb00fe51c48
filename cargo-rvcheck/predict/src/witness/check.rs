//! A second opinion on witnesses.
//!
//! The steps are carried out one by one over a state of its own, by the rules of what a reordering may be:
//!
//! 1. each task does its steps from its first one on, in its order, and leaves none out;
//! 2. a step comes after whatever it had to come after;
//! 3. a lock is taken only when nobody holds it in a mode that excludes that; the turn of a thread is free when who had it is
//!    suspended where it asks;
//! 4. in the end each of the tasks asks for something that the next one keeps from it, and the last one by the first.
//!
//! It shares no code with the search, and looks at nothing but the history and the witness.

use super::Witness;
use crate::history::{Ask, History, LockIx, Op, StepId, TaskIx};
use rvcheck_event::kind::Mode;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is wrong with a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// There is no such step.
    NoStep(StepId),
    /// The step is not the next one of its task.
    OutOfOrder(StepId),
    /// Something that has to come before the step does not.
    TooEarly(StepId),
    /// The step takes a lock that is not free.
    NotFree(StepId),
    /// The step gives a lock back that nobody holds.
    NotHeld(StepId),
    /// What asks in the end is no request, or not the next step of its task.
    NoRequest(StepId),
    /// A task asks twice.
    Twice(StepId),
    /// What is asked for in the end is not kept back by the next task.
    NotBlocked(StepId),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoStep(it) => write!(f, "there is no step {it}"),
            Flaw::OutOfOrder(it) => write!(f, "step {it} is not the next one of its task"),
            Flaw::TooEarly(it) => write!(f, "step {it} comes before something that it had to come after"),
            Flaw::NotFree(it) => write!(f, "step {it} takes a lock that is not free"),
            Flaw::NotHeld(it) => write!(f, "step {it} releases a lock that is not held"),
            Flaw::NoRequest(it) => write!(f, "step {it} is no request that its task can make then"),
            Flaw::Twice(it) => write!(f, "the task of step {it} requests twice"),
            Flaw::NotBlocked(it) => write!(f, "the next task does not keep step {it} from what it requests"),
        }
    }
}

/// Who holds a lock, by whose acquisition and how.
type Holders = Vec<(StepId, Mode)>;

struct State<'h> {
    history: &'h History,
    /// How many steps each task has done.
    done: BTreeMap<TaskIx, u32>,
    holders: BTreeMap<LockIx, Holders>,
    /// What the tasks ask for in the end.
    asking: BTreeMap<TaskIx, StepId>,
    /// Those that are suspended there.
    suspended: BTreeSet<TaskIx>,
}

/// Whether the witness shows that the tasks of these steps wait for each other, each for the next one.
///
/// # Errors
///
/// With the first flaw, if it does not.
pub fn check(history: &History, witness: &Witness, cycle: &[StepId]) -> Result<(), Flaw> {
    let mut state = State {
        history,
        done: BTreeMap::new(),
        holders: BTreeMap::new(),
        asking: BTreeMap::new(),
        suspended: BTreeSet::new(),
    };
    for id in &witness.asking {
        let step = history.steps().get(*id as usize).ok_or(Flaw::NoStep(*id))?;
        if state.asking.insert(step.task, *id).is_some() {
            return Err(Flaw::Twice(*id));
        }
    }
    for id in &witness.steps {
        state.take(*id)?;
    }
    for id in &witness.asking {
        state.ask(*id)?;
    }
    for (index, id) in cycle.iter().enumerate() {
        let next = cycle[(index + 1) % cycle.len()];
        if !witness.asking.contains(id) || !state.blocks(next, *id, &witness.asking) {
            return Err(Flaw::NotBlocked(*id));
        }
    }
    if cycle.len() < 2 { Err(Flaw::NotBlocked(cycle.first().copied().unwrap_or(0))) } else { Ok(()) }
}

impl State<'_> {
    fn take(&mut self, id: StepId) -> Result<(), Flaw> {
        let step = self.history.steps().get(id as usize).ok_or(Flaw::NoStep(id))?;
        let done = self.done.entry(step.task).or_default();
        if step.position != *done || self.suspended.contains(&step.task) {
            return Err(Flaw::OutOfOrder(id));
        }
        *done += 1;
        for edge in self.history.edges(id) {
            let before = self.history.step(edge.from);
            if self.done.get(&before.task).is_none_or(|done| *done <= before.position) {
                return Err(Flaw::TooEarly(id));
            }
        }
        match step.op {
            Op::Acquire { lock, mode, .. } => {
                if self.history.lock(lock).is_turn() {
                    self.free_turn(lock);
                }
                let holders = self.holders.entry(lock).or_default();
                let mine = |other: StepId| {
                    self.history.lock(lock).reentrant && self.history.step(other).task == step.task
                };
                if holders.iter().any(|(other, held)| excludes(*held, mode) && !mine(*other)) {
                    return Err(Flaw::NotFree(id));
                }
                holders.push((id, mode));
                Ok(())
            }
            Op::Release { lock, acquire } => {
                let holders = self.holders.entry(lock).or_default();
                let at = holders.iter().position(|(other, _)| *other == acquire).ok_or(Flaw::NotHeld(id))?;
                holders.swap_remove(at);
                Ok(())
            }
            Op::Want { .. } => Err(Flaw::OutOfOrder(id)),
            Op::Join { .. } | Op::Point => Ok(()),
        }
    }

    /// Somebody needs a turn. If who has it is suspended where it asks, because that is not free, then it is over.
    fn free_turn(&mut self, lock: LockIx) {
        let holders = self.holders.get(&lock).cloned().unwrap_or_default();
        for (acquire, _) in holders {
            let task = self.history.step(acquire).task;
            let Some(asking) = self.asking.get(&task).map(|id| self.history.step(*id)) else { continue };
            let there = self.done.get(&task) == Some(&asking.position);
            if there && self.is_suspended_by(asking.op, task) {
                self.suspended.insert(task);
                self.holders.entry(lock).or_default().retain(|(other, _)| *other != acquire);
            }
        }
    }

    fn is_suspended_by(&self, op: Op, task: TaskIx) -> bool {
        match op {
            Op::Acquire { lock, mode, ask: Ask::Suspends } | Op::Want { lock, mode, ask: Ask::Suspends } => {
                let holders = self.holders.get(&lock).map_or(&[][..], Vec::as_slice);
                let other = |acquire: StepId| self.history.step(acquire).task != task;
                holders.iter().any(|(acquire, held)| excludes(*held, mode) && other(*acquire))
            }
            Op::Join { task: other, ask: Ask::Suspends } => {
                let all = self.history.steps_of(other).len();
                (self.done.get(&other).copied().unwrap_or(0) as usize) < all
            }
            _ => false,
        }
    }

    fn ask(&self, id: StepId) -> Result<(), Flaw> {
        let step = self.history.step(id);
        let ask = match step.op {
            Op::Acquire { ask, .. } | Op::Want { ask, .. } | Op::Join { ask, .. } => ask,
            _ => Ask::Tries,
        };
        let next = self.done.get(&step.task).copied().unwrap_or(0);
        if ask == Ask::Tries || step.position != next { Err(Flaw::NoRequest(id)) } else { Ok(()) }
    }

    /// Whether the task that asks at `by` keeps the one that asks at `id` waiting.
    fn blocks(&self, by: StepId, id: StepId, asking: &[StepId]) -> bool {
        let (waiting, blocking) = (self.history.step(id), self.history.step(by));
        if waiting.task == blocking.task {
            return false;
        }
        match waiting.op {
            Op::Acquire { lock, mode, .. } | Op::Want { lock, mode, .. } => {
                let held = self.holders.get(&lock).is_some_and(|holders| {
                    holders.iter().any(|(acquire, held)| {
                        excludes(*held, mode) && self.history.step(*acquire).task == blocking.task
                    })
                });
                let writes = matches!(
                    blocking.op,
                    Op::Acquire { lock: other, mode: Mode::Write, .. } | Op::Want { lock: other, mode: Mode::Write, .. }
                        if other == lock
                );
                let at = |it: StepId| asking.iter().position(|other| *other == it);
                let queued = writes && self.history.queues(id) && at(by) < at(id);
                held || queued
            }
            Op::Join { task, .. } => task == blocking.task,
            Op::Release { .. } | Op::Point => false,
        }
    }
}

/// Whether a lock that is held in one mode cannot be taken in the other.
fn excludes(held: Mode, wanted: Mode) -> bool {
    match held {
        Mode::Write => true,
        Mode::Read => wanted == Mode::Write,
        Mode::Upgrade => wanted != Mode::Read,
    }
}
