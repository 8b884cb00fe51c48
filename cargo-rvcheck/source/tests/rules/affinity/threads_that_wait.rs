//! Thread-locals of threads that wait for one future, which awaits others.

use std::cell::Cell;

thread_local! {
    static LANE: Cell<u64> = const { Cell::new(0) };
}

async fn breathes() {
    std::future::poll_fn(|_| std::task::Poll::<()>::Pending).await
}

async fn swims(lane: u64) -> u64 {
    LANE.set(lane);
    breathes().await;
    LANE.get()
}

async fn trains(lane: u64) -> u64 {
    swims(lane).await + swims(lane + 1).await
}

/// The thread does nothing else.
pub fn a_lane_for_each() {
    std::thread::spawn(|| futures::executor::block_on(trains(2)));
}

async fn dives(lane: u64) -> u64 {
    LANE.set(lane);
    breathes().await;
    LANE.get() //~ affinity warning
}

async fn competes(lane: u64) -> u64 {
    dives(lane).await
}

/// One of those that wait is a task.
pub fn all_in_one() {
    std::thread::spawn(|| futures::executor::block_on(competes(2)));
    tokio::spawn(competes(3));
}
