//! What blocks a thread of the runtime.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(3);

/// Waits as a thread would.
pub async fn pause() {
    std::thread::sleep(PAUSE); //~ error blocking-in-async
}

/// Waits for a message as a thread would.
pub async fn next(messages: Receiver<u32>) -> u32 {
    messages.recv().unwrap_or_default() //~ error blocking-in-async
}

/// Waits for a thread as a thread would.
pub async fn squared(number: u32) -> u32 {
    let thread = std::thread::spawn(move || {
        std::thread::sleep(PAUSE);
        number * number
    });
    thread.join().unwrap_or_default() //~ error blocking-in-async
}

/// Reads a file as a thread would.
pub async fn manifest() -> usize {
    std::fs::read("Cargo.toml").map_or(0, |it| it.len()) //~ warning blocking-in-async
}

/// Waits as a task should.
pub async fn pause_well() {
    tokio::time::sleep(PAUSE).await;
}

/// Waits and reads where that does no harm.
pub async fn manifest_elsewhere() -> usize {
    let read = tokio::task::spawn_blocking(|| {
        std::thread::sleep(PAUSE);
        std::fs::read("Cargo.toml").map_or(0, |it| it.len())
    });
    read.await.unwrap_or_default()
}

/// Tells the runtime that it will block.
pub async fn pause_in_place() {
    tokio::task::block_in_place(|| std::thread::sleep(PAUSE));
}

/// Counts under a lock that is held for no time.
pub async fn count(total: Arc<Mutex<u32>>) {
    for _ in 0..10 {
        *total.lock().unwrap_or_else(|it| it.into_inner()) += 1;
        tokio::task::yield_now().await;
    }
}
