//! Task trackers, as programs use them. Prints the same with the real crate and with the shim, recorded or not.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

use tokio::task::LocalSet;
use tokio_util::task::task_tracker::{TaskTrackerToken, TaskTrackerWaitFuture, TrackedFuture};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    alone();
    runtime.block_on(spawned(runtime.handle()));
    runtime.block_on(async {
        println!("{:?}", tokio::spawn(async { 1 }).await);
        drop(AbortOnDropHandle::new(tokio::spawn(std::future::pending::<()>())));
    });
    marks();
}

fn polled(future: std::pin::Pin<&mut impl Future>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

/// The text of `Debug` without the address.
fn shown(it: &dyn std::fmt::Debug) -> String {
    let text = format!("{it:?}");
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + "@" + part.trim_start_matches(|it: char| it.is_ascii_hexdigit()))
}

fn alone() {
    let tracker = TaskTracker::default();
    println!("{} {} {} {}", tracker.len(), tracker.is_empty(), tracker.is_closed(), shown(&tracker));
    let token = tracker.token();
    println!("{} {}", shown(&token), TaskTracker::ptr_eq(&tracker, token.task_tracker()));
    let second = token.clone();
    println!("{} {}", tracker.len(), TaskTracker::ptr_eq(&tracker, &TaskTracker::new()));
    let mut waiting = pin!(tracker.wait());
    println!("{} {}", polled(waiting.as_mut()), shown(&tracker));
    drop(token);
    println!("{} {}", tracker.close(), tracker.close());
    println!("{}", polled(waiting.as_mut()));
    drop(second);
    println!("{} {}", polled(waiting.as_mut()), polled(pin!(tracker.wait())));
    println!("{} {}", tracker.reopen(), tracker.reopen());
    println!("{}", polled(pin!(tracker.wait())));
    let mut tracked = pin!(tracker.track_future(std::future::ready(3)));
    println!("{} {}", shown(&tracked), tracker.len());
    println!("{} {}", polled(tracked.as_mut()), tracker.len());
}

async fn spawned(handle: &tokio::runtime::Handle) {
    let tracker = TaskTracker::new();
    println!("{:?}", tracker.spawn(async { 1 }).await);
    println!("{:?}", tracker.spawn_on(async { 2 }, handle).await);
    println!("{:?}", tracker.spawn_blocking(|| 3).await);
    println!("{:?}", tracker.spawn_blocking_on(|| 4, handle).await);
    let local = LocalSet::new();
    let on = tracker.spawn_local_on(async { 5 }, &local);
    let tracker = &tracker;
    let inside = local.run_until(async move { tracker.spawn_local(async { 6 }).await }).await;
    println!("{:?} {inside:?}", on.await);
    let panicking = tracker.spawn(async {
        std::panic::set_hook(Box::new(|_| {}));
        panic!("on purpose")
    });
    println!("{}", panicking.await.unwrap_err().is_panic());
    tracker.close();
    tracker.wait().await;
    println!("{}", tracker.len());
}

fn marks() {
    fn sent<T: Send + Sync>() -> &'static str {
        "sent"
    }
    fn unpinned<T: Unpin>() -> &'static str {
        "unpinned"
    }
    println!("{} {}", sent::<TaskTracker>(), sent::<TaskTrackerToken>());
    println!("{} {}", sent::<TaskTrackerWaitFuture<'_>>(), sent::<TrackedFuture<u8>>());
    println!("{} {}", unpinned::<TrackedFuture<u8>>(), unpinned::<TaskTracker>());
}
