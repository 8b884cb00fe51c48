//! Spawning tasks that are tracked.

use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::{JoinHandle, LocalSet};

use super::TaskTracker;

impl TaskTracker {
    /// Spawns a task on the current runtime.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[track_caller]
    #[inline]
    pub fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::task::spawn(self.track_future(task))
    }

    /// Spawns a task on a runtime.
    #[track_caller]
    #[inline]
    pub fn spawn_on<F>(&self, task: F, handle: &Handle) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        handle.spawn(self.track_future(task))
    }

    /// Spawns a task on the current `LocalSet`.
    ///
    /// # Panics
    ///
    /// Outside of one.
    #[track_caller]
    #[inline]
    pub fn spawn_local<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        tokio::task::spawn_local(self.track_future(task))
    }

    /// Spawns a task on a `LocalSet`.
    #[track_caller]
    #[inline]
    pub fn spawn_local_on<F>(&self, task: F, local_set: &LocalSet) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        local_set.spawn_local(self.track_future(task))
    }

    /// Runs a closure on the blocking pool.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[track_caller]
    #[inline]
    pub fn spawn_blocking<F, T>(&self, task: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T,
        F: Send + 'static,
        T: Send + 'static,
    {
        tokio::task::spawn_blocking(self.tracked(task))
    }

    /// Runs a closure on the blocking pool of a runtime.
    #[track_caller]
    #[inline]
    pub fn spawn_blocking_on<F, T>(&self, task: F, handle: &Handle) -> JoinHandle<T>
    where
        F: FnOnce() -> T,
        F: Send + 'static,
        T: Send + 'static,
    {
        handle.spawn_blocking(self.tracked(task))
    }

    /// The closure, which counts as a task until it has returned or is dropped.
    #[track_caller]
    fn tracked<T>(&self, task: impl FnOnce() -> T) -> impl FnOnce() -> T {
        let token = self.token();
        move || {
            let output = task();
            drop(token);
            output
        }
    }
}
