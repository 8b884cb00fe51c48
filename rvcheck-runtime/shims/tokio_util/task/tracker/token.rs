//! What counts as a task.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::{signal, Loc};

use super::TaskTracker;

/// Counts as a task until it is dropped. That it was the last one is recorded where it was made.
#[must_use]
pub struct TaskTrackerToken {
    /// Dropped after what this type itself does then.
    _real: real::task::task_tracker::TaskTrackerToken,
    tracker: TaskTracker,
    location: Loc,
}

impl TaskTrackerToken {
    #[inline]
    pub(super) fn new(tracker: &TaskTracker, location: Loc) -> TaskTrackerToken {
        TaskTrackerToken { _real: tracker.real.token(), tracker: tracker.clone(), location }
    }

    /// The tracker.
    #[inline]
    #[must_use]
    pub fn task_tracker(&self) -> &TaskTracker {
        &self.tracker
    }
}

impl Clone for TaskTrackerToken {
    #[track_caller]
    #[inline]
    fn clone(&self) -> TaskTrackerToken {
        TaskTrackerToken::new(&self.tracker, Location::caller())
    }
}

impl Drop for TaskTrackerToken {
    #[inline]
    fn drop(&mut self) {
        if rt::on() && self.tracker.is_closed() && self.tracker.len() == 1 {
            let _dropping = rt::dropping();
            signal::all(&self.tracker.head, self.location);
        }
    }
}

impl fmt::Debug for TaskTrackerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskTrackerToken").field("task_tracker", &self.tracker).finish()
    }
}

/// A future that counts as a task until it is dropped.
#[must_use = "futures do nothing unless polled"]
pub struct TrackedFuture<F> {
    /// Before the token: what it does when it is dropped is part of the task.
    future: F,
    token: TaskTrackerToken,
}

impl<F> TrackedFuture<F> {
    #[inline]
    pub(super) fn new(future: F, token: TaskTrackerToken) -> TrackedFuture<F> {
        TrackedFuture { future, token }
    }
}

impl<F: Future> Future for TrackedFuture<F> {
    type Output = F::Output;

    #[track_caller]
    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is pinned with `self` and never moved; the token does not care.
        unsafe { self.map_unchecked_mut(|it| &mut it.future) }.poll(context)
    }
}

impl<F: fmt::Debug> fmt::Debug for TrackedFuture<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("TrackedFuture");
        shown.field("future", &self.future).field("task_tracker", self.token.task_tracker()).finish()
    }
}
