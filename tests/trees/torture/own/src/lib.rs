//! Tests itself without a harness.

use std::sync::Mutex;

/// What was said.
pub static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says it.
pub fn say(text: &str) {
    SAID.lock().unwrap().push(text.to_owned());
}
