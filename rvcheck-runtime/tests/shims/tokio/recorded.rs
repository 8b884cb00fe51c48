//! What the shim of tokio reports: behind each line stand the events that it records there, in the order of the trace.
//!
//! The events that have no place follow, with their counts.
//~~ cancel 2, detach 2, receiver_drop 10, sender_drop 10, undelivered(1) 1

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{
    broadcast, mpsc, oneshot, watch, Barrier, Mutex, MutexGuard, Notify, OnceCell, RwLock, Semaphore,
};
use tokio::task::{yield_now, JoinSet, LocalSet};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { //~ spawn(root) block(block_on) unblock(block_on)
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
    let mapped = MutexGuard::map(guard, |it| it);
    let unlucky = lock.clone();
    let given_up = tokio::time::timeout(Duration::from_millis(1), unlucky.lock_owned()).await; //~ request(write, try) withdraw(write, try)
    drop((mapped, given_up));
    let owned = lock.clone().lock_owned().await; //~ acquire(write) release(write)
    drop(lock);
    drop(owned);
}

async fn reader_writer_locks() {
    let lock = Arc::new(RwLock::new(0));
    let first = lock.read().await; //~ acquire(read) release(read)
    let second = lock.try_read().unwrap(); //~ acquire(read, try) release(read, try)
    let mut writing = std::pin::pin!(lock.write()); //~ request(write) acquire(write) release(write) acquire(read) release(read)
    assert!(futures_poll(writing.as_mut()).is_none());
    drop((first, second));
    let writer = futures_poll(writing).unwrap();
    let reader = writer.downgrade();
    drop(reader);
    let writer = lock.clone().write_owned().await; //~ acquire(write) release(write) acquire(read) release(read)
    drop(writer.downgrade());
}

async fn permits() {
    let limit = Arc::new(Semaphore::new(3));
    let mut two = limit.acquire_many(2).await.unwrap(); //~ permit(2) permit_release(1)
    let one = two.split(1).unwrap();
    let owned = limit.clone().try_acquire_owned().unwrap(); //~ permit(1) permit_release(1)
    let waiting = tokio::time::timeout(Duration::from_millis(1), limit.acquire()).await; //~ permit_wait(1) permit_cancel
    drop((one, waiting));
    two.forget(); //~ permit_forget(1)
    limit.add_permits(1); //~ permit_release(1, added)
    limit.forget_permits(1); //~ permit_forget(1)
    drop(owned);
}

async fn signals() {
    let bell = Notify::new();
    bell.notify_one(); //~ notify_one
    bell.notified().await; //~ signalled
    let waiting = bell.notified(); //~ signal_wait signalled
    let mut waiting = std::pin::pin!(waiting);
    assert!(futures_poll(waiting.as_mut()).is_none());
    bell.notify_waiters(); //~ notify_all
    waiting.await;
    let barrier = Barrier::new(1);
    barrier.wait().await; //~ notify_all signalled
}

async fn cells() {
    let cell = OnceCell::new();
    let filling = async { cell.get_or_init(|| yields(1)).await }; //~ acquire(write) release(write)
    let waiting = async { cell.get_or_init(|| yields(2)).await }; //~ request(write) withdraw(write) acquire(read) release(read)
    tokio::join!(filling, waiting);
    cell.get_or_init(|| yields(3)).await;
}

async fn bounded_channels() {
    let (sender, mut receiver) = mpsc::channel(1);
    sender.send(1).await.unwrap(); //~ send(1)
    let late = tokio::spawn(async move { //~ spawn(async)
        sender.send(2).await.unwrap(); //~ send_wait send(2)
        sender.try_send(3).unwrap_err();
    });
    yield_now().await;
    receiver.recv().await; //~ recv(1)
    late.await.unwrap(); //~ join_wait join
    receiver.try_recv().unwrap(); //~ recv(2)
    assert_eq!(receiver.recv().await, None); //~ closed
    let (sender, receiver) = mpsc::channel(2);
    let permit = sender.reserve().await.unwrap();
    permit.send(1); //~ send(1)
    drop(receiver);
    sender.send(2).await.unwrap_err(); //~ closed
    let (sender, mut receiver) = mpsc::unbounded_channel();
    sender.send(1).unwrap(); //~ send(1)
    receiver.recv_many(&mut Vec::new(), 5).await; //~ recv(1)
    let waiting = tokio::time::timeout(Duration::from_millis(1), receiver.recv()).await; //~ recv_wait recv_cancel
    drop(waiting);
    receiver.close(); //~ chan_close
    sender.send(2).unwrap_err(); //~ closed
}

async fn other_channels() {
    let (sender, receiver) = oneshot::channel();
    sender.send(1).unwrap(); //~ send(1)
    receiver.await.unwrap(); //~ recv(1)
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    receiver.await.unwrap_err(); //~ closed
    let (sender, receiver) = oneshot::channel(); //~ recv(1)
    sender.send(1).unwrap(); //~ send(1)
    let timed = tokio::time::timeout(Duration::from_millis(1), receiver);
    timed.await.unwrap().unwrap();
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
    let reading = receiver.borrow(); //~ acquire(read) release(read)
    drop(reading);
    sender.send(1).unwrap(); //~ acquire(write) send(1) release(write)
    receiver.changed().await.unwrap(); //~ recv(1)
    sender.send_if_modified(|_| false); //~ acquire(write) release(write)
    let waiting = tokio::time::timeout(Duration::from_millis(1), receiver.changed()).await; //~ recv_wait recv_cancel
    drop((sender, waiting));
    receiver.changed().await.unwrap_err(); //~ closed
}

async fn tasks() {
    let handle = tokio::spawn(async { 1 }); //~ spawn(async)
    handle.await.unwrap(); //~ join_wait join
    let mut handle = tokio::spawn(std::future::pending::<()>()); //~ spawn(async)
    let abort = handle.abort_handle();
    let waiting = tokio::time::timeout(Duration::from_millis(1), &mut handle).await;
    abort.abort(); //~ abort
    drop((waiting, handle));
    drop(tokio::spawn(async {})); //~ spawn(async)
    tokio::task::spawn_blocking(|| ()).await.unwrap(); //~ spawn(blocking) join
    let mut set = JoinSet::new();
    set.spawn(async {}); //~ spawn(async) set_spawn(1)
    set.join_next().await.unwrap().unwrap(); //~ join_wait join detach(by owner)
    set.spawn(std::future::pending()); //~ spawn(async) set_spawn(1)
    set.abort_all(); //~ abort
    drop(set);
    yield_now().await;
}

async fn local_tasks() {
    tokio::task::spawn_local(async {}).await.unwrap(); //~ spawn(local) join_wait join
}

fn blocking() {
    let lock = Mutex::new(0);
    drop(lock.blocking_lock()); //~ acquire(write) release(write)
    let (locked, is_locked) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let guard = lock.try_lock(); //~ acquire(write, try) release(write, try)
            locked.send(()).unwrap();
            std::thread::sleep(LONG);
            drop(guard);
        });
        is_locked.recv().unwrap();
        drop(lock.blocking_lock()); //~ request(write) block(lock) acquire(write) unblock(lock) release(write)
    });
    let (sender, mut receiver) = mpsc::channel(1);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(LONG);
        sender.blocking_send(1).unwrap(); //~ send(1)
    });
    receiver.blocking_recv().unwrap(); //~ recv_wait block(recv) recv(1) unblock(recv)
    thread.join().unwrap();
    let (sender, receiver) = watch::channel(0);
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

/// Polls the future once.
fn futures_poll<F: std::future::Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
