//! `tokio_util::task`.

pub use real::task::*;

mod tracker;

pub use tracker::TaskTracker;

pub mod task_tracker {
    //! Counts tasks.

    pub use real::task::task_tracker::*;

    pub use super::tracker::{TaskTracker, TaskTrackerToken, TaskTrackerWaitFuture, TrackedFuture};
}
