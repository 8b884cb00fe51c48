//! What the shims for lock_api and parking_lot report: behind each line stand the events that it records.
//~~ release(read) 1, release(write) 2

mod generation;

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use generation::{back, read_again, try_read_again_for};
use parking_lot::{
    Condvar, MappedMutexGuard, Mutex, MutexGuard, Once, ReentrantMutex, ReentrantMutexGuard, RwLock,
    RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard,
};

const SHORT: Duration = Duration::from_millis(5);
/// Long enough for another thread to come and wait, on a busy machine, too.
const PATIENT: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(60);

/// Long enough for another thread to have come to where it waits.
fn settle() {
    std::thread::sleep(Duration::from_millis(100));
}

fn main() {
    mutexes();
    guards();
    reader_writer_locks();
    upgrades();
    reentrant();
    signals();
    onces();
    kept_alive();
    unsafe_ways();
}

fn mutexes() {
    let lock = Mutex::new(1);
    let guard = lock.lock(); //~ acquire(write) release(write)
    assert!(lock.try_lock().is_none());
    std::thread::scope(|scope| {
        scope.spawn(|| *lock.lock() += 1); //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
        settle();
        drop(guard);
    });
    let guard = lock.try_lock().unwrap(); //~ acquire(write, try) release(write, try)
    assert!(lock.try_lock_for(SHORT).is_none()); //~ request(write, try) block(lock) unblock(lock) withdraw(write, try)
    assert!(lock.try_lock_until(Instant::now()).is_none()); //~ request(write, try) block(lock) unblock(lock) withdraw(write, try)
    std::thread::scope(|scope| {
        scope.spawn(|| drop(lock.try_lock_for(LONG).unwrap())); //~ request(write, try) block(lock) unblock(lock) acquire(write, try) release(write, try)
        settle();
        drop(guard);
    });
    drop(lock.try_lock_for(SHORT).unwrap()); //~ acquire(write, try) release(write, try)
    println!("{lock:?} {}", lock.is_locked());
    let _ = lock.into_inner();
}

fn guards() {
    let lock = Mutex::new((1, 2));
    let mut guard = lock.lock(); //~ acquire(write) release(write)
    MutexGuard::unlocked(&mut guard, || ()); //~ acquire(write) release(write)
    MutexGuard::unlocked_fair(&mut guard, || ()); //~ acquire(write) release(write)
    MutexGuard::bump(&mut guard); //~ acquire(write) release(write)
    let part = MutexGuard::map(guard, |it| &mut it.0);
    let part = MappedMutexGuard::try_map(part, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    drop(part);
    MutexGuard::unlock_fair(lock.lock()); //~ acquire(write) release(write)
    let mut guard = lock.lock(); //~ acquire(write) release(write)
    std::thread::scope(|scope| {
        MutexGuard::unlocked(&mut guard, || { //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
            let (taken, is_taken) = std::sync::mpsc::channel();
            let lock = &lock;
            scope.spawn(move || {
                let guard = lock.lock(); //~ acquire(write) release(write)
                taken.send(()).unwrap();
                settle();
                drop(guard);
            });
            is_taken.recv().unwrap();
        });
    });
}

fn reader_writer_locks() {
    let lock = RwLock::new((1, 2));
    let first = lock.read(); //~ acquire(read) release(read)
    let second = lock.try_read().unwrap(); //~ acquire(read, try) release(read, try)
    let third = read_again(&lock); //~ acquire(read) release(read)
    assert!(lock.try_write().is_none());
    assert!(lock.try_write_for(SHORT).is_none()); //~ request(write, try) block(lock) unblock(lock) withdraw(write, try)
    std::thread::scope(|scope| {
        scope.spawn(|| lock.write().0 = 2); //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
        settle();
        drop((first, second, third));
    });
    let writer = lock.write(); //~ acquire(write) release(write) acquire(read) release(read)
    std::thread::scope(|scope| {
        scope.spawn(|| lock.read().0); //~ request(read) block(lock) unblock(lock) acquire(read) release(read)
        settle();
        let mut reader = RwLockWriteGuard::downgrade(writer);
        RwLockReadGuard::bump(&mut reader); //~ acquire(read) release(read)
        RwLockReadGuard::unlocked(&mut reader, settle); //~ acquire(read) release(read)
        drop(RwLockReadGuard::map(reader, |it| &it.1));
    });
    drop(try_read_again_for(&lock, SHORT).unwrap()); //~ acquire(read, try) release(read, try)
}

fn upgrades() {
    let lock = RwLock::new(1);
    let guard = lock.upgradable_read(); //~ acquire(upgrade) release(upgrade)
    assert!(lock.try_upgradable_read().is_none());
    let reader = lock.read(); //~ acquire(read) release(read)
    let guard = RwLockUpgradableReadGuard::try_upgrade(guard).map(|_| ()).unwrap_err();
    let guard = RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT) //~ request(write, try) block(lock) unblock(lock) withdraw(write, try) acquire(upgrade, try) release(upgrade, try)
        .map(|_| ())
        .unwrap_err();
    let writer = std::thread::scope(|scope| {
        let reader = reader;
        let (go, going) = std::sync::mpsc::channel();
        let lock = &lock;
        scope.spawn(move || {
            let reader = lock.read(); //~ acquire(read) release(read)
            go.send(()).unwrap();
            settle();
            drop(reader);
        });
        going.recv().unwrap();
        drop(reader);
        RwLockUpgradableReadGuard::upgrade(guard) //~ request(write) block(lock) unblock(lock) acquire(write) release(write) acquire(upgrade) release(upgrade)
    });
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    let writer = RwLockUpgradableReadGuard::try_upgrade(guard).unwrap(); //~ acquire(write, try) release(write, try) acquire(upgrade) release(upgrade) acquire(read) release(read)
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    drop(RwLockUpgradableReadGuard::downgrade(guard));
    let mut guard = lock.upgradable_read(); //~ acquire(upgrade) release(upgrade)
    guard.with_upgraded(|it| *it += 1); //~ acquire(write) release(write) acquire(upgrade) release(upgrade)
    guard.try_with_upgraded(|it| *it += 1).unwrap(); //~ acquire(write, try) release(write, try) acquire(upgrade) release(upgrade)
}

