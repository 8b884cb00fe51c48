//! Used by a program, by its build script, and by a procedural macro.

use std::sync::Mutex;

static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes a call; returns how many there were in this process.
pub fn note(from: &str) -> usize {
    let mut calls = CALLS.lock().unwrap();
    calls.push(from.to_owned());
    calls.len()
}

/// Whether the locks of this build are those of the standard library.
pub fn is_plain() -> bool {
    core::any::type_name::<Mutex<()>>().starts_with("std::")
}
