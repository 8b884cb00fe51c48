//! Tasks and threads that wait for each other in every way that the crates of futures have.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{mpsc, Arc};
use std::thread;

use futures_executor::{block_on, block_on_stream, LocalPool, ThreadPool};
use futures_util::future::{self, FutureExt};
use futures_util::lock::Mutex;
use futures_util::stream::{self, StreamExt};
use futures_util::task::{LocalSpawnExt, SpawnExt};

fn main() {
    locks();
    local();
    pool();
    println!("done");
}

/// Suspends once.
async fn pause() {
    let mut has_paused = false;
    future::poll_fn(|context| {
        if std::mem::replace(&mut has_paused, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await
}

fn locks() {
    let lock = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let lock = lock.clone();
            thread::spawn(move || {
                block_on(async {
                    let mut guard = lock.lock().await;
                    pause().await;
                    *guard += 1;
                    drop(guard);
                    *lock.lock().await += 1;
                });
                while lock.try_lock().is_none() {
                    thread::yield_now();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(*block_on(lock.lock()), 6);
    assert_eq!(block_on_stream(stream::iter([1, 2, 3])).sum::<i32>(), 6);
}

fn local() {
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    let (log, lock) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Mutex::new(0)));
    for number in 0..3 {
        let (log, lock) = (log.clone(), lock.clone());
        let task = async move {
            let mut guard = lock.lock().await;
            pause().await;
            *guard += 1;
            log.borrow_mut().push(number);
        };
        spawner.spawn_local(task).unwrap();
    }
    pool.run();
    assert_eq!(log.borrow().len(), 3);
    let handle = spawner.spawn_local_with_handle(async { pause().await }).unwrap();
    let other = spawner.spawn_with_handle(async { 5 }).unwrap();
    let nested = spawner.clone();
    let sum = pool.run_until(async move {
        handle.await;
        let inner = nested.spawn_local_with_handle(async { 6 }).unwrap();
        other.await + inner.await
    });
    assert_eq!(sum, 11);
    spawner.spawn_local(future::pending()).unwrap();
    pool.run_until_stalled();
}

fn pool() {
    let pool = ThreadPool::builder().pool_size(2).create().unwrap();
    let lock = Arc::new(Mutex::new(0));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..3 {
        let (lock, sender) = (lock.clone(), sender.clone());
        pool.spawn_ok(async move {
            let mut guard = lock.lock().await;
            pause().await;
            *guard += 1;
            drop(guard);
            sender.send(1).unwrap();
        });
    }
    drop(sender);
    assert_eq!(receiver.iter().sum::<i32>(), 3);
    let handles: Vec<_> = (0..3).map(|it| pool.spawn_with_handle(pause().map(move |()| it)).unwrap()).collect();
    assert_eq!(block_on(future::join_all(handles)), [0, 1, 2]);
    let stream = stream::iter(0..3).then(|it| pool.spawn_with_handle(async move { it }).unwrap());
    assert_eq!(block_on(stream.collect::<Vec<i32>>()), [0, 1, 2]);
}
