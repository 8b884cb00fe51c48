//! Upon the newest locks and channels, beside older ones that a dependency brings.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::lock_api::{self, GuardSend, RawMutex};
use parking_lot::{
    ArcMutexGuard, Condvar, MappedMutexGuard, Mutex, MutexGuard, RawMutex as Raw, RecursiveRwLock,
    ReentrantMutex, RwLock, RwLockUpgradableReadGuard,
};

/// So late that whoever is meant to be first was.
const LATER: Duration = Duration::from_millis(30);

/// Two purses, each with a lock of its own.
#[derive(Default)]
pub struct Purses {
    coins: Mutex<u32>,
    notes: Mutex<u32>,
}

impl Purses {
    fn change(&self, count: u32) {
        let mut coins = self.coins.lock();
        let mut notes = self.notes.lock();
        *coins += count;
        *notes = notes.saturating_sub(1);
    }

    fn pay(&self, count: u32) {
        let mut notes = self.notes.lock();
        let mut coins = self.coins.lock();
        *coins = coins.saturating_sub(count);
        *notes += 1;
    }
}

/// One changes, another one pays later: the other way round they could wait for each other.
pub fn change_and_pay() -> u32 {
    let purses = Arc::new(Purses::default());
    let other = purses.clone();
    let changing = thread::spawn(move || other.change(5));
    let paying = thread::spawn(move || {
        thread::sleep(LATER);
        purses.pay(5);
        *purses.coins.lock()
    });
    changing.join().unwrap();
    paying.join().unwrap()
}

/// A queue in front of a worker.
#[derive(Default)]
pub struct Queue {
    jobs: Mutex<Vec<u32>>,
    more: Condvar,
}

impl Queue {
    pub fn push(&self, job: u32) {
        self.jobs.lock().push(job);
        self.more.notify_one();
    }

    pub fn pop(&self) -> u32 {
        let mut jobs = self.jobs.lock();
        loop {
            if let Some(job) = jobs.pop() {
                return job;
            }
            self.more.wait(&mut jobs);
        }
    }
}

/// A worker gets what it waits for.
pub fn queue() -> u32 {
    let queue = Arc::new(Queue::default());
    let worker = thread::spawn({
        let queue = queue.clone();
        move || queue.pop()
    });
    thread::sleep(LATER);
    queue.push(7);
    worker.join().unwrap()
}

/// Reads, and writes if that has to be.
pub fn upgrade(table: &RwLock<Vec<u32>>) -> usize {
    let read = table.upgradable_read();
    if read.is_empty() {
        RwLockUpgradableReadGuard::upgrade(read).push(1);
    }
    table.read().len()
}

/// A part of what is locked.
pub fn part(lock: &Mutex<(u32, String)>) -> MappedMutexGuard<'_, str> {
    MutexGuard::map(lock.lock(), |it| it.1.as_mut_str())
}

/// A guard that outlives the function that took it.
pub fn kept(lock: &Arc<Mutex<u32>>) -> ArcMutexGuard<Raw, u32> {
    lock.lock_arc()
}

/// Takes a lock again that may be taken again.
pub fn again(lock: &ReentrantMutex<u32>) -> u32 {
    let first = lock.lock();
    *first + *lock.lock()
}

/// Reads again what may be read again, while somebody wants to write.
pub fn read_again() -> usize {
    let rows = Arc::new(RecursiveRwLock::new(vec![1]));
    let writer = thread::spawn({
        let rows = rows.clone();
        move || {
            thread::sleep(LATER);
            rows.write().push(2);
        }
    });
    let first = rows.read();
    let all = first.len() + rows.read().len();
    drop(first);
    writer.join().unwrap();
    all
}

/// A lock that a program makes of its own raw one, whose owner gets a number.
pub struct Numbered(AtomicU32);

// SAFETY: only one thread gets the number.
unsafe impl RawMutex for Numbered {
    const INIT: Numbered = Numbered(AtomicU32::new(0));

    type Guard = (u32, GuardSend);

    fn lock(&self) -> Self::Guard {
        loop {
            match self.try_lock() {
                Some(number) => return number,
                None => thread::yield_now(),
            }
        }
    }

    fn try_lock(&self) -> Option<Self::Guard> {
        self.0.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).ok()?;
        Some((1, GuardSend::new()))
    }

    unsafe fn unlock(&self, (number, _): Self::Guard) {
        self.0.fetch_sub(number, Ordering::Release);
    }

    fn is_locked(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }
}

pub type NumberedLock<T> = lock_api::Mutex<Numbered, T>;

/// A lock over lock_api 0.4, in the same program.
pub type Spinning<T> = spin::lock_api::Mutex<T>;

/// Sends numbers through a channel to another thread, which adds them up.
pub fn sum(numbers: Vec<u32>) -> u32 {
    let (sender, receiver) = flume::bounded(1);
    let adding = thread::spawn(move || receiver.iter().sum());
    for number in numbers {
        sender.send(number).unwrap();
    }
    drop(sender);
    adding.join().unwrap()
}

/// Jobs on a pool of a dependency that has locks of its own.
pub fn pooled() -> u32 {
    let pool = scheduled_thread_pool::ScheduledThreadPool::new(2);
    let (sender, receiver) = flume::unbounded();
    for number in 1..4 {
        let sender = sender.clone();
        pool.execute(move || sender.send(number).unwrap());
    }
    drop(sender);
    receiver.iter().sum()
}
