//! Two threads drive futures that take two locks in opposite orders.

use std::sync::{Arc, Barrier};
use std::thread;

use futures_executor::block_on;
use futures_util::lock::Mutex;

fn main() {
    let all = Arc::new((Mutex::new(0), Mutex::new(0), Barrier::new(2)));
    let waits = thread::spawn({
        let all = all.clone();
        move || {
            block_on(async {
                let _one = all.0.lock().await;
                all.2.wait();
                let _other = all.1.lock().await;
            })
        }
    });
    block_on(async {
        let _other = all.1.lock().await;
        all.2.wait();
        let _one = all.0.lock().await;
    });
    waits.join().unwrap();
}
