//! What the shim of `once_cell` reports: behind each line stand the events that it records there, in the order of the trace.
//!
//! The events that have no place follow, with their counts.
//~~ 

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use once_cell::sync::{Lazy, OnceCell};

static SHARED: Lazy<u8> = Lazy::new(|| 7);

/// Long enough for another thread to have come to where it waits.
fn settle() {
    thread::sleep(Duration::from_millis(100));
}

fn main() {
    let cell = OnceCell::new();
    let begun = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            cell.get_or_init(|| { //~ acquire(write) release(write)
                begun.store(true, Ordering::Release);
                settle();
                1
            });
        });
        while !begun.load(Ordering::Acquire) {
            thread::yield_now();
        }
        cell.get_or_init(|| 2); //~ request(write) block(lock) unblock(lock) withdraw(write)
    });
    assert_eq!(cell.get(), Some(&1));
    assert!(cell.set(3).is_err());
    let cell = OnceCell::new();
    thread::scope(|scope| {
        scope.spawn(|| cell.wait()); //~ block(lock) unblock(lock)
        settle();
        cell.set(4).unwrap(); //~ acquire(write) release(write)
    });
    let cell = OnceCell::new();
    cell.get_or_try_init(|| Err::<u8, u8>(5)).unwrap_err(); //~ acquire(write) release(write)
    cell.get_or_try_init(|| Ok::<u8, u8>(6)).unwrap(); //~ acquire(write) release(write)
    assert_eq!(*SHARED + *SHARED, 14); //~ acquire(write) release(write)
}
