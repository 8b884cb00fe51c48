//! What the tests of the prediction have in common.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod random;
pub(crate) mod reference;

use rvcheck_event::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use rvcheck_predict::history::{History, Lock, Task};

/// A task of that number.
pub(crate) fn task(number: u32) -> Task {
    Task { id: TaskId(number + 1), unit: UnitId(1), kind: None, spawned_at: SiteId::NONE, is_hub: false }
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
