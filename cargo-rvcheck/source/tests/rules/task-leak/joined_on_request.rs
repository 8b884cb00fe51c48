//! Handles that are kept, and that only methods wait for which nobody has to call.

use crossbeam_channel as crossbeam;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A flag, and a thread that is joined where the loom is stopped.
pub struct Loom {
    stopped: Arc<AtomicBool>,
    weaver: Option<thread::JoinHandle<()>>,
}

impl Loom {
    pub fn starts(rows: Arc<AtomicU64>) -> Loom {
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = stopped.clone();
        let weaver = thread::spawn(move || weaves(&seen, &rows)); //~ task-leak unseen
        Loom { stopped, weaver: Some(weaver) }
    }

    pub fn stops(mut self) {
        self.waits();
    }

    fn waits(&mut self) {
        self.stopped.store(true, Ordering::Release);
        if let Some(weaver) = self.weaver.take() {
            weaver.join().unwrap();
        }
    }
}

fn weaves(stopped: &AtomicBool, rows: &AtomicU64) {
    while !stopped.load(Ordering::Acquire) {
        rows.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(3));
    }
}

/// The same, and it stops where it is dropped.
pub struct Spindle {
    stopped: Arc<AtomicBool>,
    spinner: Option<thread::JoinHandle<()>>,
}

impl Spindle {
    pub fn starts(turns: Arc<AtomicU64>) -> Spindle {
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = stopped.clone();
        let spinner = thread::spawn(move || spins(&seen, &turns));
        Spindle { stopped, spinner: Some(spinner) }
    }

    fn waits(&mut self) {
        self.stopped.store(true, Ordering::Release);
        if let Some(spinner) = self.spinner.take() {
            spinner.join().unwrap();
        }
    }
}

impl Drop for Spindle {
    fn drop(&mut self) {
        self.waits();
    }
}

fn spins(stopped: &AtomicBool, turns: &AtomicU64) {
    while !stopped.load(Ordering::Acquire) {
        turns.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(3));
    }
}

/// A token, and a task that is awaited where the kiln is put out.
pub struct Kiln {
    cold: CancellationToken,
    fire: tokio::task::JoinHandle<()>,
}

impl Kiln {
    pub fn lights(heat: Arc<AtomicU64>) -> Kiln {
        let cold = CancellationToken::new();
        let seen = cold.clone();
        let fire = tokio::spawn(async move { //~ task-leak unseen
            while !seen.is_cancelled() {
                heat.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(70)).await;
            }
        });
        Kiln { cold, fire }
    }

    pub async fn cools(self) {
        self.cold.cancel();
        let _ = self.fire.await;
    }
}

/// A task that ends with the channel that its owner has.
pub struct Potter {
    clay: crossbeam::Sender<u64>,
    wheel: Option<thread::JoinHandle<()>>,
}

impl Potter {
    pub fn sits(made: Arc<AtomicU64>) -> Potter {
        let (clay, lumps) = crossbeam::unbounded();
        let wheel = thread::spawn(move || {
            for it in lumps {
                made.fetch_add(it, Ordering::Relaxed);
            }
        });
        Potter { clay, wheel: Some(wheel) }
    }

    pub fn throws(&self, weight: u64) {
        let _ = self.clay.send(weight);
    }

    pub fn rests(self) {
        let Potter { clay, wheel } = self;
        drop(clay);
        if let Some(wheel) = wheel {
            wheel.join().unwrap();
        }
    }
}

/// A task that is aborted where its owner goes.
pub struct Glazer {
    dry: Arc<Mutex<bool>>,
    brush: tokio::task::JoinHandle<()>,
}

impl Glazer {
    pub fn begins(coats: Arc<AtomicU64>) -> Glazer {
        let dry = Arc::new(Mutex::new(false));
        let seen = dry.clone();
        let brush = tokio::spawn(async move {
            while !*seen.lock() {
                coats.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(70)).await;
            }
        });
        Glazer { dry, brush }
    }

    pub fn dries(&self) {
        *self.dry.lock() = true;
    }
}

impl Drop for Glazer {
    fn drop(&mut self) {
        self.brush.abort();
    }
}

/// A task that keeps its own owner, whose `Drop` would end it, as would a method.
pub struct Depot {
    open: Arc<AtomicBool>,
    parcels: AtomicU64,
}

impl Depot {
    pub fn opens() -> Arc<Depot> {
        let depot = Arc::new(Depot { open: Arc::new(AtomicBool::new(true)), parcels: AtomicU64::new(0) });
        tokio::spawn(sorts(depot.clone())); //~ task-leak warning
        depot
    }

    pub fn closes(&self) {
        self.open.store(false, Ordering::SeqCst);
    }
}

async fn sorts(depot: Arc<Depot>) {
    while depot.open.load(Ordering::SeqCst) {
        depot.parcels.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(70)).await;
    }
}

impl Drop for Depot {
    fn drop(&mut self) {
        self.open.store(false, Ordering::SeqCst);
    }
}

/// The same with no more than the flag.
pub struct Wharf {
    open: Arc<AtomicBool>,
}

impl Wharf {
    pub fn opens(crates: Arc<AtomicU64>) -> Arc<Wharf> {
        let wharf = Arc::new(Wharf { open: Arc::new(AtomicBool::new(true)) });
        let open = wharf.open.clone();
        tokio::spawn(async move {
            while open.load(Ordering::SeqCst) {
                crates.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(70)).await;
            }
        });
        wharf
    }

    pub fn closes(&self) {
        self.open.store(false, Ordering::SeqCst);
    }
}

impl Drop for Wharf {
    fn drop(&mut self) {
        self.open.store(false, Ordering::SeqCst);
    }
}
