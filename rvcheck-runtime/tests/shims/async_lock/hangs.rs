//! A thread waits for a permit that another one gives back only when it has got a lock.

use std::sync::Arc;
use std::thread;

use async_lock::{Mutex, Semaphore};

fn main() {
    let all = Arc::new((Mutex::new(0), Semaphore::new(1)));
    let guard = all.0.lock_blocking();
    let waits = thread::spawn({
        let all = all.clone();
        move || {
            let _permit = all.1.acquire_blocking();
            let _guard = all.0.lock_blocking();
        }
    });
    while all.1.try_acquire().is_some() {
        thread::yield_now();
    }
    let _permit = all.1.acquire_blocking();
    drop(guard);
    waits.join().unwrap();
}
