//! Values of other crates that are kept across an await may have a guard in them.

use std::sync::Mutex;

async fn other() {}

pub async fn kept(lock: &Mutex<u32>, messages: &flume::Receiver<u32>) {
    let of_another_crate = messages.iter();
    *lock.lock().unwrap() += 1; //~ guard-across-await orphan
    other().await;
    drop(of_another_crate);
}
