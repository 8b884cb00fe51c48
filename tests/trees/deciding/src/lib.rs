//! Threads and tasks that do little but come to points, and what that takes.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use tokio::sync::mpsc;

/// Locks and unlocks in each of two threads, so often in each. Nobody ever waits.
pub fn lock_apart(times: u64) {
    let work = || {
        let own = Mutex::new(0_u64);
        for _ in 0..times {
            *own.lock().unwrap() += 1;
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// Hands a message to and fro between two threads, so often.
pub fn hand_between_threads(times: u64) {
    let (to, there) = std::sync::mpsc::channel();
    let (back, here) = std::sync::mpsc::channel();
    let pass = |from: Receiver<u64>, to: Sender<u64>| {
        for number in from {
            if number == 0 || to.send(number - 1).is_err() {
                break;
            }
        }
    };
    to.send(times).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || pass(there, back));
        scope.spawn(move || pass(here, to));
    });
}

/// The same between two tasks.
pub async fn hand_between_tasks(times: u64) {
    async fn pass(mut from: mpsc::Receiver<u64>, to: mpsc::Sender<u64>) {
        while let Some(number) = from.recv().await {
            if number == 0 || to.send(number - 1).await.is_err() {
                break;
            }
        }
    }
    let (to, there) = mpsc::channel(1);
    let (back, here) = mpsc::channel(1);
    to.send(times).await.unwrap();
    let one = tokio::spawn(pass(there, back));
    let other = tokio::spawn(pass(here, to));
    one.await.unwrap();
    other.await.unwrap();
}
