//! What can be reached from small histories, found by trying everything.

use rvcheck_event::kind::Mode;
use rvcheck_predict::history::{Ask, History, LockIx, Op, StepId, TaskIx, conflict};
use std::collections::BTreeSet;

/// Of each task how many steps it has done.
pub(crate) type Front = Vec<u32>;
/// A request apart from where it was made: task, lock or task that is wanted, how, and what is held.
pub(crate) type Abstract = (TaskIx, (bool, u32, u8), Vec<(LockIx, u8)>);

/// The front after these steps.
pub(crate) fn positions(history: &History, steps: &[StepId]) -> Front {
    let mut front = vec![0; history.tasks().len()];
    for step in steps {
        front[history.step(*step).task as usize] += 1;
    }
    front
}

fn holders(history: &History, front: &Front, parked: &[bool]) -> Vec<(StepId, LockIx, Mode)> {
    let inside = |id: StepId| {
        let step = history.step(id);
        step.position < front[step.task as usize]
    };
    let mut found = Vec::new();
    for (id, step) in history.steps().iter().enumerate() {
        if let Op::Acquire { lock, mode, .. } = step.op
            && inside(id as StepId)
            && !history.release_of(id as StepId).is_some_and(inside)
            && !(history.lock(lock).is_turn() && parked.get(step.task as usize).copied().unwrap_or(false))
        {
            found.push((id as StepId, lock, mode));
        }
    }
    found
}

fn can(history: &History, front: &Front, parked: &[bool], id: StepId) -> bool {
    let step = history.step(id);
    let ordered = history.edges(id).iter().all(|edge| {
        let before = history.step(edge.from);
        before.position < front[before.task as usize]
    });
    let free = match step.op {
        Op::Acquire { lock, mode, .. } => holders(history, front, parked).iter().all(|(other, held, how)| {
            let nests = history.lock(lock).reentrant && history.step(*other).task == step.task;
            *held != lock || !conflict(*how, mode) || nests
        }),
        Op::Release { acquire, .. } => {
            let taken = history.step(acquire);
            taken.position < front[taken.task as usize]
        }
        _ => true,
    };
    ordered && free
}

/// Whether any schedule at all leads to this front. Those that ask in the end may be suspended there.
pub(crate) fn is_reachable(history: &History, goal: &Front, asking: &[StepId]) -> bool {
    let tasks = history.tasks().len();
    let mut seen = BTreeSet::new();
    let mut next = vec![(vec![0; tasks], vec![false; tasks])];
    while let Some((front, parked)) = next.pop() {
        if front == *goal {
            return true;
        }
        if !seen.insert((front.clone(), parked.clone())) {
            continue;
        }
        for task in 0..tasks {
            let Some(id) = history.steps_of(task as TaskIx).get(front[task] as usize).copied() else {
                continue;
            };
            if parked[task] {
                continue;
            }
            let suspends = match history.step(id).op {
                Op::Acquire { ask, .. } => ask == Ask::Suspends && !can(history, &front, &parked, id),
                Op::Join { task, ask } => {
                    ask == Ask::Suspends && front[task as usize] < history.steps_of(task).len() as u32
                }
                _ => false,
            };
            if suspends && asking.contains(&id) && front[task] == goal[task] {
                let mut parked = parked.clone();
                parked[task] = true;
                next.push((front.clone(), parked));
            }
            if front[task] < goal[task] && can(history, &front, &parked, id) {
                let mut front = front.clone();
                front[task] += 1;
                next.push((front, parked.clone()));
            }
        }
    }
    false
}

/// The requests that the tasks make at this front, and which of them wait for which.
fn waiting(history: &History, front: &Front) -> Vec<(StepId, Vec<StepId>)> {
    let asks = |id: StepId| match history.step(id).op {
        Op::Acquire { ask, .. } | Op::Want { ask, .. } | Op::Join { ask, .. } => ask != Ask::Tries,
        _ => false,
    };
    let at: Vec<StepId> = (0..history.tasks().len())
        .filter_map(|task| history.steps_of(task as TaskIx).get(front[task] as usize).copied())
        .filter(|id| asks(*id))
        .collect();
    let held = holders(history, front, &[]);
    let waits = |id: StepId, by: StepId| {
        let (step, other) = (history.step(id), history.step(by));
        if step.task == other.task {
            return false;
        }
        match step.op {
            Op::Acquire { lock, mode, .. } | Op::Want { lock, mode, .. } => {
                let keeps = held.iter().any(|(acquire, it, how)| {
                    let moved = history
                        .release_of(*acquire)
                        .is_some_and(|release| history.step(release).task != other.task);
                    *it == lock && conflict(*how, mode) && history.step(*acquire).task == other.task && !moved
                });
                let writes =
                    matches!(other.op, Op::Acquire { lock: it, mode: Mode::Write, .. } if it == lock);
                keeps || (writes && history.queues(id))
            }
            Op::Join { task, .. } => task == other.task,
            _ => false,
        }
    };
    at.iter().map(|id| (*id, at.iter().copied().filter(|by| waits(*id, *by)).collect())).collect()
}

