//! Two threads take two locks in opposite orders.

use std::sync::{Arc, Barrier};
use std::thread;

use parking_lot::{Mutex, RwLock};

fn main() {
    let all = Arc::new((Mutex::new(0), RwLock::new(0), Barrier::new(2)));
    let waits = thread::spawn({
        let all = all.clone();
        move || {
            let _one = all.0.lock();
            all.2.wait();
            let _other = all.1.write();
        }
    });
    let other = all.1.read();
    all.2.wait();
    let _one = all.0.lock();
    drop(other);
    waits.join().unwrap();
}
