//! Who puts in and who takes out wait on one condition variable, and both leave when all is closed.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;

struct Inside {
    crates: VecDeque<String>,
    closed: bool,
}

pub struct Ramp {
    inside: Mutex<Inside>,
    changed: Condvar,
    room: usize,
}

impl Ramp {
    pub fn loads(&self, it: String) -> Result<(), String> {
        let mut inside = self.inside.lock();
        while !inside.closed && inside.crates.len() >= self.room {
            self.changed.wait(&mut inside);
        }
        if inside.closed {
            return Err(it);
        }
        inside.crates.push_back(it);
        self.changed.notify_one(); //~ lost-wakeup warning
        Ok(())
    }

    pub fn unloads(&self) -> Option<String> {
        let mut inside = self.inside.lock();
        loop {
            if let Some(it) = inside.crates.pop_front() {
                self.changed.notify_one(); //~ lost-wakeup warning
                return Some(it);
            }
            if inside.closed {
                return None;
            }
            self.changed.wait(&mut inside);
        }
    }

    pub fn closes(&self) {
        self.inside.lock().closed = true;
        self.changed.notify_all();
    }
}

struct Within {
    crates: VecDeque<String>,
    closed: bool,
}

/// Each kind has its own.
pub struct Lift {
    within: Mutex<Within>,
    filled: Condvar,
    emptied: Condvar,
    room: usize,
}

impl Lift {
    pub fn loads(&self, it: String) -> Result<(), String> {
        let mut within = self.within.lock();
        while !within.closed && within.crates.len() >= self.room {
            self.emptied.wait(&mut within);
        }
        if within.closed {
            return Err(it);
        }
        within.crates.push_back(it);
        self.filled.notify_one();
        Ok(())
    }

    pub fn unloads(&self) -> Option<String> {
        let mut within = self.within.lock();
        loop {
            if let Some(it) = within.crates.pop_front() {
                self.emptied.notify_one();
                return Some(it);
            }
            if within.closed {
                return None;
            }
            self.filled.wait(&mut within);
        }
    }

    pub fn closes(&self) {
        self.within.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }
}
