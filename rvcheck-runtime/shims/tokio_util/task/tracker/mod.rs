//! `TaskTracker`.

mod spawn;
mod token;
mod wait;

use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use rt::{signal, EndingHead, ObjectKind};

pub use token::{TaskTrackerToken, TrackedFuture};
pub use wait::TaskTrackerWaitFuture;

/// Counts tasks, and records who waits for their ends.
#[derive(Clone)]
pub struct TaskTracker {
    real: real::task::TaskTracker,
    /// The same for all clones.
    head: Arc<EndingHead>,
}

impl TaskTracker {
    /// A tracker of no tasks.
    #[track_caller]
    #[must_use]
    pub fn new() -> TaskTracker {
        TaskTracker {
            real: real::task::TaskTracker::new(),
            head: Arc::new(EndingHead::new(ObjectKind::TaskTracker, Location::caller())),
        }
    }

    /// Waits until the tracker is closed and its tasks have ended.
    #[track_caller]
    #[inline]
    pub fn wait(&self) -> TaskTrackerWaitFuture<'_> {
        TaskTrackerWaitFuture::new(&self.head, self.real.wait(), Location::caller())
    }

    /// Lets waits end. Whether the tracker was open.
    #[track_caller]
    #[inline]
    pub fn close(&self) -> bool {
        if rt::on() && !self.real.is_closed() && self.real.is_empty() {
            signal::all(&self.head, Location::caller());
        } else {
            rt::control::asks(&self.head, Location::caller());
        }
        self.real.close()
    }

    /// A future that counts as a task until it is dropped.
    #[track_caller]
    #[inline]
    pub fn track_future<F: Future>(&self, future: F) -> TrackedFuture<F> {
        TrackedFuture::new(future, self.token())
    }

    /// Something that counts as a task until it is dropped.
    #[track_caller]
    #[inline]
    pub fn token(&self) -> TaskTrackerToken {
        TaskTrackerToken::new(self, Location::caller())
    }

    /// Whether both are clones of one tracker.
    #[inline]
    #[must_use]
    pub fn ptr_eq(left: &TaskTracker, right: &TaskTracker) -> bool {
        real::task::TaskTracker::ptr_eq(&left.real, &right.real)
    }
}

rt::forwards! {
    [] TaskTracker {
        pub fn reopen(&self) -> bool;
        #[must_use] pub fn is_closed(&self) -> bool;
        #[must_use] pub fn len(&self) -> usize;
        #[must_use] pub fn is_empty(&self) -> bool;
    }
    [] TaskTracker: Default = TaskTracker::new();
    [] TaskTracker: Debug;
}
