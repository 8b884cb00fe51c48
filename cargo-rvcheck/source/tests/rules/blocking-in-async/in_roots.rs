//! Functions that are only awaited by what has its thread to itself.

use std::fs;
use std::thread;
use std::time::Duration;

async fn other() {
    tokio::task::yield_now().await;
}

async fn certificate() -> Vec<u8> {
    thread::sleep(Duration::from_millis(1));
    fs::read("certificate").unwrap()
}

async fn serve() {
    drop(certificate().await);
    thread::sleep(Duration::from_millis(1));
    other().await;
}

pub fn on_a_thread() -> thread::JoinHandle<()> {
    thread::spawn(|| futures::executor::block_on(async { serve().await }))
}

/// Whoever else calls it may give it to a task.
pub async fn anybody_may_serve() {
    thread::sleep(Duration::from_millis(1)); //~ blocking-in-async note
    other().await;
}

pub fn on_a_thread_of_its_own() -> thread::JoinHandle<()> {
    thread::spawn(|| futures::executor::block_on(async { anybody_may_serve().await }))
}

async fn spawned_too() {
    thread::sleep(Duration::from_millis(1)); //~ blocking-in-async warning
    other().await;
}

pub fn on_a_thread_and_in_a_task() {
    tokio::spawn(spawned_too());
    futures::executor::block_on(async { spawned_too().await });
}
