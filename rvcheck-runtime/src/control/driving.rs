//! Futures that threads drive, as `block_on` does: on behalf of the thread itself, or as participants of their own while the thread hosts them.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::task::{Context, Poll, Waker};
use std::sync::Arc;
use std::task::Wake;
use std::time::Instant;

use rvcheck_event::exploration::word::Operation;

use super::handover::Handover;
use super::on;
use super::parker::{Executor, Here, here};
use super::participant::{Status, Step};
use super::points::carry_out;
use super::state::{Turn, register, with};
use super::waiting::{Retried, Waited, limit, wait_for};
use crate::{Loc, site};

/// Marks the numbers of futures that threads drive.
const DRIVEN: u64 = 1 << 61;

static DRIVES: AtomicU64 = AtomicU64::new(1);

/// Wakes a thread that drives a future.
struct Woken {
    object: u64,
    is_woken: AtomicBool,
}

impl Wake for Woken {
    fn wake(self: Arc<Woken>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Woken>) {
        self.is_woken.store(true, Ordering::Relaxed);
        with(|it| it.changed(self.object));
    }
}

/// Waits by driving a future where the run is controlled, else in the `real` call.
#[inline]
pub fn driving<F: Future>(
    location: Loc,
    future: impl FnOnce() -> F,
    real: impl FnOnce() -> F::Output,
) -> F::Output {
    if on() {
        let mut future = core::pin::pin!(future());
        if let Some(output) = drive(future.as_mut(), location) {
            return output;
        }
    }
    real()
}

/// Drives a future on this thread. `None` if the run is not controlled.
#[inline]
pub fn drive<F: Future>(future: Pin<&mut F>, location: Loc) -> Option<F::Output> {
    if !on() {
        return None;
    }
    match drive_until(future, location, None) {
        Retried::Got(output) => Some(output),
        Retried::TimedOut | Retried::Uncontrolled => None,
    }
}

/// The same, until some point in time at most.
pub fn drive_until<F: Future>(
    mut future: Pin<&mut F>,
    location: Loc,
    deadline: Option<Instant>,
) -> Retried<F::Output> {
    if !on() {
        return Retried::Uncontrolled;
    }
    let deadline = deadline.map(limit);
    register();
    let object = DRIVEN | DRIVES.fetch_add(1, Ordering::Relaxed);
    let woken = Arc::new(Woken { object, is_woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    let place = site::of(location).id;
    let mut is_late = false;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Retried::Got(output);
        }
        if is_late {
            return Retried::TimedOut;
        }
        if !woken.is_woken.swap(false, Ordering::Relaxed) {
            match wait_for(&[object], deadline, place) {
                None => return Retried::Uncontrolled,
                Some(waited) => is_late = waited == Waited::Late,
            }
            woken.is_woken.store(false, Ordering::Relaxed);
        }
    }
}

/// From now on this thread does nothing but poll the tasks of this executor, and is no participant any more.
pub fn serves(executor: impl FnOnce() -> (u64, u32)) {
    if !on() {
        return;
    }
    let (id, workers) = executor();
    let me = here(|it| it.bind(None));
    here(|it| it.drives.set(Some(Executor { id, workers })));
    let handover = with(|control| me.map(|me| control.ends(me, control.all[me].task)));
    if let Some(Some(handover)) = handover {
        handover.carry_out(false);
    }
}

/// The acting participant drives a future on this thread until this is dropped: the future is a participant of its own.
#[derive(Debug)]
pub(crate) struct Hosting {
    me: usize,
    /// What was driven on the thread before.
    outer: Option<Executor>,
    outer_polls_locals: bool,
}

/// The acting participant, whose thread is about to drive the task, goes on when that has ended.
pub(crate) fn host(location: Loc) -> Option<Hosting> {
    if !on() {
        return None;
    }
    register();
    let place = site::of(location).id;
    let (me, outer, handover) = with(|control| {
        let me = control.acting()?;
        control.point(me, Step { operation: Operation::Blocked, object: 0, place });
        control.all.stand(me, Status::Hosting);
        let mut executor = here(Here::as_executor);
        if let Some(root) = here(|it| it.root.take()) {
            executor = control.all[root].executor.unwrap_or(executor);
            control.all[root].host = Some(me);
            control.all.live_at(root, Some(executor));
        }
        here(|it| it.bind(None));
        let outer = here(|it| it.drives.replace(Some(executor)));
        let handover = if control.turn == Turn::Running(me) {
            let chosen = control.decide(me);
            control.elect(chosen)
        } else {
            Handover::nothing()
        };
        Some((me, outer, handover))
    })??;
    let outer_polls_locals = here(|it| it.polls_locals.replace(it.will_poll_locals.take()));
    handover.carry_out(false);
    Some(Hosting { me, outer, outer_polls_locals })
}

impl Drop for Hosting {
    fn drop(&mut self) {
        let me = self.me;
        here(|it| it.bind(Some(me)));
        let executor = here(|it| {
            it.polls_locals.set(self.outer_polls_locals);
            it.drives.replace(self.outer)
        });
        carry_out(with(|control| {
            control.leaves_alone(executor);
            let step = Step { operation: Operation::Poll, ..control.all[me].next };
            control.comes_back(me, step)
        }));
    }
}
