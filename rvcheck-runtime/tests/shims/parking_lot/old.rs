//! What locks of parking_lot 0.10 can do, which stand upon lock_api 0.3.

use std::cell::Cell;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{
    const_mutex, Condvar, FairMutex, MappedMutexGuard, Mutex, MutexGuard, Once, ReentrantMutex,
    ReentrantMutexGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard,
};

const SHORT: Duration = Duration::from_millis(5);

static GLOBAL: Mutex<u32> = const_mutex(7);

fn main() {
    mutexes();
    reader_writer_locks();
    reentrant();
    signals();
    contended();
}

fn mutexes() {
    *GLOBAL.lock() += 1;
    let mut lock = Mutex::new((1, "two"));
    lock.get_mut().0 = 3;
    let mut guard = lock.lock();
    println!("{GLOBAL:?} {lock:?} {} {:?}", lock.try_lock().is_none(), lock.try_lock_for(SHORT).is_none());
    MutexGuard::unlocked(&mut guard, || println!("{lock:?}"));
    MutexGuard::unlocked_fair(&mut guard, || lock.lock().0 += 1);
    MutexGuard::bump(&mut guard);
    let part = MutexGuard::map(guard, |it| &mut it.0);
    let part = MappedMutexGuard::try_map(part, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    println!("{part} {lock:?}");
    MappedMutexGuard::unlock_fair(part);
    MutexGuard::unlock_fair(lock.lock());
    std::mem::forget(lock.lock());
    // SAFETY: the guard was forgotten.
    unsafe { lock.force_unlock() };
    println!("{:?} {:?}", FairMutex::new(1).lock(), lock.try_lock_until(Instant::now() + SHORT));
    println!("{:?}", lock.into_inner());
}

fn reader_writer_locks() {
    let lock = RwLock::new(1);
    let (first, second) = (lock.read(), lock.read_recursive());
    println!("{first} {second} {lock:?} {}", lock.try_write_for(SHORT).is_none());
    drop((first, second));
    let writer = lock.write();
    println!("{writer} {lock:?}");
    let mut reader = RwLockWriteGuard::downgrade(writer);
    RwLockReadGuard::unlocked(&mut reader, || *lock.write() += 1);
    RwLockReadGuard::bump(&mut reader);
    println!("{}", RwLockReadGuard::map(reader, |it| it));
    let guard = lock.upgradable_read();
    let reader = lock.read();
    let guard = RwLockUpgradableReadGuard::try_upgrade(guard).map(|_| ()).unwrap_err();
    let guard = RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).map(|_| ()).unwrap_err();
    drop(reader);
    let mut writer = RwLockUpgradableReadGuard::upgrade(guard);
    *writer += 1;
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    println!("{} {lock:?}", RwLockUpgradableReadGuard::downgrade(guard));
}

fn reentrant() {
    let lock = ReentrantMutex::new(Cell::new(1));
    let is_free = || thread::scope(|scope| scope.spawn(|| lock.try_lock().is_some()).join().unwrap());
    let (mut outer, inner) = (lock.lock(), lock.lock());
    outer.set(2);
    ReentrantMutexGuard::bump(&mut outer);
    drop(outer);
    println!("{inner:?} {}", is_free());
    println!("{:?}", ReentrantMutexGuard::map(inner, |it| it));
    println!("{}", is_free());
}

fn signals() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let setting = thread::spawn({
        let pair = pair.clone();
        move || {
            *pair.0.lock() = true;
            pair.1.notify_all();
        }
    });
    let mut guard = pair.0.lock();
    while !*guard {
        pair.1.wait(&mut guard);
    }
    println!("{guard} {:?} {:?}", pair.1.wait_for(&mut guard, SHORT), pair.1);
    drop(guard);
    setting.join().unwrap();
    let once = Once::new();
    once.call_once(|| println!("once"));
    once.call_once(|| unreachable!());
    once.call_once_force(|_| unreachable!());
    println!("{once:?} {:?}", once.state());
}

fn contended() {
    let lock = Arc::new((Mutex::new(0), RwLock::new(0)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let lock = lock.clone();
            thread::spawn(move || {
                for _ in 0..500 {
                    *lock.0.lock() += 1;
                    *lock.1.write() += 1;
                    assert!(*lock.1.read() > 0);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{lock:?}");
}
