//! Sleeps that the timer of the runtime could do as well, and one under a lock.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

pub async fn waits(times: u32) {
    if times > 1 {
        thread::sleep(Duration::from_millis(10) * times); //~ blocking-in-async warning
    }
    tokio::task::yield_now().await;
}

pub async fn waits_under_a_lock(lock: &Mutex<u32>) {
    let mut count = lock.lock().unwrap();
    *count += 1;
    std::thread::sleep(Duration::from_millis(10)); //~ blocking-in-async
}
