//! Guards that are kept while a task is suspended, or of which that cannot be excluded.

use std::cell::RefCell;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll};

pub async fn other() {}

pub struct Kept<'a> {
    guard: MutexGuard<'a, u32>,
}

pub async fn kept(lock: &Mutex<u32>) {
    let guard = lock.lock().unwrap(); //~ guard-across-await monitored
    other().await;
    drop(guard);
}

pub async fn on_some_way(lock: &Mutex<u32>, early: bool) {
    let guard = lock.lock().unwrap(); //~ guard-across-await monitored
    if early {
        drop(guard);
    }
    other().await;
}

pub async fn in_a_struct(lock: &Mutex<u32>) {
    let kept = Kept { guard: lock.lock().unwrap() }; //~ guard-across-await monitored
    other().await;
    drop(kept);
}

pub fn returned(lock: &Mutex<u32>) -> MutexGuard<'_, u32> {
    lock.lock().unwrap() //~ guard-across-await monitored
}

pub async fn forgotten(lock: &Mutex<u32>) {
    std::mem::forget(lock.lock().unwrap()); //~ guard-across-await monitored
    other().await;
}

pub async fn manually(lock: &Mutex<u32>) {
    let _guard = ManuallyDrop::new(lock.lock().unwrap()); //~ guard-across-await monitored
    other().await;
}

pub async fn leaked(lock: &Mutex<u32>) {
    Box::leak(Box::new(lock.lock().unwrap())); //~ guard-across-await monitored
    other().await;
}

pub async fn inserted(lock: &Mutex<u32>) {
    let mut kept = None;
    kept.insert(lock.lock().unwrap()); //~ guard-across-await monitored
    other().await;
    drop(kept);
}

pub async fn put_by_a_closure(lock: &Mutex<u32>) {
    let mut kept = Vec::new();
    lock.lock().ok().map(|guard| kept.push(guard)); //~ guard-across-await monitored
    other().await;
}

pub async fn behind_a_cell(lock: &Mutex<u32>) {
    let kept = RefCell::new(None);
    kept.replace(Some(lock.lock().unwrap())); //~ guard-across-await monitored
    other().await;
}

fn take_out<'a>(from: &mut Option<MutexGuard<'a, u32>>, into: &mut Vec<MutexGuard<'a, u32>>) {
    into.extend(from.take());
}

pub async fn moved_by_a_function(lock: &Mutex<u32>) {
    let mut guard = Some(lock.lock().unwrap()); //~ guard-across-await monitored
    let mut kept = Vec::new();
    take_out(&mut guard, &mut kept);
    drop(guard);
    other().await;
}

pub async fn exchanged(one: &Mutex<u32>, two: &Mutex<u32>) {
    let mut first = one.lock().unwrap(); //~ guard-across-await monitored
    let mut second = two.lock().unwrap(); //~ guard-across-await monitored
    std::mem::swap(&mut first, &mut second);
    drop(first);
    other().await;
}

pub struct ByHand<'a> {
    lock: &'a Mutex<u32>,
    guard: Option<MutexGuard<'a, u32>>,
}

impl Future for ByHand<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let lock = self.lock;
        self.guard = Some(lock.lock().unwrap()); //~ guard-across-await monitored
        Poll::Pending
    }
}

pub fn generic<T>(lock: &Mutex<T>, with: impl FnOnce(MutexGuard<'_, T>)) {
    with(lock.lock().unwrap()) //~ guard-across-await monitored
}
