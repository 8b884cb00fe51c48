//! Locks that are taken by who holds them.

use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

const LATER: Duration = Duration::from_millis(30);

fn twice(rows: &RwLock<Vec<u32>>) -> usize {
    let held = rows.read().unwrap();
    held.len() + rows.read().unwrap().len() //~ error double-lock
}

/// Somebody reads twice, and somebody else writes.
pub fn read_while_reading() {
    let rows = Arc::new(RwLock::new(vec![1]));
    let other = rows.clone();
    let reader = thread::spawn(move || twice(&other));
    let writer = thread::spawn(move || {
        thread::sleep(LATER);
        rows.write().unwrap().push(2);
    });
    let _ = (reader.join(), writer.join());
}

fn twice_alone(rows: &RwLock<Vec<u32>>) -> usize {
    let held = rows.read().unwrap();
    held.len() + rows.read().unwrap().len() //~ note double-lock
}

/// Somebody reads twice, and nobody writes meanwhile.
pub fn read_without_a_writer() {
    let rows = Arc::new(RwLock::new(vec![1]));
    rows.write().unwrap().push(2);
    let other = rows.clone();
    let _ = thread::spawn(move || twice_alone(&other)).join();
    rows.write().unwrap().push(3);
}

/// Two locks that come from one place.
pub fn two_of_a_kind() {
    let rows: Arc<[RwLock<Vec<u32>>; 2]> = Arc::default();
    let other = rows.clone();
    let reader = thread::spawn(move || {
        let held = other[0].read().unwrap();
        held.len() + other[1].read().unwrap().len()
    });
    let writer = thread::spawn(move || {
        thread::sleep(LATER);
        rows[0].write().unwrap().push(2);
    });
    let _ = (reader.join(), writer.join());
}

/// A thread takes a re-entrant lock again, and another one does so later.
pub fn again_where_that_is_fine() {
    let lock = Arc::new(parking_lot::ReentrantMutex::new(1));
    let other = lock.clone();
    let first = thread::spawn(move || {
        let held = other.lock();
        *held + *other.lock()
    });
    let last = thread::spawn(move || {
        thread::sleep(LATER);
        let held = lock.lock();
        *held + *lock.lock()
    });
    let _ = (first.join(), last.join());
}

/// Somebody reads twice, and the second time does not wait behind those who want to write.
pub fn read_past_a_writer() {
    let rows = Arc::new(parking_lot::RwLock::new(vec![1]));
    let other = rows.clone();
    let reader = thread::spawn(move || {
        let held = other.read();
        held.len() + other.read_recursive().len()
    });
    let writer = thread::spawn(move || {
        thread::sleep(LATER);
        rows.write().push(2);
    });
    let _ = (reader.join(), writer.join());
}
