//! Lock-order inversions. Nobody ever waits forever: sleeps exclude the deadlock, and nothing else should.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, mpsc, oneshot, watch};

const LATER: Duration = Duration::from_millis(30);

/// Two locks, and one around them.
#[derive(Default)]
pub struct Pair {
    gate: Mutex<()>,
    left: Mutex<u32>,
    right: Mutex<u32>,
}

fn taken(lock: &Mutex<u32>) -> MutexGuard<'_, u32> {
    // What a flag means is not known for certain.
    lock.lock().unwrap_or_else(PoisonError::into_inner) //~ note lock-order
}

fn late<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> JoinHandle<R> {
    thread::spawn(move || {
        sleep(LATER);
        f()
    })
}

/// One thread takes the locks in one order, another one in the other.
pub fn two_threads() {
    let pair = Arc::new(Pair::default());
    let other = pair.clone();
    let first = thread::spawn(move || {
        let left = other.left.lock().unwrap();
        *other.right.lock().unwrap() + *left
    });
    let last = late(move || {
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() + *right //~ error lock-order
    });
    let _ = (first.join(), last.join());
}

/// Each of three takes one lock and then the next one of a cycle.
pub fn three_threads() {
    let locks: Arc<[Mutex<u32>; 3]> = Arc::default();
    let (a, b, c) = (locks.clone(), locks.clone(), locks);
    let first = thread::spawn(move || {
        let held = a[0].lock().unwrap();
        *a[1].lock().unwrap() + *held
    });
    let second = late(move || {
        let held = b[1].lock().unwrap();
        *b[2].lock().unwrap() + *held
    });
    let third = thread::spawn(move || {
        sleep(LATER * 2);
        let held = c[2].lock().unwrap();
        *c[0].lock().unwrap() + *held //~ error lock-order
    });
    let _ = (first.join(), second.join(), third.join());
}

/// A task holds an asynchronous lock and blocks for another one, and a thread the other way round.
pub async fn task_and_thread() {
    let locks = Arc::new((tokio::sync::Mutex::new(0), Mutex::new(0)));
    let other = locks.clone();
    let task = tokio::spawn(async move {
        let inside = other.0.lock().await;
        *inside + *other.1.lock().unwrap()
    });
    let thread = late(move || {
        let held = locks.1.lock().unwrap();
        *locks.0.blocking_lock() + *held //~ error lock-order
    });
    let _ = task.await;
    let _ = tokio::task::spawn_blocking(|| thread.join()).await;
}

/// Two tasks hold an asynchronous lock while they wait for another one.
pub async fn two_tasks() {
    let locks: Arc<[tokio::sync::Mutex<u32>; 2]> = Arc::default();
    let other = locks.clone();
    let first = tokio::spawn(async move {
        let held = other[0].lock().await;
        *other[1].lock().await + *held
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        let held = locks[1].lock().await;
        *locks[0].lock().await + *held //~ error lock-order
    });
    let _ = (first.await, last.await);
}

/// A lock is held while a thread is joined that needs another one, whose holder needs the first.
pub fn over_a_join() {
    let pair = Arc::new(Pair::default());
    let (inner, other) = (pair.clone(), pair.clone());
    let parent = thread::spawn(move || {
        let left = pair.left.lock().unwrap();
        let child = thread::spawn(move || *inner.right.lock().unwrap());
        *left + child.join().unwrap()
    });
    let last = late(move || {
        let right = other.right.lock().unwrap();
        *other.left.lock().unwrap() + *right //~ error lock-order
    });
    let _ = (parent.join(), last.join());
}

/// A semaphore of one permit is a lock.
pub async fn with_a_permit() {
    let shared = Arc::new((Semaphore::new(1), tokio::sync::Mutex::new(0)));
    let other = shared.clone();
    let first = tokio::spawn(async move {
        let permit = other.0.acquire().await;
        (*other.1.lock().await, permit.is_ok())
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        let held = shared.1.lock().await;
        (shared.0.acquire().await.is_ok(), *held) //~ error lock-order
    });
    let _ = (first.await, last.await);
}

