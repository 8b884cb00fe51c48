//! What is looked at, taken and waited for by methods of traits, of which there is one implementation.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, watch};

trait Drawer {
    fn draws(&self) -> Option<u32>;
}

pub struct Well {
    buckets: Mutex<VecDeque<u32>>,
    filled: Notify,
}

impl Drawer for Well {
    fn draws(&self) -> Option<u32> {
        self.buckets.lock().unwrap().pop_front()
    }
}

impl Well {
    pub fn fills(&self, bucket: u32) {
        self.buckets.lock().unwrap().push_back(bucket);
        self.filled.notify_one();
    }

    /// All that there are.
    pub async fn empties(&self) {
        let drawer: &dyn Drawer = self;
        loop {
            self.filled.notified().await;
            while let Some(bucket) = drawer.draws() {
                println!("{bucket}");
            }
        }
    }
}

trait Gauge {
    fn is_high(&self, mark: u32) -> bool;
}

pub struct Dam {
    level: watch::Sender<u32>,
}

impl Gauge for Dam {
    fn is_high(&self, mark: u32) -> bool {
        *self.level.borrow() > mark
    }
}

impl Dam {
    pub async fn rises(&self, mark: u32) -> Option<u32> {
        let gauge: &dyn Gauge = self;
        let mut levels = self.level.subscribe();
        if gauge.is_high(mark) {
            return Some(mark);
        }
        loop {
            levels.changed().await.ok()?;
            let level = *levels.borrow_and_update();
            if level > mark {
                return Some(level);
            }
        }
    }
}

trait Idler {
    fn idles(&self);
}

pub struct Sluice {
    doors: Mutex<Vec<u32>>,
    moved: Condvar,
    closed: AtomicBool,
}

impl Idler for Sluice {
    fn idles(&self) {
        let doors = self.doors.lock().unwrap();
        let (mut doors, _) = self.moved.wait_timeout(doors, Duration::from_millis(40)).unwrap();
        doors.clear();
    }
}

impl Sluice {
    /// Looks again after a while.
    pub fn runs(&self) {
        let idler: &dyn Idler = self;
        while !self.closed.load(Ordering::Acquire) {
            idler.idles();
        }
    }

    pub fn closes(&self) {
        self.closed.store(true, Ordering::Release);
        self.moved.notify_all();
    }
}
