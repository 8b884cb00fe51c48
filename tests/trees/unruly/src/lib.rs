//! What is hard to explore.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that somebody turns on.
#[derive(Default)]
pub struct Lamp {
    is_on: AtomicBool,
    turns: Mutex<Vec<u32>>,
}

impl Lamp {
    /// Turns it on.
    pub fn turn_on(&self) {
        self.is_on.store(true, Ordering::SeqCst);
    }

    /// Waits for it without sleeping.
    pub fn spins(&self) {
        while !self.is_on.load(Ordering::SeqCst) {
            std::hint::spin_loop();
        }
    }

    /// One comes by.
    pub fn comes(&self, who: u32) {
        self.turns.lock().unwrap().push(who);
    }

    /// One goes away.
    pub fn leaves(&self, who: u32) {
        self.turns.lock().unwrap().retain(|it| *it != who);
    }

    /// Ends the process if the second one came first.
    pub fn dies_unless_in_order(&self) {
        if self.turns.lock().unwrap().first() == Some(&2) {
            std::process::abort(); // dies
        }
    }

    /// Goes round forever if the second one came first.
    pub fn ends_if_in_order(&self) {
        while self.turns.lock().unwrap().first() == Some(&2) {}
    }
}