/// The order in which one takes the locks.
fn forth(pair: &Pair) -> u32 {
    let left = taken(&pair.left);
    *taken(&pair.right) + *left
}

/// The order in which the other one does.
fn back(pair: &Pair) -> u32 {
    let right = taken(&pair.right);
    *taken(&pair.left) + *right
}

/// A third lock is held by both.
pub fn behind_a_gate() {
    let pair = Arc::new(Pair::default());
    let other = pair.clone();
    let first = thread::spawn(move || {
        let _gate = other.gate.lock();
        forth(&other)
    });
    let last = late(move || {
        let _gate = pair.gate.lock();
        back(&pair)
    });
    let _ = (first.join(), last.join());
}

/// One thread takes both sides of an inversion.
pub fn by_one_thread() {
    let pair = Pair::default();
    forth(&pair);
    back(&pair);
}

/// The second one is started after the first is done, or waits for its end.
pub fn after_a_spawn_or_a_join() {
    let pair = Arc::new(Pair::default());
    let other = pair.clone();
    forth(&pair);
    let _ = thread::spawn(move || back(&other)).join();
    thread::scope(|scope| {
        scope.spawn(|| forth(&pair));
    });
    back(&pair);
}

/// A message of some kind tells the second one that the first is done.
pub async fn after_a_message() {
    let pair = Arc::new(Pair::default());
    let (done, is_done) = oneshot::channel();
    let (first, other) = (pair.clone(), pair.clone());
    thread::spawn(move || {
        forth(&first);
        let _ = done.send(());
    });
    let last = tokio::spawn(async move { is_done.await.map(|()| back(&other)) });
    let _ = last.await;

    let (send, mut next) = mpsc::channel(4);
    let (first, other) = (pair.clone(), pair.clone());
    let sending = tokio::task::spawn_blocking(move || {
        forth(&first);
        send.blocking_send(1)
    });
    let last = tokio::task::spawn_blocking(move || next.blocking_recv().map(|_| back(&other)));
    let _ = (sending.await, last.await);

    let (tell, mut told) = watch::channel(false);
    let (first, other) = (pair.clone(), pair.clone());
    let telling = tokio::task::spawn_blocking(move || {
        forth(&first);
        tell.send(true)
    });
    let last = tokio::spawn(async move {
        let _ = told.wait_for(|it| *it).await;
        tokio::task::spawn_blocking(move || back(&other)).await
    });
    let _ = (telling.await, last.await);

    let (send, next) = std::sync::mpsc::channel();
    let first = pair.clone();
    let sending = thread::spawn(move || {
        forth(&first);
        send.send(1)
    });
    let last = thread::spawn(move || next.recv().map(|_| back(&pair)));
    let _ = (sending.join(), last.join());
}

/// A signal tells the second one that the first is done.
pub async fn after_a_signal() {
    let pair = Arc::new(Pair::default());
    let notify = Arc::new(Notify::new());
    let (first, other, signal) = (pair.clone(), pair.clone(), notify.clone());
    let giving = tokio::task::spawn_blocking(move || {
        forth(&first);
        signal.notify_one();
    });
    let last = tokio::spawn(async move {
        notify.notified().await;
        tokio::task::spawn_blocking(move || back(&other)).await
    });
    let _ = (giving.await, last.await);

    let permits = Arc::new(Semaphore::new(0));
    let (first, other, signal) = (pair.clone(), pair.clone(), permits.clone());
    let giving = tokio::task::spawn_blocking(move || {
        forth(&first);
        signal.add_permits(1);
    });
    let last = tokio::spawn(async move {
        let _ = permits.acquire().await.map(tokio::sync::SemaphorePermit::forget);
        tokio::task::spawn_blocking(move || back(&other)).await
    });
    let _ = (giving.await, last.await);

    let barrier = Arc::new(Barrier::new(2));
    let (first, meeting) = (pair.clone(), barrier.clone());
    let arriving = thread::spawn(move || {
        forth(&first);
        meeting.wait();
    });
    let last = thread::spawn(move || {
        barrier.wait();
        back(&pair)
    });
    let _ = (arriving.join(), last.join());
}

