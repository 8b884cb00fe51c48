//! Signals that another crate may give, since it gets hold of them.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

pub struct Lamp {
    on: AtomicBool,
    switch: Notify,
}

impl Lamp {
    pub fn new() -> Lamp {
        Lamp { on: AtomicBool::new(false), switch: Notify::new() }
    }
    pub fn switch(&self) -> &Notify {
        &self.switch
    }
    pub fn lights(&self) {
        self.on.store(true, Ordering::SeqCst);
    }
    pub async fn reads(&self) {
        while !self.on.load(Ordering::SeqCst) {
            self.switch.notified().await;
        }
    }
}
