//! Spawning on an executor that implements [`Spawn`]: the task is announced by whoever spawns it, and reports its own life
//! from then on.

use std::any::type_name;
use std::future::Future;
use std::panic::Location;

#[cfg(feature = "compat")]
use real::compat::Compat;
#[cfg(feature = "channel")]
use real::future::RemoteHandle;
use real::task::{LocalSpawn, Spawn, SpawnError};
use rt::task::{tracked, Tracked};
use rt::{Loc, TaskKind};

/// Announces a task that is about to be spawned, and wraps its future.
fn announced<F: Future>(kind: TaskKind, location: Loc, future: F) -> Tracked<F> {
    tracked(rt::task::spawned(kind, location, type_name::<F::Output>(), None), future)
}

/// What a task is that is spawned by this. In a controlled run it matters that it stays on the thread of a `LocalPool`.
fn kind<S: ?Sized>() -> TaskKind {
    if rt::control::on() && type_name::<S>().starts_with("futures_executor::local_pool::") {
        TaskKind::Local
    } else {
        TaskKind::Async
    }
}

impl<S: Spawn + ?Sized> SpawnExt for S {}
impl<S: LocalSpawn + ?Sized> LocalSpawnExt for S {}

/// Spawns futures of any type.
pub trait SpawnExt: Spawn {
    /// Spawns a task.
    ///
    /// # Errors
    ///
    /// When the executor takes no more tasks.
    #[track_caller]
    fn spawn<F>(&self, future: F) -> Result<(), SpawnError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let location = Location::caller();
        real::task::SpawnExt::spawn(self, announced(kind::<Self>(), location, future))
    }

    /// Spawns a task whose result can be had through a handle.
    ///
    /// # Errors
    ///
    /// When the executor takes no more tasks.
    #[cfg(feature = "channel")]
    #[track_caller]
    fn spawn_with_handle<F>(&self, future: F) -> Result<RemoteHandle<F::Output>, SpawnError>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        let location = Location::caller();
        real::task::SpawnExt::spawn_with_handle(self, announced(kind::<Self>(), location, future))
    }

    /// The executor as one of futures 0.1.
    #[cfg(feature = "compat")]
    fn compat(self) -> Compat<Self>
    where
        Self: Sized,
    {
        Compat::new(self)
    }
}

/// Spawns futures of any type that stay on this thread.
pub trait LocalSpawnExt: LocalSpawn {
    /// Spawns a task.
    ///
    /// # Errors
    ///
    /// When the executor takes no more tasks.
    #[track_caller]
    fn spawn_local<F>(&self, future: F) -> Result<(), SpawnError>
    where
        F: Future<Output = ()> + 'static,
    {
        let location = Location::caller();
        real::task::LocalSpawnExt::spawn_local(self, announced(TaskKind::Local, location, future))
    }

    /// Spawns a task whose result can be had through a handle.
    ///
    /// # Errors
    ///
    /// When the executor takes no more tasks.
    #[cfg(feature = "channel")]
    #[track_caller]
    fn spawn_local_with_handle<F>(&self, future: F) -> Result<RemoteHandle<F::Output>, SpawnError>
    where
        F: Future + 'static,
    {
        let location = Location::caller();
        real::task::LocalSpawnExt::spawn_local_with_handle(self, announced(TaskKind::Local, location, future))
    }
}