/// A flag under a lock tells the second one that the first is done, with or without somebody waiting for it.
pub fn after_a_flag() {
    for wait in [LATER, Duration::ZERO] {
        let pair = Arc::new((Mutex::new(false), Condvar::new(), Pair::default()));
        let (first, last) = (pair.clone(), pair.clone());
        let setting = thread::spawn(move || {
            sleep(wait);
            let left = taken(&first.2.left);
            let sum = *taken(&first.2.right) + *left;
            drop(left);
            *first.0.lock().unwrap() = true;
            first.1.notify_all();
            sum
        });
        let waiting = thread::spawn(move || {
            sleep(LATER - wait);
            let mut done = last.0.lock().unwrap();
            while !*done {
                done = last.1.wait(done).unwrap();
            }
            drop(done);
            let right = taken(&last.2.right);
            *taken(&last.2.left) + *right
        });
        let _ = (setting.join(), waiting.join());
    }
}

/// One of them does not wait, or not forever.
pub async fn without_waiting() {
    let pair = Arc::new(Pair::default());
    let other = pair.clone();
    let first = thread::spawn(move || forth(&other));
    let last = late(move || {
        let right = taken(&pair.right);
        pair.left.try_lock().map_or(0, |left| *left + *right)
    });
    let _ = (first.join(), last.join());
}

/// One of them gives up after a while.
pub async fn with_patience() {
    let locks: Arc<[tokio::sync::Mutex<u32>; 2]> = Arc::default();
    let other = locks.clone();
    let first = tokio::spawn(async move {
        let held = other[0].lock().await;
        *other[1].lock().await + *held
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        let held = locks[1].lock().await;
        tokio::time::timeout(LATER, locks[0].lock()).await.map_or(0, |other| *other + *held)
    });
    let _ = (first.await, last.await);
}

/// One of them goes on with something else when that comes first.
pub async fn with_an_alternative() {
    let locks: Arc<[tokio::sync::Mutex<u32>; 2]> = Arc::default();
    let other = locks.clone();
    let first = tokio::spawn(async move {
        let held = other[0].lock().await;
        *other[1].lock().await + *held
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        let held = locks[1].lock().await;
        tokio::select! {
            other = locks[0].lock() => *other + *held, //~ note lock-order
            () = tokio::time::sleep(LATER) => 0,
        }
    });
    let _ = (first.await, last.await);
}

/// An atomic flag tells the second one that the first is done.
pub fn after_an_atomic() {
    let pair = Arc::new((AtomicBool::new(false), Pair::default()));
    let other = pair.clone();
    let first = thread::spawn(move || {
        let left = other.1.left.lock().unwrap();
        let sum = *other.1.right.lock().unwrap() + *left;
        other.0.store(true, Ordering::Release);
        sum
    });
    let last = thread::spawn(move || {
        while !pair.0.load(Ordering::Acquire) {
            thread::yield_now();
        }
        let right = pair.1.right.lock().unwrap();
        *pair.1.left.lock().unwrap() + *right
    });
    let _ = (first.join(), last.join());
}

/// The last of three to count down goes the other way, when the others are done.
pub fn after_a_count() {
    let shared = Arc::new((AtomicUsize::new(3), Pair::default()));
    let begin = |_| {
        let shared = shared.clone();
        thread::spawn(move || {
            let sum = forth(&shared.1);
            if shared.0.fetch_sub(1, Ordering::AcqRel) == 1 {
                let right = shared.1.right.lock().unwrap();
                return sum + *shared.1.left.lock().unwrap() + *right;
            }
            sum
        })
    };
    for thread in [0; 3].map(begin) {
        let _ = thread.join();
    }
}

