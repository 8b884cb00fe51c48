//! What is recorded of atomics. The markers stand where the rewriter would put them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::thread;

static FLAG: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn main() {
    // Before that the thread has recorded nothing, and its stores order nobody.
    COUNT.__rv_atomic::<1>().store(5, Ordering::Relaxed);
    drop(Mutex::new(0).lock());
    for _ in 0..3 {
        // The first one is recorded.
        FLAG.__rv_atomic::<2>().store(true, Ordering::Release);
    }
    // What the task has stored itself is not.
    println!("{}", FLAG.__rv_asked::<3>().load(Ordering::Acquire));
    let thread = thread::spawn(|| {
        for _ in 0..3 {
            // The first one is recorded.
            println!("{}", FLAG.__rv_asked::<4>().load(Ordering::Acquire));
        }
        println!("{}", COUNT.__rv_atomic::<5>().fetch_add(1, Ordering::Relaxed));
        FLAG.__rv_atomic::<6>().store(false, Ordering::Release);
    });
    thread.join().unwrap();
    // A number alone may decide nothing.
    println!("{}", COUNT.__rv_atomic::<7>().load(Ordering::Relaxed));
    println!("{}", COUNT.__rv_asked::<8>().load(Ordering::Relaxed) > 3);
    println!("{}", COUNT.__rv_asked::<9>().fetch_update(Ordering::AcqRel, Ordering::Relaxed, |it| it.checked_sub(9)).is_err());
    let failed = FLAG.__rv_asked::<10>().compare_exchange(true, false, Ordering::AcqRel, Ordering::Acquire);
    let done = FLAG.__rv_asked::<11>().compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire);
    println!("{failed:?} {done:?} {}", FLAG.__rv_asked::<12>().swap(false, Ordering::AcqRel));
    let mut number = 3;
    let pointer = AtomicPtr::new(&raw mut number);
    println!("{}", pointer.__rv_asked::<13>().swap(core::ptr::null_mut(), Ordering::AcqRel).is_null());
    println!("{}", pointer.__rv_asked::<14>().load(Ordering::Acquire).is_null());
}
