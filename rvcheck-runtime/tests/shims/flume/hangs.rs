//! A thread sends into a full channel whose receiver waits for it to end.

use std::thread;

fn main() {
    let (sender, receiver) = flume::bounded(1);
    let sends = thread::spawn(move || {
        sender.send(1).unwrap();
        sender.send(2).unwrap();
    });
    sends.join().unwrap();
    receiver.recv().unwrap();
}
