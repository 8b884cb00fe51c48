//! A sender and a receiver of different channels, each of which waits for the other.

use std::sync::mpsc;
use std::thread;

fn main() {
    let (one, receives_one) = mpsc::sync_channel(0);
    let (other, receives_other) = mpsc::sync_channel(0);
    let waits = thread::spawn(move || {
        one.send(1).unwrap();
        receives_other.recv().unwrap()
    });
    other.send(2).unwrap();
    receives_one.recv().unwrap();
    waits.join().unwrap();
}
