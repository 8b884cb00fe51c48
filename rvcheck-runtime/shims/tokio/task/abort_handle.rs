//! `AbortHandle`.

use std::panic::Location;

use rt::TaskId;

/// Cancels a task.
#[cfg_attr(rv_tokio_1_39, derive(Clone))]
pub struct AbortHandle {
    task: TaskId,
    real: real::task::AbortHandle,
}

impl AbortHandle {
    pub(crate) fn new(task: TaskId, real: real::task::AbortHandle) -> AbortHandle {
        AbortHandle { task, real }
    }

    /// Asks for the task to be cancelled.
    #[track_caller]
    pub fn abort(&self) {
        rt::task::aborted(self.task, Location::caller());
        self.real.abort();
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let is_finished = rt::control::has_ended(self.task, || self.real.is_finished());
        if is_finished {
            rt::task::found_ended(self.task, Location::caller());
        }
        is_finished
    }
}

rt::forwards! {
    [] AbortHandle {
        #[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_18)))] pub fn id(&self) -> real::task::Id;
    }
    [] AbortHandle: Debug;
}

rt::exchanged! {
    AbortHandle => real::task::AbortHandle;
}
