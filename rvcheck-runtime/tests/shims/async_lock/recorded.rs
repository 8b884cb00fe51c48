//! What the shim of async-lock reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ 

use std::future::Future;
use std::pin::{pin, Pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use async_lock::{
    Barrier, Mutex, OnceCell, RwLock, RwLockUpgradableReadGuard, RwLockUpgradableReadGuardArc, RwLockWriteGuard,
    Semaphore,
};

fn main() {
    mutexes();
    reader_writer_locks();
    upgrades();
    permits();
    barriers();
    cells();
    blocking_locks();
    blocking_others();
}

fn mutexes() {
    let lock = Arc::new(Mutex::new(0));
    let guard = ready(lock.lock()); //~ acquire(write) release(write)
    assert!(lock.try_lock().is_none());
    {
        let mut waiting = pin!(lock.lock()); //~ request(write) acquire(write) release(write)
        assert!(poll(waiting.as_mut()).is_pending());
        assert!(poll(waiting.as_mut()).is_pending());
        let mut given_up = pin!(lock.lock()); //~ request(write) withdraw(write)
        assert!(poll(given_up.as_mut()).is_pending());
        drop(guard);
        assert!(poll(waiting).is_ready());
    }
    let guard = lock.try_lock().unwrap(); //~ acquire(write, try) release(write, try)
    let mut owned = Box::pin(lock.lock_arc()); //~ request(write) acquire(write) release(write)
    assert!(poll(owned.as_mut()).is_pending());
    drop(guard);
    assert!(poll(owned.as_mut()).is_ready());
    drop(ready(lock.lock_arc())); //~ acquire(write) release(write)
    drop(lock.try_lock_arc()); //~ acquire(write, try) release(write, try)
    drop(lock.lock());
}

fn reader_writer_locks() {
    let lock = Arc::new(RwLock::new(0));
    let first = ready(lock.read()); //~ acquire(read) release(read)
    let second = lock.try_read_arc().unwrap(); //~ acquire(read, try) release(read, try)
    let mut writing = pin!(lock.write()); //~ request(write) acquire(write) release(write) acquire(read) release(read)
    assert!(poll(writing.as_mut()).is_pending());
    drop((first, second));
    let Poll::Ready(writer) = poll(writing) else { panic!("it is free") };
    drop(RwLockWriteGuard::downgrade(writer));
    let writer = ready(lock.write_arc()); //~ acquire(write) release(write)
    let mut reading = pin!(lock.read_arc()); //~ request(read) acquire(read) release(read)
    assert!(poll(reading.as_mut()).is_pending());
    drop(writer);
    assert!(poll(reading).is_ready());
}

fn upgrades() {
    let lock = Arc::new(RwLock::new(0));
    let upgradable = ready(lock.upgradable_read()); //~ acquire(upgrade) release(upgrade)
    let reader = lock.try_read().unwrap(); //~ acquire(read, try) release(read, try)
    let upgradable = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap_err();
    {
        let mut upgrading = pin!(RwLockUpgradableReadGuard::upgrade(upgradable)); //~ request(write) acquire(write) release(write)
        assert!(poll(upgrading.as_mut()).is_pending());
        drop(reader);
        assert!(poll(upgrading).is_ready());
    }
    let upgradable = lock.try_upgradable_read().unwrap(); //~ acquire(upgrade, try) release(upgrade, try)
    let writer = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap(); //~ acquire(write, try) release(write, try) acquire(upgrade) release(upgrade) acquire(read) release(read)
    let upgradable = RwLockWriteGuard::downgrade_to_upgradable(writer);
    drop(RwLockUpgradableReadGuard::downgrade(upgradable));
    let upgradable = ready(lock.upgradable_read_arc()); //~ acquire(upgrade) release(upgrade)
    let upgrading = RwLockUpgradableReadGuardArc::upgrade(upgradable); //~ acquire(write) release(write)
    drop(ready(upgrading));
    let upgradable = ready(lock.upgradable_read_arc()); //~ acquire(upgrade) release(upgrade)
    drop(RwLockUpgradableReadGuardArc::upgrade(upgradable));
    let upgradable = ready(lock.upgradable_read()); //~ acquire(upgrade) release(upgrade)
    drop(RwLockUpgradableReadGuard::upgrade_blocking(upgradable)); //~ acquire(write) release(write)
}

fn permits() {
    let limit = Arc::new(Semaphore::new(2));
    let permit = ready(limit.acquire()); //~ permit(1) permit_release(1)
    let owned = limit.try_acquire_arc().unwrap(); //~ permit(1) permit_release(1)
    assert!(limit.try_acquire().is_none());
    let mut waiting = Box::pin(limit.acquire_arc()); //~ permit_wait(1) permit(1) permit_release(1)
    assert!(poll(waiting.as_mut()).is_pending());
    assert!(poll(waiting.as_mut()).is_pending());
    drop((permit, owned));
    assert!(poll(waiting.as_mut()).is_ready());
    limit.add_permits(1); //~ permit_release(1, added)
    limit.try_acquire().unwrap().forget(); //~ permit(1) permit_forget(1)
    ready(limit.acquire_arc()).forget(); //~ permit(1) permit_forget(1)
}

fn barriers() {
    let barrier = Barrier::new(2);
    let mut first = pin!(barrier.wait()); //~ notify_all signal_wait signalled
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(first.as_mut()).is_pending());
    assert!(ready(barrier.wait()).is_leader()); //~ notify_all signalled
    assert!(poll(first).is_ready());
}

