//! `JoinSet`.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::task::{Context, Poll};

use real::task::{Id, JoinError};
use rt::task::Handle;
use rt::{Loc, TaskId, TaskKind};

use super::{AbortHandle, LocalSet};

/// A set of tasks that are joined in the order in which they end.
pub struct JoinSet<T> {
    /// The reading side of each task whose result was not taken yet.
    handles: HashMap<Id, Handle>,
    real: real::task::JoinSet<T>,
}

type Joined<T> = Option<Result<(Id, T), JoinError>>;

impl<T> JoinSet<T> {
    /// An empty set.
    pub fn new() -> JoinSet<T> {
        JoinSet { handles: HashMap::new(), real: real::task::JoinSet::new() }
    }

    /// How many tasks are in the set.
    pub fn len(&self) -> usize {
        self.real.len()
    }

    /// Whether no task is in the set.
    pub fn is_empty(&self) -> bool {
        self.real.is_empty()
    }

    /// The handles in the order in which their tasks were spawned.
    fn in_order(&mut self) -> Vec<&mut Handle> {
        let mut handles: Vec<_> = self.handles.values_mut().collect();
        handles.sort_by_key(|it| it.id());
        handles
    }
}

impl<T: 'static> JoinSet<T> {
    /// Spawns a task on the current runtime.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[track_caller]
    pub fn spawn<F>(&mut self, task: F) -> AbortHandle
    where
        F: Future<Output = T> + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, task) = super::future(TaskKind::Async, location, task);
        let real = self.real.spawn(task);
        self.keep(id, location, real)
    }

    /// Spawns a task on a runtime.
    #[track_caller]
    pub fn spawn_on<F>(&mut self, task: F, handle: &crate::runtime::Handle) -> AbortHandle
    where
        F: Future<Output = T> + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, task) = super::future(TaskKind::Async, location, task);
        let real = self.real.spawn_on(task, handle);
        self.keep(id, location, real)
    }

    /// Spawns a task on the current `LocalSet`.
    ///
    /// # Panics
    ///
    /// Outside of one.
    #[track_caller]
    pub fn spawn_local<F>(&mut self, task: F) -> AbortHandle
    where
        F: Future<Output = T> + 'static,
    {
        let location = Location::caller();
        let (id, task) = super::future(TaskKind::Local, location, task);
        let real = self.real.spawn_local(task);
        self.keep(id, location, real)
    }

    /// Spawns a task on a `LocalSet`.
    #[track_caller]
    pub fn spawn_local_on<F>(&mut self, task: F, local_set: &LocalSet) -> AbortHandle
    where
        F: Future<Output = T> + 'static,
    {
        let location = Location::caller();
        let (id, task) = super::future(TaskKind::Local, location, task);
        let real = self.real.spawn_local_on(task, local_set);
        self.keep(id, location, real)
    }

    /// Runs a closure on the blocking pool.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[track_caller]
    pub fn spawn_blocking<F>(&mut self, f: F) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, f) = super::blocking(location, f);
        let real = self.real.spawn_blocking(f);
        self.keep(id, location, real)
    }

    /// Runs a closure on the blocking pool of a runtime.
    #[track_caller]
    pub fn spawn_blocking_on<F>(&mut self, f: F, handle: &crate::runtime::Handle) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, f) = super::blocking(location, f);
        let real = self.real.spawn_blocking_on(f, handle);
        self.keep(id, location, real)
    }

    fn keep(&mut self, id: TaskId, location: Loc, real: real::task::AbortHandle) -> AbortHandle {
        self.handles.insert(real.id(), Handle::new(id, location));
        AbortHandle::new(id, real)
    }

    /// Notes that a result was taken.
    fn took(&mut self, joined: Joined<T>, location: Loc) -> Joined<T> {
        let id = match &joined {
            None => return joined,
            Some(Ok((id, _))) => *id,
            Some(Err(error)) => error.id(),
        };
        if let Some(mut handle) = self.handles.remove(&id) {
            handle.joined(location);
        }
        joined
    }

    /// Waits for one of the tasks to end.
    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, JoinError>>> + use<'_, T> {
        let joined = self.join_next_with_id();
        async move { without_id(joined.await) }
    }

    /// Waits for one of the tasks to end, and says which.
    #[track_caller]
    pub fn join_next_with_id(&mut self) -> impl Future<Output = Joined<T>> + use<'_, T> {
        let location = Location::caller();
        async move {
            let joined = self.real.join_next_with_id().await;
            self.took(joined, location)
        }
    }

    /// One of the tasks that have ended, if any has.
    #[track_caller]
    pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>> {
        without_id(self.try_join_next_with_id())
    }

    /// One of the tasks that have ended, if any has, and which.
    #[track_caller]
    pub fn try_join_next_with_id(&mut self) -> Joined<T> {
        let joined = self.real.try_join_next_with_id();
        self.took(joined, Location::caller())
    }

    /// Polls for one of the tasks to end.
    #[track_caller]
    pub fn poll_join_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, JoinError>>> {
        self.poll_join_next_with_id(context).map(without_id)
    }

    /// Polls for one of the tasks to end, and says which.
    #[track_caller]
    pub fn poll_join_next_with_id(&mut self, context: &mut Context<'_>) -> Poll<Joined<T>> {
        let location = Location::caller();
        self.real.poll_join_next_with_id(context).map(|joined| self.took(joined, location))
    }

    /// Cancels all tasks, and waits until they have ended.
    #[track_caller]
    pub fn shutdown(&mut self) -> impl Future<Output = ()> + use<'_, T> {
        let location = Location::caller();
        self.note_aborts(location);
        async move {
            self.real.shutdown().await;
            for handle in self.in_order() {
                handle.joined(location);
            }
            self.handles.clear();
        }
    }

    /// Waits for all tasks.
    ///
    /// # Panics
    ///
    /// When one of them panicked or was cancelled.
    #[cfg(rv_tokio_1_40)]
    #[track_caller]
    pub fn join_all(mut self) -> impl Future<Output = Vec<T>> + use<T> {
        let location = Location::caller();
        async move {
            let mut output = Vec::with_capacity(self.len());
            while let Some(joined) = self.real.join_next_with_id().await {
                match self.took(Some(joined), location) {
                    Some(Ok((_, value))) => output.push(value),
                    Some(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Some(Err(error)) => panic!("{error}"),
                    None => break,
                }
            }
            output
        }
    }

    /// Cancels all tasks.
    #[track_caller]
    pub fn abort_all(&mut self) {
        self.note_aborts(Location::caller());
        self.real.abort_all();
    }

    fn note_aborts(&mut self, location: Loc) {
        for handle in self.in_order() {
            rt::task::aborted(handle.id(), location);
        }
    }

    /// Lets all tasks go on without the set.
    pub fn detach_all(&mut self) {
        // Each handle records on being dropped that nobody will read the result.
        let mut handles: Vec<_> = std::mem::take(&mut self.handles).into_values().collect();
        handles.sort_by_key(Handle::id);
        drop(handles);
        self.real.detach_all();
    }
}

fn without_id<T>(joined: Joined<T>) -> Option<Result<T, JoinError>> {
    joined.map(|it| it.map(|(_, value)| value))
}

impl<T> Drop for JoinSet<T> {
    fn drop(&mut self) {
        for handle in self.in_order() {
            handle.detached_by_owner();
        }
    }
}

impl<T> Default for JoinSet<T> {
    fn default() -> JoinSet<T> {
        JoinSet::new()
    }
}

impl<T> fmt::Debug for JoinSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}

impl<T, F> FromIterator<F> for JoinSet<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = F>>(tasks: I) -> JoinSet<T> {
        let mut set = JoinSet::new();
        for task in tasks {
            set.spawn(task);
        }
        set
    }
}

#[cfg(rv_tokio_1_49)]
impl<T, F> Extend<F> for JoinSet<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    #[track_caller]
    fn extend<I: IntoIterator<Item = F>>(&mut self, tasks: I) {
        for task in tasks {
            self.spawn(task);
        }
    }
}
