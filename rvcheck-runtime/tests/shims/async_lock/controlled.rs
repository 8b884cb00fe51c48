//! Threads that wait for each other in every way that async-lock has.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::Duration;

use async_lock::{Barrier, Mutex, OnceCell, RwLock, RwLockUpgradableReadGuard, RwLockWriteGuard, Semaphore};

const SHORT: Duration = Duration::from_millis(50);

fn main() {
    mutexes();
    reader_writer_locks();
    semaphores();
    barriers();
    cells();
    println!("done");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// An executor of the program's own.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

fn several(count: usize, f: impl Fn(usize) + Clone + Send + 'static) {
    let spawn = |number| {
        let f = f.clone();
        thread::spawn(move || f(number))
    };
    let threads: Vec<_> = (0..count).map(spawn).collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
}

fn mutexes() {
    let lock = Arc::new(Mutex::new(0));
    several(3, {
        let lock = lock.clone();
        move |number| {
            if number == 0 {
                *block_on(lock.lock()) += 1;
                *block_on(lock.lock_arc()) += 1;
            } else {
                let mut guard = lock.lock_blocking();
                thread::sleep(SHORT);
                *guard += 1;
                drop(guard);
                *lock.lock_arc_blocking() += 1;
            }
            while lock.try_lock().is_none() {
                thread::yield_now();
            }
        }
    });
    assert_eq!(*lock.lock_blocking(), 6);
}

fn reader_writer_locks() {
    let lock = Arc::new(RwLock::new(0));
    several(4, {
        let lock = lock.clone();
        move |number| match number {
            0 => *block_on(lock.write()) += 1,
            1 => {
                let mut guard = lock.write_blocking();
                thread::yield_now();
                *guard += 1;
                let guard = RwLockWriteGuard::downgrade(guard);
                assert!(*guard > 0);
            }
            2 => {
                let guard = lock.upgradable_read_blocking();
                thread::yield_now();
                *RwLockUpgradableReadGuard::upgrade_blocking(guard) += 1;
            }
            _ => {
                let one = *lock.read_blocking();
                let other = *block_on(lock.read());
                assert!(one <= other);
                let guard = block_on(lock.upgradable_read());
                *block_on(RwLockUpgradableReadGuard::upgrade(guard)) += 1;
            }
        }
    });
    assert_eq!(*lock.read_blocking(), 4);
}

fn semaphores() {
    let limit = Arc::new(Semaphore::new(1));
    several(3, {
        let limit = limit.clone();
        move |number| {
            if number == 0 {
                drop(block_on(limit.acquire()));
                limit.add_permits(1);
            } else {
                let _permit = limit.acquire_blocking();
                thread::sleep(SHORT);
            }
            while limit.try_acquire().is_none() {
                thread::yield_now();
            }
        }
    });
}

fn barriers() {
    let all = Arc::new((Barrier::new(3), AtomicUsize::new(0)));
    several(3, {
        let all = all.clone();
        move |number| {
            for _ in 0..2 {
                let result = if number == 0 { block_on(all.0.wait()) } else { all.0.wait_blocking() };
                all.1.fetch_add(usize::from(result.is_leader()), Ordering::SeqCst);
            }
        }
    });
    assert_eq!(all.1.load(Ordering::SeqCst), 2);
}

fn cells() {
    let cell = Arc::new(OnceCell::new());
    let waits = thread::spawn({
        let cell = cell.clone();
        move || (*cell.wait_blocking(), *block_on(cell.wait()))
    });
    several(3, {
        let cell = cell.clone();
        move |number| {
            if number == 0 {
                block_on(cell.get_or_init(|| async { number }));
            } else {
                cell.get_or_init_blocking(|| {
                    thread::sleep(SHORT);
                    number
                });
            }
        }
    });
    let value = *cell.get().unwrap();
    assert_eq!(waits.join().unwrap(), (value, value));
    assert!(cell.set_blocking(9).is_err());
}
