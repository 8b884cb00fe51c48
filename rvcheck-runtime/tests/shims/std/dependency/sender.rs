//! Sends, as a dependency.

use std::sync::mpsc::Sender;

pub fn send_two(sender: &Sender<u8>) {
    sender.send(1).unwrap();
    sender.send(2).unwrap();
}
