//! What the shim of an old tokio reports. Behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ cancel 1, detach 1, receiver_drop 7, sender_drop 7, undelivered(1) 1

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{
    broadcast, mpsc, oneshot, watch, Barrier, Mutex, MutexGuard, Notify, OnceCell, RwLock, Semaphore,
};
use tokio::task::{yield_now, LocalSet};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { //~ spawn(root) block(block_on) unblock(block_on)
        locks().await;
        permits_and_signals().await;
        channels().await;
        watches().await;
        tasks().await;
    });
    LocalSet::new().block_on(&runtime, local_tasks()); //~ spawn(root) block(block_on) unblock(block_on)
    blocking();
}

async fn locks() {
    let lock = Arc::new(Mutex::new(0));
    let guard = lock.lock().await; //~ acquire(write) release(write)
    let task = tokio::spawn({ //~ spawn(async)
        let lock = lock.clone();
        async move {
            *lock.lock().await += 1; //~ request(write) acquire(write) release(write)
        }
    });
    yield_now().await;
    drop(guard);
    task.await.unwrap(); //~ join_wait join
    let guard = lock.try_lock().unwrap(); //~ acquire(write, try) release(write, try)
    lock.try_lock().unwrap_err();
    drop(MutexGuard::map(guard, |it| it));
    let owned = lock.clone().lock_owned().await; //~ acquire(write) release(write)
    let unlucky = tokio::time::timeout(Duration::from_millis(1), lock.lock()).await; //~ request(write, try) withdraw(write, try)
    drop((owned, unlucky.is_err()));
    let lock = Arc::new(RwLock::new(0));
    let readers = (lock.read().await, lock.try_read().unwrap()); //~ acquire(read) acquire(read, try) release(read) release(read, try)
    drop(readers);
    let writer = lock.clone().write_owned().await; //~ acquire(write) release(write) acquire(read) release(read)
    drop(writer.downgrade());
    let cell = OnceCell::new();
    cell.get_or_init(|| yields(1)).await; //~ acquire(write) release(write)
}

async fn permits_and_signals() {
    let limit = Arc::new(Semaphore::new(3));
    let two = limit.acquire_many(2).await.unwrap(); //~ permit(2)
    let owned = limit.clone().try_acquire_owned().unwrap(); //~ permit(1) permit_release(1)
    let waiting = tokio::time::timeout(Duration::from_millis(1), limit.acquire()).await; //~ permit_wait(1) permit_cancel
    drop((owned, waiting.is_err()));
    two.forget(); //~ permit_forget(2)
    limit.add_permits(1); //~ permit_release(1, added)
    let bell = Notify::new();
    bell.notify_one(); //~ notify_one
    bell.notified().await; //~ signalled
    let waiting = tokio::time::timeout(Duration::from_millis(1), bell.notified()).await; //~ signal_wait signal_cancel
    waiting.unwrap_err();
    bell.notify_waiters(); //~ notify_all
    let barrier = Barrier::new(1);
    barrier.wait().await; //~ notify_all signalled
}

async fn channels() {
    let (sender, mut receiver) = mpsc::channel(1);
    sender.try_send(1).unwrap(); //~ send(1)
    sender.try_send(2).unwrap_err();
    let late = tokio::spawn(async move { //~ spawn(async)
        sender.send(2).await.unwrap(); //~ send_wait send(2)
    });
    yield_now().await;
    receiver.recv().await; //~ recv(1)
    late.await.unwrap(); //~ join_wait join
    receiver.recv().await; //~ recv(2)
    assert_eq!(receiver.recv().await, None); //~ closed
    let (sender, mut receiver) = mpsc::unbounded_channel();
    sender.send(1).unwrap(); //~ send(1)
    receiver.close(); //~ chan_close
    sender.send(2).unwrap_err(); //~ closed
    drop(receiver);
    let (sender, receiver) = oneshot::channel();
    sender.send(1).unwrap(); //~ send(1)
    receiver.await.unwrap(); //~ recv(1)
    let (sender, mut receiver) = broadcast::channel(1);
    sender.send(1).unwrap(); //~ send(1)
    sender.send(2).unwrap(); //~ send(2)
    receiver.recv().await.unwrap_err(); //~ lagged
    receiver.recv().await.unwrap(); //~ recv(2)
    drop(sender);
    receiver.recv().await.unwrap_err(); //~ closed
}

async fn watches() {
    let (sender, mut receiver) = watch::channel(0);
    drop(receiver.borrow()); //~ acquire(read) release(read)
    sender.send(1).unwrap(); //~ acquire(write) send(1) release(write)
    receiver.changed().await.unwrap(); //~ recv(1)
    drop(receiver.borrow_and_update()); //~ acquire(read) release(read)
    let waiting = tokio::time::timeout(Duration::from_millis(1), receiver.changed()).await; //~ recv_wait recv_cancel
    waiting.unwrap_err();
    drop(receiver);
    sender.send(2).unwrap_err(); //~ closed
}

async fn tasks() {
    let handle = tokio::spawn(async { 1 }); //~ spawn(async)
    handle.await.unwrap(); //~ join_wait join
    let handle = tokio::spawn(std::future::pending::<()>()); //~ spawn(async)
    handle.abort(); //~ abort
    assert!(handle.await.unwrap_err().is_cancelled()); //~ join_wait join
    drop(tokio::spawn(async {})); //~ spawn(async)
    tokio::task::spawn_blocking(|| ()).await.unwrap(); //~ spawn(blocking) join
}

async fn local_tasks() {
    tokio::task::spawn_local(async {}).await.unwrap(); //~ spawn(local) join_wait join
}

fn blocking() {
    let (sender, mut receiver) = mpsc::channel(1);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(LONG);
        sender.blocking_send(1).unwrap(); //~ send(1)
    });
    receiver.blocking_recv().unwrap(); //~ recv_wait block(recv) recv(1) unblock(recv)
    thread.join().unwrap();
    let (sender, receiver) = watch::channel(0);
    let (locked, is_locked) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let value = receiver.borrow(); //~ acquire(read) release(read)
            locked.send(()).unwrap();
            std::thread::sleep(LONG);
            drop(value);
        });
        is_locked.recv().unwrap();
        sender.send(1).unwrap(); //~ request(write) block(lock) unblock(lock) acquire(write) send(1) release(write)
    });
}

/// Long enough for another thread to come and wait.
const LONG: Duration = Duration::from_millis(200);

async fn yields(value: u8) -> u8 {
    yield_now().await;
    value
}
