//! A signal that comes before anybody waits.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Door {
    is_open: AtomicBool,
    opened: Notify,
}

impl Door {
    pub async fn pass(&self) {
        while !self.is_open.load(Ordering::Acquire) {
            self.opened.notified().await; // pass: waits
        }
    }

    pub fn open(&self) {
        self.is_open.store(true, Ordering::Release);
        self.opened.notify_waiters(); // open: signals
    }
}
