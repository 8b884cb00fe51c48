//! A desk where people wait until they are called.

use std::sync::{Condvar, Mutex};

/// How many were called, and who wants to know.
#[derive(Default)]
pub struct Desk {
    called: Mutex<u32>,
    bell: Condvar,
}

impl Desk {
    /// Waits until somebody is called, and takes that for granted when the bell rings: documentation does not.
    pub fn wait_once(&self) -> u32 {
        let mut called = self.called.lock().unwrap();
        if *called == 0 {
            called = self.bell.wait(called).unwrap();
        }
        called.checked_sub(1).expect("somebody was called") // panics
    }

    /// Waits until so many were called.
    pub fn wait_for(&self, number: u32) {
        let mut called = self.called.lock().unwrap();
        while *called < number {
            called = self.bell.wait(called).unwrap(); // waits
        }
    }

    /// Calls one more. One of those who wait hears it: perhaps not the one whose turn it is.
    pub fn call(&self) {
        *self.called.lock().unwrap() += 1;
        self.bell.notify_one();
    }
}
