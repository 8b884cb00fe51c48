//! Tasks that are asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

const LONG: Duration = Duration::from_millis(400);

/// Counts for long without an await that suspends. `begun` is set when it has begun.
pub fn count_stubbornly(begun: Arc<AtomicBool>) -> JoinHandle<u64> {
    tokio::spawn(async move { //~ error|note cancel-unresponsive; warning|none blocking-in-async
        begun.store(true, Ordering::Release);
        let (start, mut turns) = (Instant::now(), 0_u64);
        while start.elapsed() < LONG {
            turns = turns.wrapping_add(1);
        }
        turns
    })
}

/// Counts for as long as it may, and suspends in each turn.
pub fn count_politely(begun: Arc<AtomicBool>) -> JoinHandle<u64> {
    tokio::spawn(async move {
        begun.store(true, Ordering::Release);
        let (start, mut turns) = (Instant::now(), 0_u64);
        while start.elapsed() < LONG {
            turns = turns.wrapping_add(1);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        turns
    })
}
