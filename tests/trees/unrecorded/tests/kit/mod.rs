//! What tests of both kinds do.

use std::thread;
use std::time::Duration;

/// How late somebody comes.
pub fn late() {
    thread::sleep(Duration::from_millis(20));
}

/// Runs the second one when the first should be over.
pub fn both(first: impl FnOnce() + Send + 'static, second: impl FnOnce() + Send + 'static) {
    let first = thread::spawn(first);
    let second = thread::spawn(move || {
        late();
        second();
    });
    first.join().unwrap();
    second.join().unwrap();
}
