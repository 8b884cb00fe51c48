//! `std::thread`: threads as tasks, and what makes a thread wait.

mod builder;
mod join;
mod scope;
mod waiting;

pub use ::real::thread::*;

pub use builder::{spawn, Builder};
pub use join::JoinHandle;
pub use scope::{scope, Scope, ScopedJoinHandle};
pub use waiting::{park, park_timeout, sleep, yield_now};
#[expect(deprecated, reason = "the real functions are deprecated as well")]
pub use waiting::{park_timeout_ms, sleep_ms};

use recorder::task::{self, Unrun};
use recorder::{Loc, TaskId, TaskKind};

/// Records that a thread is spawned.
fn spawned<T>(location: Loc, name: Option<&str>) -> TaskId {
    task::spawned(TaskKind::Thread, location, core::any::type_name::<T>(), name)
}

/// The closure of a thread as the task `id`.
#[inline]
fn body<T>(id: TaskId, f: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let unrun = Unrun::new(id);
    move || task::run(unrun, f)
}