fn cells() {
    let cell = OnceCell::new();
    {
        let mut filling = Box::pin(cell.get_or_init(std::future::pending)); //~ acquire(write) release(write)
        assert!(poll(filling.as_mut()).is_pending());
        let mut waiting = pin!(cell.wait()); //~ request(read) acquire(read) release(read)
        assert!(poll(waiting.as_mut()).is_pending());
        let mut second = pin!(cell.get_or_init(|| async { 1 })); //~ request(write) acquire(write) release(write)
        assert!(poll(second.as_mut()).is_pending());
        drop(filling);
        assert!(poll(second).is_ready());
        assert!(poll(waiting).is_ready());
    }
    ready(cell.set(2)).unwrap_err();
    let cell = OnceCell::new();
    ready(cell.set(2)).unwrap(); //~ acquire(write) release(write)
}

fn blocking_locks() {
    let lock = Arc::new(Mutex::new(0));
    let shared = RwLock::new(0);
    let guard = lock.lock_arc_blocking(); //~ acquire(write) release(write)
    drop(shared.write_blocking()); //~ acquire(write) release(write)
    thread::scope(|scope| {
        scope.spawn(|| {
            let reader = shared.read_blocking(); //~ acquire(read) release(read)
            drop(lock.lock_blocking()); //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
            drop(reader);
        });
        thread::sleep(LONG);
        let upgradable = shared.upgradable_read_blocking(); //~ acquire(upgrade) release(upgrade)
        drop(guard);
        drop(upgradable);
    });
}

fn blocking_others() {
    let limit = Semaphore::new(1);
    let barrier = Barrier::new(2);
    let cell = OnceCell::new();
    let permit = limit.acquire_blocking(); //~ permit(1) permit_release(1)
    thread::scope(|scope| {
        scope.spawn(|| {
            drop(limit.acquire_blocking()); //~ permit_wait(1) block(lock) unblock(lock) permit(1) permit_release(1)
            barrier.wait_blocking(); //~ notify_all signal_wait block(lock) unblock(lock) signalled
            thread::sleep(LONG);
            cell.get_or_init_blocking(|| 0); //~ request(write) block(lock) unblock(lock) withdraw(write) acquire(read) release(read)
        });
        scope.spawn(|| cell.wait_blocking()); //~ request(read) block(lock) unblock(lock) acquire(read) release(read)
        thread::sleep(LONG);
        drop(permit);
        thread::sleep(LONG);
        barrier.wait_blocking(); //~ notify_all signal_wait block(lock) unblock(lock) signalled
        cell.get_or_init_blocking(|| { //~ acquire(write) release(write)
            thread::sleep(2 * LONG);
            1
        });
    });
}

/// Long enough for another thread to come and wait.
const LONG: Duration = Duration::from_millis(200);

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// What the future gives at once.
fn ready<F: Future>(future: F) -> F::Output {
    match poll(pin!(future)) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it has to wait"),
    }
}
