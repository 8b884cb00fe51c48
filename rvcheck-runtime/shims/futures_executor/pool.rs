//! `ThreadPool`.

use std::any::type_name;
use std::future::Future;
use std::io;
use std::num::NonZero;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

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
    id: PoolId,
}

/// What tells the pool from others, in a controlled run, and how many threads it has.
#[derive(Clone, Copy)]
struct PoolId {
    id: u64,
    threads: u32,
}

impl PoolId {
    fn new(threads: usize) -> PoolId {
        // Far from the numbers of other executors.
        static POOLS: AtomicU64 = AtomicU64::new(0x706f_6f6c << 32);
        PoolId { id: POOLS.fetch_add(1, Ordering::Relaxed), threads: threads as u32 }
    }

    fn get(self) -> (u64, u32) {
        (self.id, self.threads)
    }
}

impl ThreadPool {
    /// A pool with as many threads as there are cores.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread.
    pub fn new() -> Result<ThreadPool, io::Error> {
        ThreadPoolBuilder::new().create()
    }

    /// How to make a pool.
    pub fn builder() -> ThreadPoolBuilder {
        ThreadPoolBuilder::new()
    }

    /// Spawns a task that is in a box.
    #[track_caller]
    pub fn spawn_obj_ok(&self, future: FutureObj<'static, ()>) {
        rt::control::on_executor(|| self.id.get());
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
        rt::control::on_executor(|| self.id.get());
        self.real.spawn_ok(tracked(announced(Location::caller()), future));
    }
}

rt::forwards! {
    [] ThreadPool: Debug;
}

impl Spawn for ThreadPool {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        // What comes this way was announced by whoever spawned it.
        rt::control::given_executor(|| self.id.get());
        self.real.spawn_obj(future)
    }
}

/// How to make a pool.
pub struct ThreadPoolBuilder {
    real: real::ThreadPoolBuilder,
    threads: usize,
    after_start: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl ThreadPoolBuilder {
    /// As many threads as there are cores.
    pub fn new() -> ThreadPoolBuilder {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        ThreadPoolBuilder { real: real::ThreadPoolBuilder::new(), threads, after_start: None }
    }

    /// How many threads there are.
    ///
    /// # Panics
    ///
    /// When the number is 0.
    #[track_caller]
    pub fn pool_size(&mut self, size: usize) -> &mut ThreadPoolBuilder {
        self.real.pool_size(size);
        self.threads = size;
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
        if rt::control::on() {
            self.after_start = Some(Arc::new(f));
        } else {
            self.real.after_start(f);
        }
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
        let id = PoolId::new(self.threads);
        if rt::control::on() {
            let after_start = self.after_start.clone();
            self.real.after_start(move |number| {
                after_start.iter().for_each(|it| it(number));
                // It does nothing else from here on.
                rt::control::serves(|| id.get());
            });
        }
        Ok(ThreadPool { real: self.real.create()?, id })
    }
}

rt::forwards! {
    [] ThreadPoolBuilder: Default = ThreadPoolBuilder::new();
    [] ThreadPoolBuilder: Debug;
}