/// The cycles of requests at this front, each abstract and as its steps.
pub(crate) fn abstract_cycles(
    history: &History,
    front: &Front,
) -> BTreeSet<(BTreeSet<Abstract>, Vec<StepId>)> {
    let waiting = waiting(history, front);
    let mut found = BTreeSet::new();
    let mut paths: Vec<Vec<StepId>> = waiting.iter().map(|(id, _)| vec![*id]).collect();
    while let Some(path) = paths.pop() {
        let last = *path.last().expect("a path has a beginning");
        let Some((_, nexts)) = waiting.iter().find(|(id, _)| *id == last) else { continue };
        for next in nexts {
            if *next == path[0] && path.len() > 1 {
                found.insert((path.iter().map(|id| of_step(history, *id)).collect(), path.clone()));
            } else if *next > path[0] && !path.contains(next) {
                let mut longer = path.clone();
                longer.push(*next);
                paths.push(longer);
            }
        }
    }
    found
}

fn of_step(history: &History, id: StepId) -> Abstract {
    let step = history.step(id);
    let wanted = match step.op {
        Op::Acquire { lock, mode, .. } | Op::Want { lock, mode, .. } => (true, lock, mode as u8),
        Op::Join { task, .. } => (false, task, 0),
        _ => (false, u32::MAX, 0),
    };
    let mut holds = Vec::new();
    for before in &history.steps_of(step.task)[..step.position as usize] {
        if let Op::Acquire { lock, mode, .. } = history.step(*before).op
            && history.release_of(*before).is_none_or(|release| release > id)
        {
            holds.push((lock, mode as u8));
        }
    }
    holds.sort_unstable();
    holds.dedup();
    (step.task, wanted, holds)
}

/// The deadlocks at all fronts that keep the order of critical sections: downward closed, and of two sections that exclude each
/// other the earlier one over.
pub(crate) fn sync_preserving(history: &History) -> BTreeSet<BTreeSet<Abstract>> {
    let mut found = BTreeSet::new();
    let mut front: Front = vec![0; history.tasks().len()];
    loop {
        if keeps_order(history, &front) {
            found.extend(abstract_cycles(history, &front).into_iter().map(|(it, _)| it));
        }
        // The next one, as an odometer.
        let Some(task) =
            (0..front.len()).find(|it| (front[*it] as usize) < history.steps_of(*it as TaskIx).len())
        else {
            return found;
        };
        front[task] += 1;
        front[..task].fill(0);
    }
}

fn keeps_order(history: &History, front: &Front) -> bool {
    let inside = |id: StepId| {
        let step = history.step(id);
        step.position < front[step.task as usize]
    };
    let all: Vec<StepId> = (0..history.len() as StepId).filter(|id| inside(*id)).collect();
    let closed = all.iter().all(|id| history.edges(*id).iter().all(|edge| inside(edge.from)));
    let sections: Vec<(StepId, LockIx, Mode)> = all
        .iter()
        .filter_map(|id| match history.step(*id).op {
            Op::Acquire { lock, mode, .. } => Some((*id, lock, mode)),
            _ => None,
        })
        .collect();
    // A release without its acquisition is one by another task that runs ahead.
    let whole = all.iter().all(|id| match history.step(*id).op {
        Op::Release { acquire, .. } => inside(acquire),
        _ => true,
    });
    closed
        && whole
        && sections.iter().all(|(first, lock, mode)| {
            sections.iter().all(|(second, other, how)| {
                let nests =
                    history.lock(*lock).reentrant && history.step(*first).task == history.step(*second).task;
                lock != other
                    || first >= second
                    || !conflict(*mode, *how)
                    || nests
                    || history.release_of(*first).is_some_and(inside)
            })
        })
}
