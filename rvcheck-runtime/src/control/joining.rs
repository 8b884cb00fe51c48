//! Waits for the ends of threads and tasks.

use core::time::Duration;
use std::time::Instant;

use rvcheck_event::exploration::word::Kind;
use rvcheck_event::id::TaskId;

use super::on;
use super::parker::{Here, here};
use super::participant::{JOINED, Participant, Status};
use super::state::{register, with};
use super::waiting::retry_objects;
use crate::{Loc, site};

/// Waits for the end of a thread or blocking task. The real call that follows waits for nothing but the rest of the thread.
pub fn join(task: TaskId, location: Loc) {
    if !on() || !task.is_some() {
        return;
    }
    register();
    let is_over = || {
        let state =
            with(|control| control.of_task(task.0).is_none_or(|it| control.all[it].status == Status::Over));
        state.unwrap_or(true).then_some(())
    };
    let _ended = retry_objects(&[JOINED | u64::from(task.0)], site::of(location).id, None, is_over);
}

/// The acting participant waits in a real call for the rest of threads that have ended, until this is dropped.
#[derive(Debug)]
pub struct RealJoin(Option<usize>);

/// See [`RealJoin`].
#[must_use]
pub fn real_join() -> RealJoin {
    let me = if on() { here(Here::holder) } else { None };
    set_in_real_join(me, true);
    RealJoin(me)
}

fn set_in_real_join(me: Option<usize>, is_in_real_join: bool) {
    if let Some(me) = me {
        with(|it| it.all[me].is_in_real_join = is_in_real_join);
    }
}

impl Drop for RealJoin {
    fn drop(&mut self) {
        set_in_real_join(self.0, false);
    }
}

/// Whether a task has ended. In a controlled run its executor may take a moment to say so, for which this waits. To be asked with what the
/// executor says.
pub fn has_ended(task: TaskId, is_known: impl Fn() -> bool) -> bool {
    let mut is_over = is_known();
    while !is_over && on() && with(|it| it.is_over(task.0)) == Some(true) {
        std::thread::yield_now();
        is_over = is_known();
    }
    is_over
}

/// The first result of some tasks, of which the executor may take a moment to say so in a controlled run.
pub fn first_ended<R>(tasks: impl Fn() -> Vec<TaskId>, mut first: impl FnMut() -> Option<R>) -> Option<R> {
    let mut found = first();
    if found.is_none() && on() {
        let tasks = tasks();
        while found.is_none() && with(|it| tasks.iter().any(|task| it.is_over(task.0))) == Some(true) {
            std::thread::yield_now();
            found = first();
        }
    }
    found
}

/// Waits for the ends of all blocking tasks, for some time at most.
pub fn wait_for_blocking(timeout: Duration, location: Loc) {
    if !on() {
        return;
    }
    register();
    let blocking = |it: &Participant| it.kind == Kind::Blocking && it.status != Status::Over;
    let tasks = with(|control| {
        let all = control.all.everybody().iter();
        all.filter(|it| blocking(it)).map(|it| it.task).collect::<Vec<u32>>()
    });
    let tasks = tasks.unwrap_or_default();
    let objects: Vec<u64> = tasks.iter().map(|it| JOINED | u64::from(*it)).collect();
    let are_over = || with(|it| tasks.iter().all(|task| it.is_over(*task)))?.then_some(());
    let _over = retry_objects(&objects, site::of(location).id, Instant::now().checked_add(timeout), are_over);
}

/// The thread of this task belongs to the scope at this address.
pub fn scoped(scope: usize, task: TaskId) {
    if on() && task.is_some() {
        with(|it| it.scoped.push((scope, task.0)));
    }
}

/// Waits for the ends of the threads of the scope at this address.
pub fn join_scope(scope: usize, location: Loc) {
    // One of them may spawn another one meanwhile.
    while let Some(Some(task)) = with(|it| {
        let at = it.scoped.iter().position(|it| it.0 == scope)?;
        Some(it.scoped.swap_remove(at).1)
    }) {
        join(TaskId(task), location);
    }
}

/// The acting participant awaits the end of this task.
pub(crate) fn joins(task: u32) {
    with(|control| {
        if let (Some(task), Some(me)) = (control.of_task(task), here(Here::holder)) {
            control.all[task].joiner = Some(me);
        }
    });
}

/// Nobody awaits the end of this task any more.
pub(crate) fn detached(task: u32) {
    with(|control| {
        if let Some(task) = control.of_task(task) {
            control.all[task].joiner = None;
        }
    });
}
