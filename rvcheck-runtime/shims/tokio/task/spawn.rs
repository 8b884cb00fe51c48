//! Spawning: the task is announced by whoever spawns it, and reports its own life from then on.

use std::any::type_name;
use std::future::Future;
use std::panic::Location;
use std::task::Poll;

use rt::task::{tracked, Tracked, Unrun};
use rt::{Loc, TaskId, TaskKind};

use super::{JoinHandle, Sent};

/// Announces a task that is about to be spawned, and wraps its future.
#[inline]
pub(crate) fn future<F: Future>(kind: TaskKind, location: Loc, future: F) -> (TaskId, Tracked<F>) {
    let id = rt::task::spawned(kind, location, type_name::<F::Output>(), None);
    (id, tracked(id, future))
}

/// Announces a task that is about to be spawned and may run on any thread, and wraps its future.
#[inline]
pub(crate) fn sent<F>(location: Loc, future: F) -> (TaskId, Sent<F>)
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    match rt::remedy::offload(location) {
        None => {
            let (id, future) = self::future(TaskKind::Async, location, future);
            (id, Sent::here(future))
        }
        Some(offload) => {
            let (id, future) = self::future(TaskKind::Blocking, location, future);
            (id, Sent::away(id, future, offload))
        }
    }
}

/// Announces a blocking task that is about to be spawned, and wraps its closure.
#[inline]
pub(crate) fn blocking<R>(location: Loc, f: impl FnOnce() -> R) -> (TaskId, impl FnOnce() -> R) {
    let id = rt::task::spawned(TaskKind::Blocking, location, type_name::<R>(), None);
    let unrun = Unrun::new(id);
    (id, move || rt::task::run(unrun, f))
}

/// Spawns a task on the current runtime.
///
/// # Panics
///
/// Outside a runtime.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let location = Location::caller();
    crate::runtime::on_current_executor();
    let (id, future) = sent(location, future);
    JoinHandle::new(id, real::task::spawn(future))
}

/// Spawns a task on the current `LocalSet` or `LocalRuntime`.
///
/// # Panics
///
/// Outside of these.
#[track_caller]
pub fn spawn_local<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    let location = Location::caller();
    let (id, future) = self::future(TaskKind::Local, location, future);
    JoinHandle::new(id, real::task::spawn_local(future))
}

/// Runs a closure on the blocking pool.
///
/// # Panics
///
/// Outside a runtime.
#[track_caller]
pub fn spawn_blocking<F, R>(f: F) -> JoinHandle<R>
where
    F: FnOnce() -> R + Send + 'static,
    R: Send + 'static,
{
    let location = Location::caller();
    let (id, f) = blocking(location, f);
    JoinHandle::new(id, real::task::spawn_blocking(f))
}

/// Runs a closure here, after the runtime has moved its other tasks to another thread.
///
/// # Panics
///
/// On a current-thread runtime.
#[cfg(feature = "rt-multi-thread")]
#[track_caller]
pub fn block_in_place<F, R>(f: F) -> R
where
    F: FnOnce() -> R,
{
    let _may_block = rt::may_block();
    real::task::block_in_place(f)
}

/// Lets others go on.
pub async fn yield_now() {
    if !rt::control::on() {
        return real::task::yield_now().await;
    }
    // The real one is woken by the runtime after the poll, when it may be the turn of somebody else already.
    let mut has_yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        rt::control::yields_in_poll();
        rt::waker::real(context).waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

rt::exchanged_functions! {
    spawn::<::core::future::Ready<()>> => real::task::spawn::<::core::future::Ready<()>>;
    spawn_local::<::core::future::Ready<()>> => real::task::spawn_local::<::core::future::Ready<()>>;
    spawn_blocking::<fn(), ()> => real::task::spawn_blocking::<fn(), ()>;
    #[cfg(feature = "rt-multi-thread")] block_in_place::<fn(), ()> => real::task::block_in_place::<fn(), ()>;
    yield_now => real::task::yield_now;
}
