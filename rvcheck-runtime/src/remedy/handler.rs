//! Handlers: the panic or the error of a task is told of where nobody else can read it.
//!
//! A task that was spawned at a learnt place is watched until its result was taken, or until it has both ended and lost its handle. If it
//! has panicked or returned an `Err` then, that is written to standard error, and the trace says that somebody was told.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{Outcome, TaskKind};
use rvcheck_event::remedy::Remedy;

use super::since;
use crate::learnt::{Number, any, at};
use crate::memory::List;
use crate::{at_work, clock, output, site};

/// A task that has a handler.
#[derive(Clone, Copy)]
struct Watched {
    task: u32,
    number: Number,
    spawned_at: u32,
    /// The type of its result.
    output: &'static str,
    /// Nobody has its handle any more.
    detached: bool,
    end: Option<End>,
}

/// How a task ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing has to be told.
    Well,
    /// It returned an `Err`.
    Failed,
    /// It panicked.
    Panicked,
}

impl End {
    /// The end of a task with this outcome.
    pub(crate) fn of(outcome: Outcome) -> End {
        if outcome == Outcome::Err { End::Failed } else { End::Well }
    }
}

/// Many tasks may be watched at once, so there are many short lists, by the id of the task.
static WATCHED: [Mutex<List<Watched>>; 256] = [const { Mutex::new(List::new()) }; 256];

/// The list in which the task is if it is watched.
fn watched(task: u32) -> MutexGuard<'static, List<Watched>> {
    WATCHED[task as usize % WATCHED.len()].lock().unwrap_or_else(PoisonError::into_inner)
}

/// A task was spawned at this site.
#[inline]
pub(crate) fn watch(task: TaskId, kind: TaskKind, site: u32, output: &'static str) {
    if any() {
        watch_at(task, kind, site, output);
    }
}

#[cold]
#[inline(never)]
fn watch_at(task: TaskId, kind: TaskKind, site: u32, output: &'static str) {
    if matches!(kind, TaskKind::Test | TaskKind::Root) {
        return;
    }
    let Some(number) = at(site, Remedy::Handle) else { return };
    let begun = clock::nanos();
    let Some(at_work) = at_work::enter() else { return };
    let new = Watched { task: task.0, number, spawned_at: site, output, detached: false, end: None };
    watched(task.0).push(new);
    drop(at_work);
    number.applied(since(begun));
}

/// The result of the task was taken.
#[inline]
pub(crate) fn joined(task: TaskId) {
    if any() {
        changed(task.0, |_| true);
    }
}

/// The handle of the task was dropped.
#[inline]
pub(crate) fn detached(task: TaskId) {
    if any() {
        changed(task.0, |it| {
            it.detached = true;
            it.end.is_some()
        });
    }
}

/// The task has ended.
#[inline]
pub(crate) fn ended(task: u32, end: End) {
    if any() {
        changed(task, |it| {
            it.end = Some(end);
            it.detached || end == End::Well
        });
    }
}

/// Something happened to a task, and `is_over` notes it: whether the task need not be watched any more.
#[cold]
#[inline(never)]
fn changed(task: u32, is_over: impl FnOnce(&mut Watched) -> bool) {
    let begun = clock::nanos();
    let Some(at_work) = at_work::enter() else { return };
    let mut all = watched(task);
    let Some(at) = all.iter().rposition(|it| it.task == task) else { return };
    if !is_over(&mut all[at]) {
        return;
    }
    let last = all.swap_remove(at);
    drop(all);
    if last.detached && matches!(last.end, Some(End::Failed | End::Panicked)) {
        tell(&last);
    }
    drop(at_work);
    last.number.kept(since(begun));
}

/// Tells of the end of a task. The caller is at work.
fn tell(task: &Watched) {
    output::handled(task.number.get(), task.task);
    let place = site::position_of(task.spawned_at);
    let place = place.map_or_else(String::new, |it| format!(" spawned at {}:{}", it.file, it.position.line));
    let property = task.number.property();
    let what = match task.end {
        Some(End::Panicked) => "panicked".to_owned(),
        _ => format!("returned an `Err` of `{}`", task.output),
    };
    // What libtest keeps of a test's output may never be shown.
    let _ = writeln!(
        std::io::stderr(),
        "rvcheck: a task{place} {what}, and its handle was dropped; told by the handler of `{property}`"
    );
}
