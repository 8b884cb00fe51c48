//! A lock whose type depends on a parameter may be any of them.

use std::sync::Mutex;

pub struct Plain(u32);

pub struct Any<T> {
    value: Mutex<T>,
    plain: Mutex<Plain>,
}

impl<T: Clone> Any<T> {
    pub fn get(&self) -> T {
        self.value.lock().unwrap().clone() //~ lock-order monitored
    }

    pub fn plain(&self) -> u32 {
        self.plain.lock().unwrap().0 //~ lock-order monitored
    }
}
