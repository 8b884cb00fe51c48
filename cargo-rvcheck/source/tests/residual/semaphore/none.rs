//! There is no semaphore, and no code that is not looked at.
//@ proved: semaphore

use std::sync::Mutex;

pub async fn counted(lock: &Mutex<u32>) -> u32 {
    std::future::ready(()).await;
    *lock.lock().unwrap()
}
