//! A guard is forgotten somewhere, so nothing is proved of any order.

use std::sync::Mutex;

pub struct Plain(u32);

pub fn plain(lock: &Mutex<Plain>) -> u32 {
    lock.lock().unwrap().0 //~ lock-order monitored
}

pub fn forgotten(lock: &Mutex<u32>) {
    std::mem::forget(lock.lock().unwrap()); //~ lock-order monitored
}
