//! What blocks at the bottom of helpers, traits, closures and other libraries.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::time::{Duration, Instant};
use event_listener::{Event, Listener};

pub struct Gate {
    opened: Event,
    is_open: AtomicBool,
}

impl Gate {
    pub async fn passes(&self) {
        let opened = self.opened.listen();
        if !self.is_open.load(Ordering::SeqCst) {
            opened.wait(); //~ blocking-in-async warning
        }
    }

    pub async fn passes_without_blocking(&self) {
        while !self.is_open.load(Ordering::SeqCst) {
            let opened = self.opened.listen();
            if self.is_open.load(Ordering::SeqCst) {
                return;
            }
            opened.await;
        }
    }

    pub fn passes_in_a_thread(&self) {
        self.opened.listen().wait();
    }
}

/// A queue whose senders wait for room, by its kind.
pub async fn pushes(to: crossbeam_channel::Sender<u32>, number: u32) {
    let _ = to.send(number);
}

pub async fn fills(numbers: Vec<u32>) -> flume::Receiver<u32> {
    let (to, from) = flume::bounded(2);
    for number in numbers {
        if to.send(number).is_err() { //~ blocking-in-async warning, channel-deadlock warning
            break;
        }
    }
    from
}

pub async fn fills_without_end(numbers: Vec<u32>) -> flume::Receiver<u32> {
    let (to, from) = flume::unbounded();
    for number in numbers {
        if to.send(number).is_err() {
            break;
        }
    }
    from
}

trait Store {
    fn load(&self, key: u32) -> Option<u32>;
}

struct Slow {
    wait: Duration,
}

impl Store for Slow {
    fn load(&self, key: u32) -> Option<u32> {
        std::thread::sleep(self.wait); //~ blocking-in-async warning
        Some(key)
    }
}

pub struct Reader {
    store: Arc<dyn Store + Send + Sync>,
}

impl Reader {
    pub fn new(wait: Duration) -> Reader {
        Reader { store: Arc::new(Slow { wait }) }
    }

    pub async fn read(&self, key: u32) -> u32 {
        self.store.load(key).unwrap_or(0)
    }
}

fn with_retries<T>(mut what: impl FnMut() -> Option<T>, pause: Duration) -> Option<T> {
    for _ in 0..3 {
        if let Some(it) = what() {
            return Some(it);
        }
        std::thread::sleep(pause); //~ blocking-in-async warning
    }
    None
}

pub async fn retries(key: u32) -> Option<u32> {
    with_retries(|| key.checked_sub(1), Duration::from_millis(200))
}

/// Spins until another thread has done something.
pub async fn spins(done: Arc<AtomicBool>) {
    while !done.load(Ordering::Acquire) { //~ cancel-unresponsive warning
        std::hint::spin_loop();
    }
}

pub async fn spins_with_pauses(done: Arc<AtomicBool>) {
    while !done.load(Ordering::Acquire) {
        tokio::task::yield_now().await;
    }
}

pub async fn passes_the_time(pause: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < pause {} //~ blocking-in-async warning
}

/// Counts up to a number from outside, in a loop within a loop.
fn is_square(number: u64) -> bool {
    (0..=number).any(|it| it * it == number)
}

pub async fn counts_squares(limit: u64) -> usize {
    let mut found = 0;
    for number in 0..limit { //~ blocking-in-async warning
        if is_square(number) {
            found += 1;
        }
    }
    found
}

/// Takes what there is: the number is only the most.
pub async fn counts_squares_of(waiting: &std::sync::mpsc::Receiver<u64>, most: usize) -> usize {
    let mut found = 0;
    for _ in 0..most {
        match waiting.try_recv() {
            Ok(number) if is_square(number) => found += 1,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found
}

pub async fn counts_squares_politely(limit: u64) -> usize {
    let mut found = 0;
    for number in 0..limit {
        if is_square(number) {
            found += 1;
        }
        if number % 64 == 0 {
            tokio::task::yield_now().await;
        }
    }
    found
}

pub async fn adds_up(numbers: &[u64]) -> u64 {
    let mut sum = 0;
    for one in numbers {
        for other in numbers {
            sum += one * other;
        }
    }
    sum
}

pub async fn counts_in_a_pool(limit: u64) -> usize {
    let counted = tokio::task::spawn_blocking(move || {
        let mut found = 0;
        for number in 0..limit {
            if is_square(number) {
                found += 1;
            }
        }
        found
    });
    counted.await.unwrap_or(0)
}

pub async fn waits_at_a_barrier(all: Arc<Barrier>) {
    all.wait(); //~ blocking-in-async warning
}

pub async fn waits_for_a_signal(pair: Arc<(Mutex<bool>, Condvar)>) {
    let (ready, signal) = &*pair;
    let guard = ready.lock().unwrap();
    let _guard = signal.wait_while(guard, |it| !*it).unwrap(); //~ blocking-in-async warning
}

pub struct Orchard {
    rows: u32,
}

impl Orchard {
    // A function inside of a method.
    pub async fn walks(&self) -> u32 {
        fn rests() {
            std::thread::sleep(std::time::Duration::from_millis(50)); //~ blocking-in-async
        }
        rests();
        self.rows
    }
}
