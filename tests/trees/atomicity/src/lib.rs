//! Lockers that are handed out in several ways.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// The lockers of a station, by guest.
#[derive(Default)]
pub struct Lockers {
    by_guest: Mutex<BTreeMap<String, u32>>,
    last: Mutex<u32>,
}

impl Lockers {
    fn find(&self, guest: &str) -> Option<u32> {
        self.by_guest.lock().unwrap().get(guest).copied()
    }

    fn next(&self) -> u32 {
        let mut last = self.last.lock().unwrap();
        *last += 1;
        *last
    }

    /// The locker of a guest: the same one whenever it is asked for, but for two who ask at once.
    pub fn of(&self, guest: &str) -> u32 {
        if let Some(known) = self.find(guest) {
            return known;
        }
        let locker = self.next();
        self.by_guest.lock().unwrap().insert(guest.to_owned(), locker);
        locker
    }

    /// The same, and looks again before it acts.
    pub fn of_with_care(&self, guest: &str) -> u32 {
        if let Some(known) = self.find(guest) {
            return known;
        }
        let locker = self.next();
        *self.by_guest.lock().unwrap().entry(guest.to_owned()).or_insert(locker)
    }
}
