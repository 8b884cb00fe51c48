//! Locks over raw locks of the program's own.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use lock_api::{
    GetThreadId, GuardNoSend, GuardSend, Mutex, MutexGuard, RawMutex, RawRwLock, ReentrantMutex, RwLock,
};

/// A lock that counts how often it was taken.
struct Spin {
    locked: AtomicBool,
    taken: AtomicUsize,
}

// SAFETY: only one thread gets the flag.
unsafe impl RawMutex for Spin {
    const INIT: Spin = Spin { locked: AtomicBool::new(false), taken: AtomicUsize::new(0) };

    type GuardMarker = GuardSend;

    fn lock(&self) {
        while !self.try_lock() {
            thread::yield_now();
        }
    }

    fn try_lock(&self) -> bool {
        let free = !self.locked.swap(true, Ordering::Acquire);
        self.taken.fetch_add(usize::from(free), Ordering::Relaxed);
        free
    }

    unsafe fn unlock(&self) {
        self.locked.store(false, Ordering::Release);
    }
}

/// A reader-writer lock with a limit of readers, for one thread, that panics instead of waiting.
struct Counter(Cell<isize>);

// SAFETY: there is only one thread.
unsafe impl RawRwLock for Counter {
    const INIT: Counter = Counter(Cell::new(0));

    type GuardMarker = GuardNoSend;

    fn lock_shared(&self) {
        assert!(self.try_lock_shared(), "written to");
    }

    fn try_lock_shared(&self) -> bool {
        let free = self.0.get() >= 0;
        self.0.set(self.0.get() + isize::from(free));
        free
    }

    unsafe fn unlock_shared(&self) {
        self.0.set(self.0.get() - 1);
    }

    fn lock_exclusive(&self) {
        assert!(self.try_lock_exclusive(), "in use");
    }

    fn try_lock_exclusive(&self) -> bool {
        let free = self.0.get() == 0;
        self.0.set(if free { -1 } else { self.0.get() });
        free
    }

    unsafe fn unlock_exclusive(&self) {
        self.0.set(0);
    }
}

struct Here;

// SAFETY: each thread has its own address.
unsafe impl GetThreadId for Here {
    const INIT: Here = Here;

    fn nonzero_thread_id(&self) -> NonZeroUsize {
        thread_local!(static PLACE: u8 = const { 0 });
        PLACE.with(|it| NonZeroUsize::new(std::ptr::from_ref(it) as usize).unwrap())
    }
}

type SpinLock<T> = Mutex<Spin, T>;
type SpinGuard<'a, T> = MutexGuard<'a, Spin, T>;

static LOCK: SpinLock<u32> = Mutex::const_new(Spin::INIT, 1);

/// Generic code over any lock, as libraries write it.
fn add<R: RawMutex>(lock: &Mutex<R, u32>, count: u32) -> MutexGuard<'_, R, u32> {
    let mut guard = lock.lock();
    *guard += count;
    guard
}

fn main() {
    std::panic::set_hook(Box::new(|info| {
        println!("{}", info.payload().downcast_ref::<&str>().unwrap_or(&""));
    }));
    let guard: SpinGuard<u32> = add(&LOCK, 2);
    thread::scope(|scope| {
        scope.spawn(|| drop(add(&LOCK, 3)));
        // The marker says that this may be done.
        scope.spawn(move || drop(guard));
    });
    println!("{LOCK:?} {}", LOCK.is_locked());
    // SAFETY: nothing is unlocked.
    println!("{}", unsafe { LOCK.raw() }.taken.load(Ordering::Relaxed) >= 2);

    let cell = RwLock::<Counter, _>::new(String::from("one"));
    let (first, second) = (cell.read(), cell.read());
    println!("{first} {second} {cell:?}");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cell.write().push('!')));
    println!("{}", caught.is_err());
    drop((first, second));
    cell.write().push('!');
    println!("{cell:?}");

    let nested = ReentrantMutex::<Spin, Here, _>::new(Cell::new(1));
    let (outer, inner) = (nested.lock(), nested.lock());
    outer.set(inner.get() + 1);
    println!("{nested:?} {}", nested.is_locked());
}
