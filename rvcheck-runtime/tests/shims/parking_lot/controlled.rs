//! Threads that wait for each other in every way that parking_lot has.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{
    Condvar, FairMutex, Mutex, MutexGuard, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    mutexes();
    reader_writer_locks();
    upgrades();
    in_time();
    signals();
    onces();
    println!("done");
}

fn several<T: Send + 'static>(count: usize, f: impl Fn(usize) -> T + Clone + Send + 'static) -> Vec<T> {
    let spawn = |number| {
        let f = f.clone();
        thread::spawn(move || f(number))
    };
    let threads: Vec<_> = (0..count).map(spawn).collect();
    threads.into_iter().map(|it| it.join().unwrap()).collect()
}

fn mutexes() {
    let all = Arc::new((Mutex::new(0), FairMutex::new(0), ReentrantMutex::new(std::cell::Cell::new(0))));
    several(3, {
        let all = all.clone();
        move |_| {
            let mut one = all.0.lock();
            let mut other = all.1.lock();
            (*one, *other) = (*one + 1, *other + 1);
            parking_lot::FairMutexGuard::unlocked(&mut other, thread::yield_now);
            drop(other);
            MutexGuard::bump(&mut one);
            MutexGuard::unlock_fair(one);
            let outer = all.2.lock();
            let inner = all.2.lock();
            inner.set(outer.get() + 1);
            drop((outer, inner));
            while all.0.try_lock().is_none() {
                thread::yield_now();
            }
        }
    });
    assert_eq!((*all.0.lock(), *all.1.lock(), all.2.lock().get()), (3, 3, 3));
}

fn reader_writer_locks() {
    let lock = Arc::new(RwLock::new(0));
    let seen = several(4, {
        let lock = lock.clone();
        move |number| {
            if number % 2 == 0 {
                let mut guard = lock.write();
                *guard += 1;
                thread::yield_now();
                let guard = RwLockWriteGuard::downgrade(guard);
                thread::yield_now();
                *guard
            } else {
                let (one, other) = (*lock.read(), *lock.upgradable_read());
                one + other
            }
        }
    });
    assert_eq!((*lock.read(), seen.len()), (2, 4));
}

fn upgrades() {
    let lock = Arc::new(RwLock::new(0));
    several(3, {
        let lock = lock.clone();
        move |number| {
            let mut guard = lock.upgradable_read();
            if number == 0 {
                let _reader = lock.read();
                assert!(RwLockUpgradableReadGuard::try_with_upgraded_for(&mut guard, SHORT, |_| ()).is_none());
            }
            RwLockUpgradableReadGuard::with_upgraded(&mut guard, |it| *it += 1);
            let guard = match RwLockUpgradableReadGuard::try_upgrade(guard) {
                Ok(writer) => RwLockWriteGuard::downgrade_to_upgradable(writer),
                Err(guard) => guard,
            };
            *RwLockUpgradableReadGuard::upgrade(guard) += 1;
        }
    });
    assert_eq!(*lock.read(), 6);
    let reader = lock.read();
    let upgrades = thread::spawn({
        let lock = lock.clone();
        move || {
            let guard = lock.upgradable_read();
            let guard = RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).unwrap_err();
            let until = Instant::now() + SHORT;
            drop(RwLockUpgradableReadGuard::try_upgrade_until(guard, until).unwrap_err());
        }
    });
    upgrades.join().unwrap();
    drop(reader);
}

fn in_time() {
    let locks = Arc::new((Mutex::new(0), RwLock::new(0)));
    let (guard, writer) = (locks.0.lock(), locks.1.write());
    let began = Instant::now();
    let tries = thread::spawn({
        let locks = locks.clone();
        move || {
            assert!(locks.0.try_lock_for(SHORT).is_none() && locks.0.try_lock_until(Instant::now() + SHORT).is_none());
            assert!(locks.1.try_read_for(SHORT).is_none() && locks.1.try_write_for(SHORT).is_none());
            assert!(locks.1.try_upgradable_read_for(SHORT).is_none());
            assert!(began.elapsed() >= SHORT * 5);
        }
    });
    tries.join().unwrap();
    let tries = thread::spawn({
        let locks = locks.clone();
        move || locks.0.try_lock_for(LONG).is_some() && locks.1.try_write_until(Instant::now() + LONG).is_some()
    });
    thread::sleep(SHORT);
    drop((guard, writer));
    assert!(tries.join().unwrap());
}

fn signals() {
    let pair = Arc::new((Mutex::new(0), Condvar::new(), Condvar::new()));
    assert!(!pair.1.notify_one() && pair.1.notify_all() == 0);
    let waits: Vec<_> = (0..3)
        .map(|_| {
            let pair = pair.clone();
            thread::spawn(move || {
                let mut guard = pair.0.lock();
                *guard += 1;
                pair.2.notify_one();
                pair.1.wait(&mut guard);
                *guard -= 1;
            })
        })
        .collect();
    let mut guard = pair.0.lock();
    pair.2.wait_while(&mut guard, |it| *it < 3);
    assert!(catch_unwind(AssertUnwindSafe(|| pair.1.wait(&mut Mutex::new(0).lock()))).is_err());
    assert!(pair.1.notify_one());
    assert_eq!((pair.1.notify_all(), pair.1.notify_one()), (2, false));
    assert!(pair.2.wait_for(&mut guard, SHORT).timed_out());
    assert!(pair.2.wait_until(&mut guard, Instant::now() + SHORT).timed_out());
    assert!(pair.2.wait_while_for(&mut guard, |_| true, SHORT).timed_out());
    drop(guard);
    waits.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(*pair.0.lock(), 0);
    let signals = thread::spawn({
        let pair = pair.clone();
        move || {
            *pair.0.lock() = 1;
            pair.1.notify_all();
        }
    });
    let mut guard = pair.0.lock();
    assert!(!pair.1.wait_while_for(&mut guard, |it| *it == 0, LONG).timed_out());
    drop(guard);
    signals.join().unwrap();
}

fn onces() {
    let once = Arc::new(Once::new());
    several(3, {
        let once = once.clone();
        move |_| {
            once.call_once(|| thread::sleep(SHORT));
            #[cfg(rv_parking_lot_0_13)]
            once.wait();
        }
    });
    let once = Arc::new(Once::new());
    let fails = thread::spawn({
        let once = once.clone();
        move || once.call_once(|| panic!("planned"))
    });
    #[cfg(rv_parking_lot_0_13)]
    {
        let waits = thread::spawn({
            let once = once.clone();
            move || once.wait()
        });
        assert!(waits.join().is_err());
    }
    assert!(fails.join().is_err());
    once.call_once_force(|state| assert!(state.poisoned()));
}
