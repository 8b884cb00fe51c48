//! `ThreadPool`.

use std::any::type_name;
use std::future::Future;
use std::io;
use std::panic::Location;

use futures_task::{FutureObj, Spawn, SpawnError};
use rt::task::tracked;
use rt::{Loc, TaskId, TaskKind};

fn announced(location: Loc) -> TaskId {
    rt::task::spawned(TaskKind::Async, location, type_name::<()>(), None)
}

/// Threads that run tasks.
#[derive(Clone)]
pub struct ThreadPool {
    real: real::ThreadPool,
}

impl ThreadPool {
    /// A pool with as many threads as there are cores.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread.
    pub fn new() -> Result<ThreadPool, io::Error> {
        Ok(ThreadPool { real: real::ThreadPool::new()? })
    }

    /// How to make a pool.
    pub fn builder() -> ThreadPoolBuilder {
        ThreadPoolBuilder::new()
    }

    /// Spawns a task that is in a box.
    #[track_caller]
    pub fn spawn_obj_ok(&self, future: FutureObj<'static, ()>) {
        let id = announced(Location::caller());
        self.real.spawn_obj_ok(if id.is_some() {
            FutureObj::new(Box::new(tracked(id, future)))
        } else {
            future
        });
    }

    /// Spawns a task.
    #[track_caller]
    pub fn spawn_ok<F>(&self, future: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.real.spawn_ok(tracked(announced(Location::caller()), future));
    }
}

rt::forwards! {
    // What comes this way was announced by whoever spawned it.
    [] ThreadPool: Spawn {
        fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError>;
    }
    [] ThreadPool: Debug;
}

/// How to make a pool.
#[derive(Default)]
pub struct ThreadPoolBuilder {
    real: real::ThreadPoolBuilder,
}

impl ThreadPoolBuilder {
    /// As many threads as there are cores.
    pub fn new() -> ThreadPoolBuilder {
        ThreadPoolBuilder { real: real::ThreadPoolBuilder::new() }
    }

    /// How many threads there are.
    ///
    /// # Panics
    ///
    /// When the number is 0.
    #[track_caller]
    pub fn pool_size(&mut self, size: usize) -> &mut ThreadPoolBuilder {
        self.real.pool_size(size);
        self
    }

    /// The size of their stacks in bytes.
    pub fn stack_size(&mut self, stack_size: usize) -> &mut ThreadPoolBuilder {
        self.real.stack_size(stack_size);
        self
    }

    /// What their names begin with.
    pub fn name_prefix<S: Into<String>>(&mut self, name_prefix: S) -> &mut ThreadPoolBuilder {
        self.real.name_prefix(name_prefix);
        self
    }

    /// What each of them does first.
    pub fn after_start<F>(&mut self, f: F) -> &mut ThreadPoolBuilder
    where
        F: Fn(usize) + Send + Sync + 'static,
    {
        self.real.after_start(f);
        self
    }

    /// What each of them does last.
    pub fn before_stop<F>(&mut self, f: F) -> &mut ThreadPoolBuilder
    where
        F: Fn(usize) + Send + Sync + 'static,
    {
        self.real.before_stop(f);
        self
    }

    /// Makes the pool.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread.
    pub fn create(&mut self) -> Result<ThreadPool, io::Error> {
        Ok(ThreadPool { real: self.real.create()? })
    }
}

rt::forwards! {
    [] ThreadPoolBuilder: Debug;
}
