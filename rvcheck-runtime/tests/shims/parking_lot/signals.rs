//! Everything that `Condvar` and `Once` of parking_lot can do.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, Once, OnceState};

static READY: Condvar = Condvar::new();
static START: Once = Once::new();

const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_secs(60);

fn main() {
    std::panic::set_hook(Box::new(|info| {
        // Where the real crate panics is its own affair.
        println!("{}", info.payload().downcast_ref::<&str>().unwrap_or(&""));
    }));
    waiting();
    many_waiters();
    two_mutexes();
    onces();
}

fn waiting() {
    let pair = Arc::new((Mutex::new(false), Condvar::default()));
    println!("{:?} {} {}", pair.1, pair.1.notify_one(), READY.notify_all());
    let setting = thread::spawn({
        let pair = pair.clone();
        move || {
            let mut ready = pair.0.lock();
            *ready = true;
            pair.1.notify_one()
        }
    });
    let mut guard = pair.0.lock();
    while !*guard {
        pair.1.wait(&mut guard);
    }
    println!("{guard}");
    drop(guard);
    setting.join().unwrap();
    let mut guard = pair.0.lock();
    println!("{:?}", pair.1.wait_for(&mut guard, SHORT));
    println!("{:?}", pair.1.wait_until(&mut guard, Instant::now() + SHORT).timed_out());
    println!("{} {}", guard, pair.0.is_locked());
    #[cfg(any(rv_parking_lot_0_13, rv_parking_lot_0_12_1))]
    {
        let mut turns = 0;
        pair.1.wait_while(&mut guard, |ready| !*ready);
        println!("{:?}", pair.1.wait_while_for(&mut guard, |_| true, SHORT));
        println!("{:?}", pair.1.wait_while_for(&mut guard, |_| false, Duration::MAX));
        println!("{:?}", pair.1.wait_while_until(&mut guard, |_| false, Instant::now()));
        let result = pair.1.wait_while_until(
            &mut guard,
            |_| {
                turns += 1;
                true
            },
            Instant::now() + SHORT,
        );
        println!("{result:?} {turns}");
    }
    drop(guard);
    let unsized_lock: &Mutex<[u8]> = &Mutex::new([1]);
    println!("{:?}", READY.wait_for(&mut unsized_lock.lock(), SHORT));
}

fn many_waiters() {
    let shared = Arc::new((Mutex::new(0), Condvar::new(), Condvar::new()));
    let waiters: Vec<_> = (0..3)
        .map(|_| {
            let shared = shared.clone();
            thread::spawn(move || {
                let mut count = shared.0.lock();
                *count += 1;
                shared.1.notify_one();
                let result = shared.2.wait_for(&mut count, LONG);
                *count -= 1;
                result.timed_out()
            })
        })
        .collect();
    let mut count = shared.0.lock();
    while *count < 3 {
        shared.1.wait(&mut count);
    }
    println!("{}", shared.2.notify_all());
    drop(count);
    for waiter in waiters {
        println!("{}", waiter.join().unwrap());
    }
    println!("{:?}", shared.0);
}

/// The real crate refuses a second mutex while somebody waits with the first.
fn two_mutexes() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let waiter = thread::spawn({
        let shared = shared.clone();
        move || {
            let mut ready = shared.0.lock();
            *ready = true;
            while *ready {
                shared.1.wait(&mut ready);
            }
        }
    });
    while !*shared.0.lock() {
        thread::yield_now();
    }
    let other = Mutex::new(());
    let caught = catch_unwind(AssertUnwindSafe(|| shared.1.wait(&mut other.lock())));
    println!("{} {other:?}", caught.is_err());
    *shared.0.lock() = false;
    shared.1.notify_all();
    waiter.join().unwrap();
}

fn onces() {
    START.call_once(|| println!("first"));
    START.call_once(|| println!("second"));
    println!("{:?} {START:?} {}", START.state(), START.state().done());
    let once = Arc::new(Once::default());
    println!("{:?} {once:?}", once.state());
    println!("{}", catch_unwind(AssertUnwindSafe(|| once.call_once(|| panic!("planned")))).is_err());
    println!("{:?} {}", once.state(), once.state().poisoned());
    println!("{}", catch_unwind(AssertUnwindSafe(|| once.call_once(|| ()))).is_err());
    let (inside, began) = std::sync::mpsc::channel();
    let (looked, go_on) = std::sync::mpsc::channel();
    let running = thread::spawn({
        let once = once.clone();
        move || {
            once.call_once_force(|state| {
                inside.send(state).unwrap();
                go_on.recv().unwrap();
                thread::sleep(SHORT);
            })
        }
    });
    println!("{:?} {:?}", began.recv().unwrap(), once.state());
    looked.send(()).unwrap();
    once.call_once(|| unreachable!());
    println!("{}", once.state() == OnceState::Done);
    once.call_once_force(|_| unreachable!());
    running.join().unwrap();
}
