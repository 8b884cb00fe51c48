//! Waits for condition variables: in a loop over the condition, and not.

use std::sync::{Condvar, Mutex, MutexGuard};

pub struct Latch {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Latch {
    pub fn once(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _open = self.changed.wait(is_open).unwrap(); //~ lost-wakeup
    }

    pub fn if_it_is_shut(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        if !*is_open {
            is_open = self.changed.wait(is_open).unwrap(); //~ lost-wakeup
        }
        drop(is_open);
    }

    pub fn while_it_is_shut(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        while !*is_open {
            is_open = self.changed.wait(is_open).unwrap();
        }
    }

    pub fn until_it_is_open(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        loop {
            if *is_open {
                return;
            }
            is_open = self.changed.wait(is_open).unwrap();
        }
    }

    pub fn by_condition(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _open = self.changed.wait_while(is_open, |it| !*it).unwrap();
    }

    pub fn a_while(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _ = self.changed.wait_timeout(is_open, std::time::Duration::from_secs(1)).unwrap();
    }

    pub fn for_others<'a>(&self, is_open: MutexGuard<'a, bool>) -> MutexGuard<'a, bool> {
        self.changed.wait(is_open).unwrap()
    }
}
