//! What the shim of tokio reports: behind each line stand the events that it records there, in the order of the trace.
//!
//! The events that have no place follow, with their counts.
//~~ PLACELESS

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{
    broadcast, mpsc, oneshot, watch, Barrier, Mutex, MutexGuard, Notify, OnceCell, RwLock, Semaphore,
};
use tokio::task::{yield_now, JoinSet, LocalSet};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        locks().await;
        reader_writer_locks().await;
        permits().await;
        signals().await;
        cells().await;
        bounded_channels().await;
        other_channels().await;
        watches().await;
        tasks().await;
    });
    LocalSet::new().block_on(&runtime, local_tasks());
    blocking();
}

async fn locks() {
    let lock = Arc::new(Mutex::new(0));
    let guard = lock.lock().await;
    let task = tokio::spawn({
        let lock = lock.clone();
        async move {
            *lock.lock().await += 1;
        }
    });
    yield_now().await;
    drop(guard);
    task.await.unwrap();
    let guard = lock.try_lock().unwrap();
    lock.try_lock().unwrap_err();
    let mapped = MutexGuard::map(guard, |it| it);
    let unlucky = lock.clone();
    let given_up = tokio::time::timeout(Duration::from_millis(1), unlucky.lock_owned()).await;
    drop((mapped, given_up));
    let owned = lock.clone().lock_owned().await;
    drop(lock);
    drop(owned);
}

async fn reader_writer_locks() {
    let lock = Arc::new(RwLock::new(0));
    let first = lock.read().await;
    let second = lock.try_read().unwrap();
    let mut writing = std::pin::pin!(lock.write());
    assert!(futures_poll(writing.as_mut()).is_none());
    drop((first, second));
    let writer = futures_poll(writing).unwrap();
    let reader = writer.downgrade();
    drop(reader);
    let writer = lock.clone().write_owned().await;
    drop(writer.downgrade());
}

async fn permits() {
    let limit = Arc::new(Semaphore::new(3));
    let mut two = limit.acquire_many(2).await.unwrap();
    let one = two.split(1).unwrap();
    let owned = limit.clone().try_acquire_owned().unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(1), limit.acquire()).await;
    drop((one, waiting));
    two.forget();
    limit.add_permits(1);
    limit.forget_permits(1);
    drop(owned);
}

async fn signals() {
    let bell = Notify::new();
    bell.notify_one();
    bell.notified().await;
    let waiting = bell.notified();
    let mut waiting = std::pin::pin!(waiting);
    assert!(futures_poll(waiting.as_mut()).is_none());
    bell.notify_waiters();
    waiting.await;
    let barrier = Barrier::new(1);
    barrier.wait().await;
}

async fn cells() {
    let cell = OnceCell::new();
    let filling = async { cell.get_or_init(|| yields(1)).await };
    let waiting = async { cell.get_or_init(|| yields(2)).await };
    tokio::join!(filling, waiting);
    cell.get_or_init(|| yields(3)).await;
}

async fn bounded_channels() {
    let (sender, mut receiver) = mpsc::channel(1);
    sender.send(1).await.unwrap();
    let late = tokio::spawn(async move {
        sender.send(2).await.unwrap();
        sender.try_send(3).unwrap_err();
    });
    yield_now().await;
    receiver.recv().await;
    late.await.unwrap();
    receiver.try_recv().unwrap();
    assert_eq!(receiver.recv().await, None);
    let (sender, receiver) = mpsc::channel(2);
    let permit = sender.reserve().await.unwrap();
    permit.send(1);
    drop(receiver);
    sender.send(2).await.unwrap_err();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    sender.send(1).unwrap();
    receiver.recv_many(&mut Vec::new(), 5).await;
    let waiting = tokio::time::timeout(Duration::from_millis(1), receiver.recv()).await;
    drop(waiting);
}

async fn other_channels() {
    let (sender, receiver) = oneshot::channel();
    sender.send(1).unwrap();
    receiver.await.unwrap();
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    receiver.await.unwrap_err();
    let (sender, receiver) = oneshot::channel();
    sender.send(1).unwrap();
    let timed = tokio::time::timeout(Duration::from_millis(1), receiver);
    timed.await.unwrap().unwrap();
    let (sender, mut receiver) = broadcast::channel(1);
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    receiver.recv().await.unwrap_err();
    receiver.recv().await.unwrap();
    drop(sender);
    receiver.recv().await.unwrap_err();
}

async fn watches() {
    let (sender, mut receiver) = watch::channel(0);
    let reading = receiver.borrow();
    drop(reading);
    sender.send(1).unwrap();
    receiver.changed().await.unwrap();
    sender.send_if_modified(|_| false);
    let waiting = tokio::time::timeout(Duration::from_millis(1), receiver.changed()).await;
    drop((sender, waiting));
    receiver.changed().await.unwrap_err();
}

async fn tasks() {
    let handle = tokio::spawn(async { 1 });
    handle.await.unwrap();
    let mut handle = tokio::spawn(std::future::pending::<()>());
    let abort = handle.abort_handle();
    let waiting = tokio::time::timeout(Duration::from_millis(1), &mut handle).await;
    abort.abort();
    drop((waiting, handle));
    drop(tokio::spawn(async {}));
    tokio::task::spawn_blocking(|| ()).await.unwrap();
    let mut set = JoinSet::new();
    set.spawn(async {});
    set.join_next().await.unwrap().unwrap();
    set.spawn(std::future::pending());
    set.abort_all();
    drop(set);
    yield_now().await;
}

async fn local_tasks() {
    tokio::task::spawn_local(async {}).await.unwrap();
}

fn blocking() {
    let lock = Mutex::new(0);
    drop(lock.blocking_lock());
    let (sender, mut receiver) = mpsc::channel(1);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        sender.blocking_send(1).unwrap();
    });
    receiver.blocking_recv().unwrap();
    thread.join().unwrap();
}

async fn yields(value: u8) -> u8 {
    yield_now().await;
    value
}

/// Polls the future once.
fn futures_poll<F: std::future::Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
