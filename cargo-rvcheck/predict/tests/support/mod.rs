//! What the tests of the prediction have in common.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod random;
pub(crate) mod reference;
pub(crate) mod said;

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::flag;
use rvcheck_predict::history::{Ask, History, Lock, Op, Step, Task};

/// A task of that number.
pub(crate) fn task(number: u32) -> Task {
    Task {
        id: TaskId(number + 1),
        unit: UnitId(1),
        kind: None,
        spawned_at: SiteId::NONE,
        is_hub: false,
        is_of_others: false,
    }
}

/// A lock of that number, or the turn of a thread.
pub(crate) fn lock(number: Option<u32>) -> Lock {
    Lock {
        id: number.map_or(ObjectId::NONE, |it| ObjectId(it + 1)),
        kind: None,
        born_at: SiteId::NONE,
        class: StringId::NONE,
        queues: true,
        reentrant: false,
    }
}

/// The history, one step a line.
pub(crate) fn show(history: &History) -> String {
    let line = |(id, step): (usize, &rvcheck_predict::history::Step)| {
        let edges: Vec<u32> = history.edges(id as u32).iter().map(|it| it.from).collect();
        format!("{id:>3} task {} {:?} after {edges:?}\n", step.task, step.op)
    };
    let locks: Vec<_> = history.locks().iter().map(|it| (it.queues, it.reentrant)).collect();
    let steps: String = history.steps().iter().enumerate().map(line).collect();
    format!("queues, reentrant: {locks:?}\n{steps}")
}

/// The events of locks and of ends that are waited for which a history could be of.
pub(crate) fn events(history: &History) -> Vec<Event> {
    let event = |kind, task: u32, object: u32, flags| Event {
        kind,
        flags,
        thread: ThreadId(task + 1),
        task: TaskId(task + 1),
        unit: UnitId(1),
        site: SiteId::NONE,
        object,
        number: 0,
        time: 0,
        ns: 0,
        cpu: 0,
    };
    let of = |step: &Step| match step.op {
        Op::Acquire { lock, mode, ask } => {
            let tries = if ask == Ask::Tries { flag::TRY } else { 0 };
            Some(event(EventKind::Acquire, step.task, lock + 1, mode as u8 | tries))
        }
        Op::Release { lock, acquire } => {
            let mode = match history.step(acquire).op {
                Op::Acquire { mode, .. } => mode as u8,
                _ => 0,
            };
            Some(event(EventKind::Release, step.task, lock + 1, mode))
        }
        Op::Join { task, .. } => Some(event(EventKind::Join, step.task, task + 1, 0)),
        _ => None,
    };
    history.steps().iter().filter_map(of).collect()
}
