//! Semaphores of one permit are locks.

use std::sync::Mutex;
use tokio::sync::Semaphore;

pub struct Log(Vec<String>);

pub struct Limits {
    total: Semaphore,
    uploads: Semaphore,
    log: Mutex<Log>,
}

impl Limits {
    pub async fn upload(&self) {
        let _total = self.total.acquire().await.unwrap();
        let _upload = self.uploads.acquire().await.unwrap();
    }

    pub async fn mirror(&self) {
        let _upload = self.uploads.acquire().await.unwrap();
        let _total = self.total.acquire().await.unwrap();
    }

    pub fn lines(&self) -> usize {
        self.log.lock().unwrap().0.len() //~ lock-order orphan
    }
}
