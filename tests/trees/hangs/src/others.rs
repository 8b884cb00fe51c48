use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Notify, Semaphore, oneshot};
use tokio::task::JoinHandle;

/// A queued request is not polled any more, and stands before another one of the same task.
pub async fn unpolled() {
    let lock = Arc::new(Mutex::new(0));
    let holder = {
        let lock = Arc::clone(&lock);
        tokio::spawn(async move {
            let _held = lock.lock().await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        })
    };
    tokio::time::sleep(Duration::from_millis(10)).await;
    let mut slow = pin!(lock.lock()); // queued
    tokio::select! {
        _ = &mut slow => {}
        () = tokio::time::sleep(Duration::from_millis(5)) => {
            *lock.lock().await += 1; // behind it
        }
    }
    holder.await.unwrap();
}

/// The signal is given before anybody waits, and is not kept.
pub async fn too_early() {
    let bell = Notify::new();
    bell.notify_waiters(); // too early
    bell.notified().await; // waits
}

/// One permit is held, and all are asked for.
pub async fn all_permits() {
    let seats = Semaphore::new(3);
    let _one = seats.acquire().await.unwrap(); // one
    let _all = seats.acquire_many(3).await.unwrap(); // all
}

/// More permits than there are.
pub async fn too_many() {
    let seats = Semaphore::new(3);
    let _all = seats.acquire_many(4).await.unwrap(); // too many
}

/// Nobody ever gives the signal.
pub async fn no_signal() {
    Notify::new().notified().await; // no signal
}

/// The only worker waits for what a task would send that it should run.
pub fn starved() {
    let (sender, receiver) = std::sync::mpsc::channel();
    tokio::spawn(async move { sender.send(1).unwrap() });
    receiver.recv().unwrap(); // blocks the worker
}

/// A task has its own handle.
pub async fn joins_itself() {
    let (give, given) = oneshot::channel::<JoinHandle<()>>();
    let (done, finished) = oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        given.await.unwrap().await.unwrap(); // itself
        drop(done);
    });
    give.send(task).unwrap();
    finished.await.unwrap_err(); // the task
}