fn reentrant() {
    let lock = ReentrantMutex::new(1);
    let mut outer = lock.lock(); //~ acquire(write) release(write)
    let inner = lock.lock();
    drop((lock.try_lock().unwrap(), lock.try_lock_for(SHORT).unwrap()));
    ReentrantMutexGuard::bump(&mut outer);
    // The lock is given back with the last guard.
    drop(outer);
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(lock.try_lock().is_none()));
    });
    drop(inner);
    let mut guard = lock.try_lock().unwrap(); //~ acquire(write, try) release(write, try)
    ReentrantMutexGuard::unlocked(&mut guard, || ()); //~ acquire(write) release(write)
    std::thread::scope(|scope| {
        scope.spawn(|| *lock.lock()); //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
        settle();
        drop(guard);
    });
}

fn signals() {
    let shared = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut ready = shared.0.lock(); //~ acquire(write) release(write)
            while !*ready {
                shared.1.wait(&mut ready); //~ signal_wait block(lock) unblock(lock) signalled acquire(write) release(write)
            }
        });
        settle();
        *shared.0.lock() = true; //~ acquire(write) release(write)
        shared.1.notify_one(); //~ notify_one
    });
    shared.1.notify_all(); //~ notify_all
    let mut guard = shared.0.lock(); //~ acquire(write) release(write)
    assert!(shared.1.wait_for(&mut guard, SHORT).timed_out()); //~ signal_wait block(lock) unblock(lock) signal_cancel acquire(write) release(write)
    shared.1.wait_while(&mut guard, |_| false);
    shared.1.wait_while_for(&mut guard, |_| true, SHORT); //~ signal_wait block(lock) unblock(lock) signal_cancel acquire(write) release(write)
}

fn onces() {
    let once = Once::new();
    std::thread::scope(|scope| {
        scope.spawn(|| once.call_once(|| std::thread::sleep(PATIENT))); //~ acquire(write) release(write)
        while once.state() == parking_lot::OnceState::New {
            std::thread::yield_now();
        }
        once.call_once(|| ()); //~ request(write) block(lock) unblock(lock) withdraw(write)
    });
    once.call_once(|| ());
}

fn kept_alive() {
    let lock = Arc::new((Mutex::new(1), Arc::new(RwLock::new(2))));
    let mutex = Arc::new(Mutex::new(1));
    let guard = mutex.lock_arc(); //~ acquire(write) release(write)
    drop(mutex);
    drop(guard);
    let writer = lock.1.write_arc(); //~ acquire(write) release(write) acquire(upgrade) release(upgrade)
    let upgradable = parking_lot::ArcRwLockWriteGuard::downgrade_to_upgradable(writer);
    drop(upgradable);
}

fn unsafe_ways() {
    let lock = Mutex::new(1);
    mem::forget(lock.lock()); //~ acquire(write)
    // SAFETY: the guard was forgotten.
    unsafe { back!(lock, force_unlock) };
    mem::forget(lock.lock()); //~ acquire(write)
    // SAFETY: the guard was forgotten.
    drop(unsafe { back!(lock, make_guard_unchecked) });
    let table = RwLock::new(1);
    mem::forget(table.read()); //~ acquire(read)
    // SAFETY: the guard was forgotten.
    unsafe { back!(table, force_unlock_read) };
}
