//! Locks, semaphores, barriers and cells: what they return, show and wait for.

#[path = "../program_kit/polling.rs"]
mod polling;

use std::pin::{pin, Pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use async_lock::futures::{
    Acquire, AcquireArc, BarrierWait, Lock, LockArc, Read, ReadArc, UpgradeArc, Write,
};
use async_lock::{
    Barrier, Mutex, MutexGuard, MutexGuardArc, OnceCell, RwLock, RwLockReadGuard, RwLockReadGuardArc,
    RwLockUpgradableReadGuard, RwLockUpgradableReadGuardArc, RwLockWriteGuard, RwLockWriteGuardArc,
    Semaphore, SemaphoreGuard, SemaphoreGuardArc,
};
use polling::{block_on, poll};

static FREE: Mutex<u8> = Mutex::new(1);
static SHARED: RwLock<u8> = RwLock::new(1);
static PERMITS: Semaphore = Semaphore::new(1);
static MEETING: Barrier = Barrier::new(1);
static CELL: OnceCell<u8> = OnceCell::new();

fn main() {
    block_on(statics());
    block_on(mutexes());
    owned_mutexes();
    block_on(reader_writer_locks());
    block_on(owned_reader_writer_locks());
    upgrades();
    block_on(permits());
    block_on(cells());
    lifetimes();
    threads();
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    blocks();
    #[cfg(any(feature = "std", not(rv_async_lock_3)))]
    blocking_cells();
    panics();
}

async fn statics() {
    println!("{} {} {:?}", FREE.lock().await, SHARED.read().await, PERMITS.acquire().await);
    println!("{:?} {}", MEETING.wait().await.is_leader(), CELL.get_or_init(|| async { 5 }).await);
}

async fn mutexes() {
    let mut lock = Mutex::new(1);
    println!("{lock:?}");
    {
        let mut guard: MutexGuard<'_, i32> = lock.lock().await;
        *guard += 1;
        println!("{guard:?} {guard} {lock:?} {:?}", lock.try_lock().is_none());
        println!("{}", std::ptr::eq(MutexGuard::source(&guard), &lock));
        let waiting: Lock<'_, i32> = lock.lock();
        let mut waiting = pin!(waiting);
        println!("{:?}", poll(waiting.as_mut()));
        drop(guard);
        println!("{:?}", poll(waiting).map(|it| *it));
    }
    println!("{} {:?} {:?}", lock.get_mut(), Mutex::from(2), Mutex::<u8>::default());
    println!("{}", lock.into_inner());
    let boxed: Box<Mutex<[u8]>> = Box::new(Mutex::new([1, 2]));
    println!("{:?}", boxed.lock().await);
}

fn owned_mutexes() {
    let lock = Arc::new(Mutex::new(String::from("a")));
    let guard: MutexGuardArc<String> = lock.try_lock_arc().unwrap();
    println!("{guard:?} {guard} {}", Arc::ptr_eq(MutexGuardArc::source(&guard), &lock));
    println!("{}", lock.try_lock_arc().is_none());
    let mut waiting: Pin<Box<LockArc<String>>> = Box::pin(lock.lock_arc());
    println!("{:?} {}", poll(waiting.as_mut()).is_pending(), Arc::strong_count(&lock));
    drop(guard);
    let Poll::Ready(mut owned) = poll(waiting.as_mut()) else { panic!("it is free") };
    owned.push('b');
    drop(waiting);
    println!("{owned} {}", Arc::strong_count(&lock));
    let mut given_up = Box::pin(lock.lock_arc());
    println!("{}", poll(given_up.as_mut()).is_pending());
    drop(given_up);
    drop(lock);
    println!("{owned}");
    let lock: Arc<Mutex<[u8]>> = Arc::new(Mutex::new([1, 2]));
    println!("{:?}", block_on(lock.lock_arc()));
}

async fn reader_writer_locks() {
    let mut lock = RwLock::new(1);
    println!("{lock:?} {:?} {:?}", RwLock::from(2), RwLock::<u8>::default());
    {
        let first: RwLockReadGuard<'_, i32> = lock.read().await;
        let second = lock.try_read().unwrap();
        println!("{first:?} {second} {:?} {}", lock, lock.try_write().is_none());
        let writing: Write<'_, i32> = lock.write();
        let mut writing = pin!(writing);
        println!("{writing:?} {:?}", poll(writing.as_mut()).is_pending());
        drop((first, second));
        let Poll::Ready(mut writer) = poll(writing) else { panic!("it is free") };
        *writer += 1;
        println!("{writer:?} {writer} {lock:?} {}", lock.try_read().is_none());
        let reading: Read<'_, i32> = lock.read();
        let mut reading = pin!(reading);
        println!("{reading:?} {:?}", poll(reading.as_mut()).is_pending());
        let reader = RwLockWriteGuard::downgrade(writer);
        println!("{reader} {:?} {}", poll(reading).map(|it| *it), lock.try_write().is_none());
    }
    {
        let upgradable: RwLockUpgradableReadGuard<'_, i32> = lock.upgradable_read().await;
        println!("{upgradable:?} {upgradable} {}", lock.try_upgradable_read().is_none());
        println!("{:?}", lock.upgradable_read());
        let reader = lock.try_read().unwrap();
        let upgradable = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap_err();
        drop(reader);
        let mut writer = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap();
        *writer += 1;
        let upgradable = RwLockWriteGuard::downgrade_to_upgradable(writer);
        println!("{:?} {}", lock.try_read(), lock.try_write().is_none());
        let reader = RwLockUpgradableReadGuard::downgrade(upgradable);
        println!("{reader} {:?}", lock.try_upgradable_read());
    }
    println!("{}", lock.get_mut());
    println!("{}", lock.into_inner());
    let boxed: Box<RwLock<[u8]>> = Box::new(RwLock::new([1, 2]));
    println!("{:?} {:?}", boxed.read().await, boxed.read().await.len());
    println!("{:?}", boxed.write().await);
}

async fn owned_reader_writer_locks() {
    let lock = Arc::new(RwLock::new(1));
    let reader: RwLockReadGuardArc<i32> = lock.read_arc().await;
    let other = lock.try_read_arc().unwrap();
    println!("{reader:?} {other} {} {}", lock.try_write_arc().is_none(), Arc::strong_count(&lock));
    {
        let reading: ReadArc<'_, i32> = lock.read_arc();
        let (upgradable, writing) = (lock.upgradable_read_arc(), lock.write_arc());
        println!("{reading:?} {upgradable:?} {writing:?}");
        let mut writing = pin!(writing);
        println!("{:?}", poll(writing.as_mut()).is_pending());
        drop((reader, other));
        let Poll::Ready(mut writer) = poll(writing) else { panic!("it is free") };
        *writer += 1;
        println!("{writer:?} {writer}");
        let upgradable: RwLockUpgradableReadGuardArc<i32> =
            RwLockWriteGuardArc::downgrade_to_upgradable(writer);
        println!("{upgradable:?} {upgradable} {:?}", lock.try_upgradable_read_arc().is_none());
        let reader = lock.try_read_arc().unwrap();
        let upgradable = RwLockUpgradableReadGuardArc::try_upgrade(upgradable).unwrap_err();
        drop(reader);
        let writer = RwLockUpgradableReadGuardArc::try_upgrade(upgradable).unwrap();
        let reader = RwLockWriteGuardArc::downgrade(writer);
        let upgradable = lock.try_upgradable_read_arc().unwrap();
        println!("{}", RwLockUpgradableReadGuardArc::downgrade(upgradable));
        drop(reader);
    }
    let writer = lock.try_write_arc().unwrap();
    println!("{}", Arc::strong_count(&lock));
    drop(lock);
    println!("{writer}");
    let lock: Arc<RwLock<[u8]>> = Arc::new(RwLock::new([1, 2]));
    println!("{:?}", lock.write_arc().await);
    println!("{:?}", lock.upgradable_read_arc().await);
}

fn upgrades() {
    let lock = Arc::new(RwLock::new(1));
    let upgradable = block_on(lock.upgradable_read());
    println!("{:?}", block_on(RwLockUpgradableReadGuard::upgrade(upgradable)));
    let upgradable = block_on(lock.upgradable_read());
    let reader = lock.try_read().unwrap();
    {
        let mut upgrading = pin!(RwLockUpgradableReadGuard::upgrade(upgradable));
        println!("{upgrading:?} {:?} {:?}", lock.try_read().is_none(), poll(upgrading.as_mut()).is_pending());
        drop(reader);
        println!("{:?}", poll(upgrading));
    }
    let upgradable = block_on(lock.upgradable_read_arc());
    let reader = lock.try_read().unwrap();
    let upgrading: UpgradeArc<i32> = RwLockUpgradableReadGuardArc::upgrade(upgradable);
    let mut upgrading = Box::pin(upgrading);
    println!("{upgrading:?} {:?} {:?}", lock.try_read().is_none(), poll(upgrading.as_mut()).is_pending());
    drop(reader);
    println!("{:?}", poll(upgrading.as_mut()));
    drop(upgrading);
    println!("{:?} {}", lock.try_write(), Arc::strong_count(&lock));
    let upgradable = block_on(lock.upgradable_read_arc());
    drop(RwLockUpgradableReadGuardArc::upgrade(upgradable));
    println!("{:?} {}", lock.try_write(), Arc::strong_count(&lock));
}

async fn permits() {
    let semaphore = Arc::new(Semaphore::new(2));
    let permit: SemaphoreGuard<'_> = semaphore.acquire().await;
    let owned: SemaphoreGuardArc = semaphore.try_acquire_arc().unwrap();
    println!("{} {}", shown(&permit), shown(&owned));
    println!("{} {}", semaphore.try_acquire().is_none(), semaphore.try_acquire_arc().is_none());
    {
        let waiting: Acquire<'_> = semaphore.acquire();
        let owned_waiting: AcquireArc = semaphore.acquire_arc();
        println!("{owned_waiting:?}");
        let (mut waiting, mut owned_waiting) = (pin!(waiting), Box::pin(owned_waiting));
        println!("{} {}", poll(waiting.as_mut()).is_pending(), poll(owned_waiting.as_mut()).is_pending());
        drop((permit, owned));
        println!("{} {}", poll(waiting).is_ready(), poll(owned_waiting.as_mut()).is_ready());
    }
    println!("{}", Arc::strong_count(&semaphore));
    semaphore.add_permits(1);
    let all = (semaphore.try_acquire(), semaphore.try_acquire(), semaphore.try_acquire());
    println!("{} {}", all.2.is_some(), semaphore.try_acquire().is_none());
    drop(all);
    #[cfg(rv_async_lock_3_3)]
    {
        semaphore.acquire().await.forget();
        semaphore.acquire_arc().await.forget();
        println!("{} {}", Arc::strong_count(&semaphore), semaphore.try_acquire().is_some());
    }
    #[cfg(rv_async_lock_3_5)]
    println!("{}", semaphore.available_permits());
    println!("{}", shown(&semaphore));
}

/// The text, without what an event listener shows.
fn shown(it: &impl std::fmt::Debug) -> String {
    format!("{it:?}").split(", event").next().unwrap().to_owned()
}

async fn cells() {
    let mut cell = OnceCell::new();
    println!("{cell:?} {:?} {}", cell.get(), cell.is_initialized());
    println!("{:?}", cell.get_or_try_init::<u8, _>(|| async { Err(1) }).await);
    println!(
        "{:?} {:?}",
        cell.get_or_try_init::<u8, _>(|| async { Ok(2) }).await,
        cell.get_or_init(|| async { 3 }).await
    );
    println!("{:?} {:?} {:?}", cell.set(4).await, cell.wait().await, cell);
    println!("{:?}", cell.get_mut());
    println!("{:?}", cell.take());
    println!("{:?}", cell.set(5).await);
    println!("{:?}", cell.into_inner());
    println!("{:?} {}", OnceCell::from(6), unsafe { OnceCell::from(6).get_unchecked() });
    #[cfg(rv_async_lock_3_1)]
    println!("{:?}", OnceCell::<u8>::default());
    #[cfg(rv_async_lock_3_5)]
    {
        let cell = OnceCell::new();
        println!("{:?} {:?}", cell.try_set(1), cell.try_set(2));
    }
    let cell = OnceCell::new();
    {
        let mut filling = Box::pin(cell.get_or_init(std::future::pending));
        let (mut waiting, mut other) = (pin!(cell.wait()), pin!(cell.get_or_init(|| async { 7 })));
        println!("{:?} {:?} {:?}", poll(filling.as_mut()), poll(waiting.as_mut()), poll(other.as_mut()));
        println!("{cell:?}");
        drop(filling);
        println!("{:?} {:?}", poll(other.as_mut()), poll(waiting.as_mut()));
    }
    println!("{cell:?}");
}

/// A guard of something that lives shorter can be made of one of something that lives longer.
fn lifetimes() {
    fn shorter<'s>(guard: RwLockReadGuardArc<&'static str>, _to: &'s str) -> RwLockReadGuardArc<&'s str> {
        guard
    }
    fn as_short<'s, 'g>(
        guard: RwLockReadGuard<'g, &'static str>,
        _to: &'s str,
    ) -> RwLockReadGuard<'g, &'s str> {
        guard
    }
    let lock = Arc::new(RwLock::new("static"));
    let text = String::from("short");
    println!(
        "{} {}",
        shorter(lock.try_read_arc().unwrap(), &text),
        as_short(lock.try_read().unwrap(), &text)
    );
}

fn threads() {
    let lock = Arc::new(Mutex::new(0));
    let shared = Arc::new(RwLock::new(0));
    let permits = Arc::new(Semaphore::new(2));
    let barrier = Arc::new(Barrier::new(4));
    let (inside, leaders) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (lock, shared, permits) = (lock.clone(), shared.clone(), permits.clone());
            let (barrier, inside, leaders) = (barrier.clone(), inside.clone(), leaders.clone());
            thread::spawn(move || {
                block_on(async {
                    let wait: BarrierWait<'_> = barrier.wait();
                    leaders.fetch_add(usize::from(wait.await.is_leader()), Ordering::Relaxed);
                    for n in 0..300 {
                        if n % 2 == 0 {
                            *lock.lock().await += 1;
                            *shared.write().await += 1;
                        } else {
                            *lock.lock_arc().await += 1;
                            let upgradable = shared.upgradable_read().await;
                            *RwLockUpgradableReadGuard::upgrade(upgradable).await += 1;
                        }
                        let _permit = permits.acquire().await;
                        assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
                        let _seen = *shared.read().await;
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                })
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{lock:?} {shared:?} {leaders:?}");
}

#[cfg(all(rv_async_lock_3, feature = "std"))]
fn blocks() {
    let lock = Arc::new(Mutex::new(0));
    let shared = Arc::new(RwLock::new(0));
    let permits = Arc::new(Semaphore::new(1));
    let barrier = Arc::new(Barrier::new(2));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let (lock, shared) = (lock.clone(), shared.clone());
            let (permits, barrier) = (permits.clone(), barrier.clone());
            thread::spawn(move || {
                for _ in 0..300 {
                    barrier.wait_blocking();
                    *lock.lock_blocking() += 1;
                    *lock.lock_arc_blocking() += 1;
                    *shared.write_blocking() += 1;
                    let upgradable = shared.upgradable_read_blocking();
                    *RwLockUpgradableReadGuard::upgrade_blocking(upgradable) += 1;
                    drop(permits.acquire_blocking());
                    let _seen = *shared.read_blocking();
                    #[cfg(rv_async_lock_3_2)]
                    {
                        *shared.write_arc_blocking() += 1;
                        let upgradable = shared.upgradable_read_arc_blocking();
                        *RwLockUpgradableReadGuardArc::upgrade_blocking(upgradable) += 1;
                        drop(permits.acquire_arc_blocking());
                        let _seen = *shared.read_arc_blocking();
                    }
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{lock:?} {shared:?}");
}

#[cfg(any(feature = "std", not(rv_async_lock_3)))]
fn blocking_cells() {
    let cell = Arc::new(OnceCell::new());
    println!("{:?}", cell.get_or_try_init_blocking(|| Err("no")));
    let runs = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..4)
        .map(|at| {
            let (cell, runs) = (cell.clone(), runs.clone());
            thread::spawn(move || match at {
                0 => *cell.wait_blocking(),
                _ => *cell.get_or_init_blocking(|| {
                    thread::sleep(std::time::Duration::from_millis(5));
                    runs.fetch_add(1, Ordering::Relaxed) + 7
                }),
            })
        })
        .collect();
    println!("{:?} {runs:?}", threads.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>());
    println!("{:?} {:?}", cell.set_blocking(8), OnceCell::new().set_blocking(9));
}

fn panics() {
    std::panic::set_hook(Box::new(|_| {}));
    let lock = Arc::new(Mutex::new(1));
    let held = lock.clone();
    let panicked = thread::spawn(move || {
        let _guard = held.try_lock();
        panic!("while it is held");
    });
    println!("{} {:?}", panicked.join().is_err(), lock.try_lock());
    let done = std::panic::catch_unwind(|| {
        let lock = Arc::new(Mutex::new(1));
        let mut locking = Box::pin(lock.lock_arc());
        drop((poll(locking.as_mut()), poll(locking.as_mut())));
    });
    println!("{}", done.is_err());
}
