//! Where all borrows of a `watch` channel are short, there is no order to go wrong.
//@ proved: lock-order

use std::sync::Mutex;
use tokio::sync::watch::{Receiver, Sender};

pub struct A(u32);

pub fn told(latest: &Sender<u32>, lock: &Mutex<A>) {
    let guard = lock.lock().unwrap(); //~ lock-order ordered
    let _ = latest.send(guard.0);
}

pub fn asked(latest: &Receiver<u32>) -> u32 {
    *latest.borrow()
}
