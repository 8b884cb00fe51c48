//! Threads that take two locks, one inside the other. The locks are made while the program runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A lock.
pub type Lock = Arc<Mutex<usize>>;

/// So many new locks.
pub fn locks(count: usize) -> Vec<Lock> {
    (0..count).map(|number| Arc::new(Mutex::new(number))).collect()
}

/// A thread takes the second lock while it has the first one, all of it under the gate if there is one.
pub fn nested(gate: Option<&Lock>, first: &Lock, second: &Lock) {
    let (gate, first, second) = (gate.cloned(), Arc::clone(first), Arc::clone(second));
    let thread = thread::spawn(move || {
        let _gate = gate.as_ref().map(|it| it.lock().unwrap_or_else(PoisonError::into_inner));
        let mut outer = first.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = second.lock().unwrap_or_else(PoisonError::into_inner);
        *outer += *inner;
    });
    assert!(thread.join().is_ok(), "the thread ends");
}
