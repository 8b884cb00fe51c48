//! Fields of two structs that are one lock, and code that is not compiled.

use std::sync::{Arc, Mutex};

pub struct Inner(u32);
pub struct Other(u32);

pub struct Left {
    inner: Arc<Mutex<Inner>>,
    other: Arc<Mutex<Other>>,
}

pub struct Right {
    inner: Arc<Mutex<Inner>>,
    other: Arc<Mutex<Other>>,
}

pub fn halves(inner: Arc<Mutex<Inner>>, other: Arc<Mutex<Other>>) -> (Left, Right) {
    let left = Left { inner: Arc::clone(&inner), other: Arc::clone(&other) };
    (left, Right { inner, other })
}

impl Left {
    pub fn send(&self) {
        let inner = self.inner.lock().unwrap(); //~ lock-order monitored
        self.other.lock().unwrap().0 += inner.0; //~ lock-order monitored
    }
}

impl Right {
    pub fn receive(&self) {
        let other = self.other.lock().unwrap(); //~ lock-order monitored
        self.inner.lock().unwrap().0 += other.0; //~ lock-order monitored
    }
}

#[cfg(any())]
pub fn not_compiled(lock: &Mutex<Inner>) {
    let guard = lock.lock().unwrap();
    drop(guard);
}
