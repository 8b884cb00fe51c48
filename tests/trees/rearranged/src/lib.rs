//! A ledger that is opened, written to and closed, by tasks and by threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
pub struct Ledger {
    lines: Mutex<Vec<u32>>,
    closed: AtomicUsize,
}

impl Ledger {
    pub fn open(&self) {
        self.lines.lock().unwrap().clear();
    }

    pub fn write(&self, line: u32) {
        self.lines.lock().unwrap().push(line);
    }

    pub fn close(&self) -> usize {
        self.closed.fetch_add(1, Ordering::SeqCst)
    }

    pub fn len(&self) -> usize {
        self.lines.lock().unwrap().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
