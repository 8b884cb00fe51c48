//! `JoinSet`.

#[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38)))]
mod joining;
#[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38)))]
mod readers;
#[cfg(not(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38))))]
mod unread;

use std::future::Future;
use std::panic::Location;

use rt::task::{Handle, SetNumber};
use rt::{Loc, TaskId, TaskKind};

#[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38)))]
use self::readers::Readers;
#[cfg(not(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38))))]
use self::unread::Readers;
use super::{AbortHandle, LocalSet};

#[cfg(tokio_unstable)]
pub use real::task::join_set::*;

/// A set of tasks that are joined in the order in which they end.
pub struct JoinSet<T> {
    readers: Readers,
    number: SetNumber,
    real: real::task::JoinSet<T>,
}

impl<T> JoinSet<T> {
    /// An empty set.
    pub fn new() -> JoinSet<T> {
        JoinSet { readers: Readers::default(), number: SetNumber::default(), real: real::task::JoinSet::new() }
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
        crate::runtime::on_current_executor();
        let (id, task) = super::sent(location, task);
        let real = self.real.spawn(task);
        self.keep(id, real, location)
    }

    /// Spawns a task on a runtime.
    #[track_caller]
    pub fn spawn_on<F>(&mut self, task: F, handle: &crate::runtime::Handle) -> AbortHandle
    where
        F: Future<Output = T> + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        crate::runtime::on_executor(handle);
        let (id, task) = super::sent(location, task);
        let real = self.real.spawn_on(task, handle);
        self.keep(id, real, location)
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
        self.keep(id, real, location)
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
        self.keep(id, real, location)
    }

    /// Runs a closure on the blocking pool.
    ///
    /// # Panics
    ///
    /// Outside a runtime.
    #[cfg(rv_tokio_1_28)]
    #[track_caller]
    pub fn spawn_blocking<F>(&mut self, f: F) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, f) = super::blocking(location, f);
        let real = self.real.spawn_blocking(f);
        self.keep(id, real, location)
    }

    /// Runs a closure on the blocking pool of a runtime.
    #[cfg(rv_tokio_1_28)]
    #[track_caller]
    pub fn spawn_blocking_on<F>(&mut self, f: F, handle: &crate::runtime::Handle) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send,
    {
        let location = Location::caller();
        let (id, f) = super::blocking(location, f);
        let real = self.real.spawn_blocking_on(f, handle);
        self.keep(id, real, location)
    }

    fn keep(&mut self, id: TaskId, real: real::task::AbortHandle, location: Loc) -> AbortHandle {
        self.number.spawned(id, location);
        #[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38)))]
        let key = real.id();
        #[cfg(not(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_38))))]
        let key = ();
        self.readers.opened(key, Handle::new(id));
        AbortHandle::new(id, real)
    }

    /// Cancels all tasks, and waits until they have ended.
    #[track_caller]
    pub fn shutdown(&mut self) -> impl Future<Output = ()> + use<'_, T> {
        let location = Location::caller();
        self.readers.aborted(location);
        async move {
            self.real.shutdown().await;
            self.readers.all_joined(location);
        }
    }

    /// Cancels all tasks.
    #[track_caller]
    pub fn abort_all(&mut self) {
        self.readers.aborted(Location::caller());
        self.real.abort_all();
    }

    /// Lets all tasks go on without the set.
    pub fn detach_all(&mut self) {
        self.readers.detached();
        self.real.detach_all();
    }
}

rt::forwards! {
    [T] JoinSet<T> {
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
    }
    [T] JoinSet<T>: Default = JoinSet::new();
    [T] JoinSet<T>: Debug;
}

#[cfg(rv_tokio_1_37)]
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

rt::exchanged! {
    JoinSet<()> => real::task::JoinSet<()>;
}
