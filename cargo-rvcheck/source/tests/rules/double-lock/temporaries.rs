//! Guards of temporaries that live longer than they look.

use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

pub struct Table {
    rows: Mutex<HashMap<u32, String>>,
    fast: parking_lot::Mutex<Vec<u32>>,
    shared: RwLock<Vec<u32>>,
}

impl Table {
    pub fn scrutinee(&self, key: u32) -> usize {
        match self.rows.lock().unwrap().get(&key) {
            Some(found) => found.len(),
            None => self.rows.lock().unwrap().len(), //~ double-lock error
        }
    }

    pub fn scrutinee_of_a_copy(&self) -> u32 {
        match self.fast.lock().first().copied() {
            Some(found) => found,
            None => {
                self.fast.lock().push(1); //~ double-lock
                1
            }
        }
    }

    pub fn bound_before(&self) -> u32 {
        let found = self.fast.lock().first().copied();
        match found {
            Some(found) => found,
            None => {
                self.fast.lock().push(1);
                1
            }
        }
    }

    pub fn if_let(&self) -> usize {
        if let Some(found) = self.fast.lock().first() {
            return *found as usize + self.fast.lock().len(); //~ double-lock error
        }
        0
    }

    pub fn while_let(&self) {
        while let Some(found) = self.fast.lock().pop() {
            self.fast.lock().push(found); //~ double-lock
        }
    }

    pub fn loop_with_let(&self) {
        loop {
            let Some(found) = self.fast.lock().pop() else { break };
            self.fast.lock().push(found);
        }
    }

    pub fn for_loop(&self) {
        for found in self.fast.lock().iter() {
            if *found == 3 {
                self.fast.lock().clear(); //~ double-lock
            }
        }
    }

    pub fn in_one_expression(&self) -> u32 {
        self.fast.lock()[0] + self.fast.lock()[1] //~ double-lock
    }

    pub fn one_after_the_other(&self) -> usize {
        let first = self.fast.lock().len();
        let second = self.fast.lock().len();
        first + second
    }

    pub fn as_an_argument(&self) {
        self.fast.lock().push(self.fast.lock().len() as u32); //~ double-lock
    }

    pub fn read_to_write(&self) {
        let known = self.shared.read().unwrap();
        if known.is_empty() {
            self.shared.write().unwrap().push(1); //~ double-lock error
        }
    }

    pub fn read_twice(&self) -> usize {
        let known = self.shared.read().unwrap();
        known.len() + self.shared.read().unwrap().len() //~ double-lock warning
    }

    pub fn write_to_read(&self) -> usize {
        let mut known = self.shared.write().unwrap();
        known.push(3);
        self.shared.read().unwrap().len() //~ double-lock
    }

    pub fn closure_at_once(&self) -> u32 {
        let rows = self.fast.lock();
        rows.first().copied().unwrap_or_else(|| self.fast.lock().len() as u32) //~ double-lock
    }

    pub fn two_locks(&self) -> usize {
        let rows = self.rows.lock().unwrap();
        rows.len() + self.fast.lock().len()
    }

    pub fn tried(&self) -> usize {
        let rows = self.fast.lock();
        rows.len() + self.fast.try_lock().map_or(0, |it| it.len())
    }

    pub fn tried_before(&self) -> usize {
        match self.fast.try_lock() {
            Some(rows) => rows.len(),
            None => self.fast.lock().len(),
        }
    }

    pub fn of_an_other(&self, other: &Table) -> usize {
        let rows = self.fast.lock();
        rows.len() + other.fast.lock().len()
    }
}
