//! What is dropped under a lock is of a type that somebody else chooses.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Mutex;

/// Others implement it, and may keep a handle to the desk in what they implement it for.
pub trait Plugin {
    fn name(&self) -> String;
}

#[derive(Default)]
pub struct Desk {
    plugins: Mutex<HashMap<u32, Box<dyn Plugin>>>,
}

impl Desk {
    pub fn remove(&self, number: u32) {
        let mut plugins = self.plugins.lock().unwrap();
        plugins.remove(&number); //~ double-lock note
    }

    pub fn clear(&self) {
        self.plugins.lock().unwrap().clear(); //~ double-lock note
    }

    pub fn count(&self) -> usize {
        self.plugins.lock().unwrap().len()
    }
}

/// Hardly anybody keeps a handle to a shelf in what lies on it.
pub struct Shelf<T> {
    things: Mutex<Vec<T>>,
}

impl<T> Shelf<T> {
    pub fn replace(&self, at: usize, thing: T) {
        let mut things = self.things.lock().unwrap();
        things[at] = thing;
    }

    pub fn clear(&self) {
        self.things.lock().unwrap().clear();
    }

    pub fn count(&self) -> usize {
        self.things.lock().unwrap().len()
    }
}

/// Numbers have no `Drop`, and the hasher stays where it is.
pub struct Costs<S> {
    costs: Mutex<HashMap<u64, i64, S>>,
    seen: Mutex<HashSet<u64, S>>,
}

impl<S: BuildHasher> Costs<S> {
    pub fn clear(&self) {
        self.costs.lock().unwrap().clear();
        self.seen.lock().unwrap().clear();
    }

    pub fn cost(&self, of: u64) -> Option<i64> {
        self.costs.lock().unwrap().get(&of).copied()
    }

    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}
