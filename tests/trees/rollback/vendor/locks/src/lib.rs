//! An interface that speaks of locks and threads of std.

use std::sync::Mutex;
use std::thread::JoinHandle;

/// Implemented for a lock of std only.
pub trait Count {
    fn count(&self) -> u32;
}

impl Count for Mutex<u32> {
    fn count(&self) -> u32 {
        *self.lock().unwrap()
    }
}

pub fn add(to: &Mutex<u32>) {
    *to.lock().unwrap() += 1;
}

pub fn work() -> JoinHandle<u32> {
    std::thread::spawn(|| 1)
}
