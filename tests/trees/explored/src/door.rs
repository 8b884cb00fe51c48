//! A door at which people wait with their threads parked until it is open.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};

#[derive(Default)]
pub struct Door {
    is_open: AtomicBool,
    waits: Mutex<Option<Thread>>,
}

impl Door {
    /// Goes through, and says that somebody waits when that is not seen any more.
    pub fn pass(&self) {
        if !self.is_open.load(Ordering::SeqCst) {
            *self.waits.lock().unwrap() = Some(thread::current());
            thread::park(); // parks
        }
    }

    /// The same with another look.
    pub fn pass_carefully(&self) {
        *self.waits.lock().unwrap() = Some(thread::current());
        while !self.is_open.load(Ordering::SeqCst) {
            thread::park();
        }
    }

    /// Opens it, and lets the one go on who waits.
    pub fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
        if let Some(waits) = self.waits.lock().unwrap().take() {
            waits.unpark();
        }
    }
}
