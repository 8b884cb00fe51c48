//! A lock-order inversion that nobody comes to before there is enough to look at.

use std::sync::Mutex;

#[derive(Default)]
pub struct Depot {
    gate: Mutex<u32>,
    crates: Mutex<Vec<u32>>,
}

impl Depot {
    pub fn deliver(&self, weight: u32) {
        let mut passed = self.gate.lock().unwrap(); // deliver: gate
        self.crates.lock().unwrap().push(weight); // deliver: crates
        *passed += 1;
    }

    pub fn inspect(&self) -> u32 {
        let crates = self.crates.lock().unwrap(); // inspect: crates
        if crates.len() < 3 {
            return 0;
        }
        *self.gate.lock().unwrap() // inspect: gate
    }
}
