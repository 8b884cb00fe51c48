//! Orders to stop that are not heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::task::JoinHandle;

/// A porter who looks at the clock only after each suitcase.
pub struct Porter {
    suitcases: mpsc::Sender<u32>,
    closing: Arc<AtomicBool>,
    thread: thread::JoinHandle<u32>,
}

impl Porter {
    pub fn hire() -> Porter {
        let (suitcases, lift) = mpsc::channel::<u32>();
        let closing = Arc::new(AtomicBool::new(false));
        let clock = closing.clone();
        let thread = thread::spawn(move || {
            let mut carried = 0;
            while !clock.load(Ordering::SeqCst) {
                match lift.recv() { //~ cancel-unresponsive warning
                    Ok(weight) => carried += weight,
                    Err(_) => break,
                }
            }
            carried
        });
        Porter { suitcases, closing, thread }
    }

    pub fn carry(&self, weight: u32) {
        let _ = self.suitcases.send(weight);
    }

    pub fn dismiss(self) -> u32 {
        self.closing.store(true, Ordering::SeqCst);
        self.thread.join().unwrap_or(0)
    }
}

/// One who looks now and then.
pub struct Watchful {
    suitcases: crossbeam_channel::Sender<u32>,
    closing: Arc<AtomicBool>,
    thread: thread::JoinHandle<u32>,
}

impl Watchful {
    pub fn hire() -> Watchful {
        let (suitcases, lift) = crossbeam_channel::unbounded::<u32>();
        let closing = Arc::new(AtomicBool::new(false));
        let clock = closing.clone();
        let thread = thread::spawn(move || {
            let mut carried = 0;
            while !clock.load(Ordering::SeqCst) {
                if let Ok(weight) = lift.recv_timeout(Duration::from_millis(20)) {
                    carried += weight;
                }
            }
            carried
        });
        Watchful { suitcases, closing, thread }
    }

    pub fn carry(&self, weight: u32) {
        let _ = self.suitcases.send(weight);
    }

    pub fn dismiss(self) -> u32 {
        self.closing.store(true, Ordering::SeqCst);
        self.thread.join().unwrap_or(0)
    }
}

/// One who is asked to stop, and whose lift is closed.
pub struct Told {
    suitcases: flume::Sender<u32>,
    closing: Arc<AtomicBool>,
    task: JoinHandle<u32>,
}

impl Told {
    pub fn hire() -> Told {
        let (suitcases, lift) = flume::unbounded::<u32>();
        let closing = Arc::new(AtomicBool::new(false));
        let clock = closing.clone();
        let task = tokio::spawn(async move {
            let mut carried = 0;
            while !clock.load(Ordering::SeqCst) {
                match lift.recv_async().await { //~ cancel-unresponsive warning
                    Ok(weight) => carried += weight,
                    Err(_) => break,
                }
            }
            carried
        });
        Told { suitcases, closing, task }
    }

    pub async fn dismiss(self) -> u32 {
        self.closing.store(true, Ordering::SeqCst);
        drop(self.suitcases);
        self.task.await.unwrap_or(0)
    }

    pub async fn dismiss_rudely(self) -> u32 {
        self.closing.store(true, Ordering::SeqCst);
        self.task.await.unwrap_or(0)
    }
}

fn stirs(stroke: u64) -> u64 {
    (0..64).fold(stroke, |it, number| it.rotate_left(3) ^ number)
}

/// Stirs as often as it is asked to, without a break.
pub struct Mixer {
    task: JoinHandle<u64>,
    strokes: Arc<AtomicU64>,
}

impl Mixer {
    pub fn start(strokes: u64) -> Mixer {
        let done = Arc::new(AtomicU64::new(0));
        let counter = done.clone();
        let task = tokio::spawn(async move {
            let mut dough = 1;
            for stroke in 0..strokes {
                dough ^= stirs(stroke); //~ cancel-unresponsive warning
                counter.store(stroke, Ordering::Relaxed);
            }
            dough
        });
        Mixer { task, strokes: done }
    }

    pub fn stop(&self) -> u64 {
        self.task.abort();
        self.strokes.load(Ordering::Relaxed)
    }
}

/// With a break, or for a number that it knows.
pub struct GentleMixer {
    slow: JoinHandle<u64>,
    short: JoinHandle<u64>,
}

impl GentleMixer {
    pub fn start(strokes: u64, spoons: Vec<u64>) -> GentleMixer {
        let slow = tokio::spawn(async move {
            let mut dough = 1;
            for stroke in 0..strokes {
                dough ^= stirs(stroke);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            dough
        });
        let short = tokio::spawn(async move {
            let mut dough = 1;
            for spoon in spoons {
                dough ^= stirs(spoon);
            }
            for stroke in 0..16 {
                dough ^= stirs(stroke);
            }
            dough
        });
        GentleMixer { slow, short }
    }

    pub fn stop(&self) {
        self.slow.abort();
        self.short.abort();
    }
}

/// Knocks until somebody opens, and waits for a lock that is mostly free.
pub async fn knocks(door: &tokio::sync::mpsc::Sender<u8>, hall: &tokio::sync::RwLock<()>) {
    loop {
        if door.try_send(1).is_ok() { //~ cancel-unresponsive warning
            return;
        }
        let _ = hall.read().await;
    }
}

pub async fn knocks_patiently(door: &tokio::sync::mpsc::Sender<u8>, hall: &tokio::sync::RwLock<()>) {
    loop {
        if door.try_send(1).is_ok() {
            return;
        }
        let _ = hall.read().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
