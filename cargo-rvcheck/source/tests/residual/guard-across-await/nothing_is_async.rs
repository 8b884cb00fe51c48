//@ proved: guard-across-await
//! Without anything that can suspend no guard is kept across an await.

use std::sync::{Mutex, MutexGuard};

pub fn counted(lock: &Mutex<Vec<u32>>) -> usize {
    lock.lock().unwrap().len() //~ guard-across-await never-occurs
}

pub fn given(lock: &Mutex<Vec<u32>>) -> MutexGuard<'_, Vec<u32>> {
    lock.lock().unwrap() //~ guard-across-await never-occurs
}
