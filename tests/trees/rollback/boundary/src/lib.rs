//! Gives its locks to a dependency, and has threads from it.

use locks::Count;
use std::sync::{Mutex, RwLock};
use std::thread::JoinHandle;

pub fn counted() -> u32 {
    let lock = Mutex::new(1);
    locks::add(&lock);
    lock.count()
}

pub fn working() -> JoinHandle<u32> {
    locks::work()
}

pub fn reading(value: &RwLock<u32>) -> u32 {
    *value.read().unwrap()
}
