//! What fills a cell waits for who is about to fill it.

use std::sync::{Mutex, OnceLock};

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);

static CELL: OnceLock<u32> = OnceLock::new();

pub fn filled(lock: &Mutex<A>) -> bool {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    CELL.set(guard.0).is_ok()
}

pub fn looked_at(lock: &Mutex<B>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    CELL.get().copied().unwrap_or(guard.0)
}

/// Nobody else fills a cell of one thread.
pub fn of_one_thread(lock: &Mutex<C>, cell: &std::cell::OnceCell<u32>) -> bool {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    cell.set(guard.0).is_ok()
}
