//! A thread selects from channels into which nobody sends, since the sender waits for it to end.

use std::thread;

use crossbeam_channel::{bounded, select};

fn main() {
    let (one, ones) = bounded(0);
    let (other, others) = bounded(1);
    let waits = thread::spawn(move || {
        select! {
            recv(ones) -> it => it.unwrap(),
            recv(others) -> it => it.unwrap(),
        }
    });
    waits.join().unwrap();
    one.send(1).unwrap();
    other.send(2).unwrap();
}
