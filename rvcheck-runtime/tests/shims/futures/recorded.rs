//! What the shims of futures report: behind each line stand the events that it records there, in the order of the trace.
//!
//! The events that have no place follow, with their counts; the thread is that of the pool.
//~~ cancel 3, detach 1, panic 1, spawn(thread) 1

use std::sync::Arc;
use std::task::{Context, Poll};

use futures_executor::{block_on, block_on_stream, LocalPool, ThreadPool};
use futures_util::future::{pending, Future};
use futures_util::lock::{MappedMutexGuard, Mutex, MutexGuard};
use futures_util::task::{noop_waker, LocalSpawnExt, SpawnExt};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    block_on(locks()); //~ spawn(root) block(block_on) unblock(block_on)
    block_on(owned()); //~ spawn(root) block(block_on) unblock(block_on)
    local();
    pool();
}

fn polled<F: Future + Unpin>(mut future: F) -> Option<F::Output> {
    match std::pin::Pin::new(&mut future).poll(&mut Context::from_waker(&noop_waker())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

async fn locks() {
    let lock = Mutex::new((0, 1));
    drop(lock.lock().await); //~ acquire(write) release(write)
    let guard = lock.try_lock().unwrap(); //~ acquire(write, try) release(write, try)
    assert!(lock.try_lock().is_none());
    let part = MappedMutexGuard::map(MutexGuard::map(guard, |it| it), |it| &mut it.0);
    let mut waiting = lock.lock(); //~ request(write) acquire(write) release(write)
    assert!(polled(&mut waiting).is_none());
    assert!(polled(lock.lock()).is_none()); //~ request(write) withdraw(write)
    drop(part);
    drop(waiting.await);
}

async fn owned() {
    let lock = Arc::new(Mutex::new(0));
    let guard = lock.clone().lock_owned().await; //~ acquire(write) release(write)
    assert!(polled(lock.clone().lock_owned()).is_none()); //~ request(write) withdraw(write)
    let mut waiting = lock.clone().lock_owned(); //~ request(write) acquire(write) release(write)
    assert!(polled(&mut waiting).is_none());
    drop(guard);
    drop(waiting.await);
    drop(lock.try_lock_owned()); //~ acquire(write, try) release(write, try)
}

fn local() {
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    spawner.spawn_local(async {}).unwrap(); //~ spawn(local)
    spawner.spawn(async {}).unwrap(); //~ spawn(async)
    pool.run(); //~ block(block_on) unblock(block_on)
    let handle = spawner.spawn_local_with_handle(async { 1 }).unwrap(); //~ spawn(local)
    pool.run_until(handle); //~ spawn(root) block(block_on) unblock(block_on)
    drop(spawner.spawn_with_handle(pending::<u8>())); //~ spawn(async)
    let lost = spawner.spawn_local_with_handle(async { panic!("lost") }).unwrap(); //~ spawn(local)
    lost.forget();
    pool.run_until_stalled();
    spawner.spawn_local(pending()).unwrap(); //~ spawn(local)
    pool.run_until_stalled();
    drop(pool);
    spawner.spawn_local(async {}).unwrap_err(); //~ spawn(local)
    let items = block_on_stream(futures_util::stream::iter([1])); //~ spawn(root) block(block_on) unblock(block_on) spawn(root) block(block_on) unblock(block_on)
    assert_eq!(items.count(), 1);
}

fn pool() {
    let pool = ThreadPool::builder().pool_size(1).create().unwrap();
    pool.spawn_ok(async {}); //~ spawn(async)
    pool.spawn_obj_ok(Box::new(async {}).into()); //~ spawn(async)
    pool.spawn(async {}).unwrap(); //~ spawn(async)
    let last = pool.spawn_with_handle(async {}).unwrap(); //~ spawn(async)
    block_on(last); //~ spawn(root) block(block_on) unblock(block_on)
}
