//! Tests that print what a harness prints, end as they should not, and leave others behind.

use std::io::{Write, stdout};
use std::sync::Mutex;

/// How many have come.
#[derive(Default)]
pub struct Gate(Mutex<u32>);

impl Gate {
    /// One more comes.
    pub fn enter(&self) -> u32 {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        *count
    }
}

/// Prints where nothing is kept back, as a child that inherits standard output does.
pub fn shout(text: &str) {
    stdout().write_all(text.as_bytes()).unwrap();
    stdout().flush().unwrap();
}