/// The same as after an atomic flag, but nobody looks at it, and both only count what they did.
pub fn beside_an_atomic() {
    let shared = Arc::new((AtomicBool::new(false), AtomicUsize::new(0), Pair::default()));
    let other = shared.clone();
    let first = thread::spawn(move || {
        let left = other.2.left.lock().unwrap();
        let sum = *other.2.right.lock().unwrap() + *left;
        other.0.store(true, Ordering::Release);
        other.1.fetch_add(1, Ordering::Relaxed);
        sum
    });
    let last = late(move || {
        let number = shared.1.fetch_add(1, Ordering::Relaxed);
        let right = shared.2.right.lock().unwrap();
        number + (*shared.2.left.lock().unwrap() + *right) as usize //~ error lock-order
    });
    let _ = (first.join(), last.join());
}

/// Two locks of one object. The second order is taken when the first one is over: the source does not show it, the run does.
#[derive(Default)]
pub struct Press {
    plates: Mutex<Vec<u32>>,
    sheets: Mutex<Vec<u32>>,
}

impl Press {
    fn print(&self, number: u32) {
        let mut plates = self.plates.lock().unwrap();
        plates.push(number);
        self.sheets.lock().unwrap().push(number);
    }

    fn bind(&self) -> usize {
        let sheets = self.sheets.lock().unwrap();
        let plates = self.plates.lock().unwrap(); //~ note lock-order
        sheets.len() + plates.len()
    }

    /// Prints all sheets, and binds them then.
    pub fn run(self: Arc<Press>) -> usize {
        let begin = |number| {
            let own = self.clone();
            thread::spawn(move || own.print(number))
        };
        for printing in [1, 2].map(begin) {
            let _ = printing.join();
        }
        thread::spawn(move || self.bind()).join().unwrap_or_default()
    }
}

/// The tasks of a runtime with one thread take the locks without giving that thread back in between.
pub async fn on_one_thread() {
    let pair = Arc::new(Pair::default());
    let other = pair.clone();
    let first = tokio::spawn(async move { forth(&other) });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        back(&pair)
    });
    let _ = (first.await, last.await);
}

/// One task holds one lock in one of its futures, and takes the other one in another.
pub async fn side_by_side() {
    let locks: Arc<[tokio::sync::Mutex<u32>; 2]> = Arc::default();
    let other = locks.clone();
    let first = tokio::spawn(async move {
        let waits = async {
            let _held = other[0].lock().await;
            tokio::time::sleep(LATER).await;
        };
        let takes = async {
            tokio::time::sleep(LATER / 3).await;
            *other[1].lock().await
        };
        tokio::join!(waits, takes).1
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER * 2).await;
        let held = locks[1].lock().await;
        *locks[0].lock().await + *held
    });
    let _ = (first.await, last.await);
}

/// A guard moves to another task, which gives the lock back: whoever took it does not keep it while it waits.
pub async fn with_a_guard_that_moves() {
    let (left, right) = (Arc::new(tokio::sync::Mutex::new(0)), Arc::new(tokio::sync::Mutex::new(0)));
    let (a, b) = (left.clone(), right.clone());
    let first = tokio::spawn(async move {
        let held = a.lock_owned().await;
        let gives_back = tokio::spawn(async move {
            tokio::time::sleep(LATER).await;
            drop(held);
        });
        let sum = *b.lock().await;
        let _ = gives_back.await;
        sum
    });
    let last = tokio::spawn(async move {
        tokio::time::sleep(LATER * 3).await;
        let held = right.lock().await;
        *left.lock().await + *held //~ note|none lock-order
    });
    let _ = (first.await, last.await);
}
