//! A cellar that lets go of the lock of its barrels before it takes that of its bottles.

use std::sync::Mutex;

#[derive(Default)]
pub struct Cellar {
    barrels: Mutex<u32>,
    bottles: Mutex<u32>,
}

impl Cellar {
    pub fn fill(&self) {
        let barrels = self.barrels.lock().unwrap();
        *self.bottles.lock().unwrap() += *barrels;
    }
}
