//! Guards that are handed to functions.

use std::sync::{Mutex, MutexGuard};

#[derive(Default)]
pub struct Cache {
    keys: Mutex<Vec<u32>>,
    bytes: Mutex<usize>,
    other: Mutex<usize>,
}

impl Cache {
    pub fn insert(&self, key: u32) {
        let mut keys = self.keys.lock().unwrap();
        keys.push(key);
        self.make_room(keys);
    }

    fn make_room(&self, mut keys: MutexGuard<'_, Vec<u32>>) {
        let mut bytes = self.bytes.lock().unwrap();
        *bytes += 1;
        keys.truncate(*bytes);
    }

    pub fn shrink(&self) {
        let mut bytes = self.bytes.lock().unwrap();
        *bytes = self.keys.lock().unwrap().len(); //~ lock-order warning
    }

    pub fn note(&self) {
        let keys = self.keys.lock().unwrap();
        self.let_go(keys);
    }

    fn let_go(&self, keys: MutexGuard<'_, Vec<u32>>) {
        let count = keys.len();
        drop(keys);
        *self.other.lock().unwrap() += count;
    }

    pub fn count(&self) -> usize {
        let other = self.other.lock().unwrap();
        *other + self.keys.lock().unwrap().len()
    }
}
