//! The value of a channel stays borrowed for as long as its guard lives.

use std::sync::Mutex;
use tokio::sync::watch::Receiver;

pub async fn of_a_channel(latest: &Receiver<u32>, lock: &Mutex<u32>) -> u32 {
    let it = latest.borrow();
    std::future::ready(()).await;
    *it + *lock.lock().unwrap() //~ guard-across-await orphan
}
