//! Levels that waiters compare with their own: they rise without the lock under which the waiters look.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

// Let go of by hand before.
pub struct Sluice {
    water: AtomicU64,
    gauges: parking_lot::Mutex<Vec<u64>>,
    risen: parking_lot::Condvar,
}
impl Sluice {
    fn water(&self) -> u64 {
        self.water.load(Ordering::SeqCst)
    }
    pub fn measures(&self, gauge: u64) {
        let mut gauges = self.gauges.lock();
        gauges.push(gauge);
        let (old, new) = (self.water(), gauges.iter().sum());
        drop(gauges);
        if new > old {
            self.water.fetch_max(new, Ordering::SeqCst);
            self.risen.notify_all();
        }
    }
    pub fn opens_at(&self, level: u64) {
        let mut gauges = self.gauges.lock();
        while self.water() < level {
            self.risen.wait(&mut gauges); //~ lost-wakeup warning
        }
    }
}

// Stored as it is given.
pub struct Lift {
    floor: AtomicUsize,
    queue: Mutex<()>,
    moved: Condvar,
}
impl Lift {
    pub fn moves(&self, floor: usize) {
        self.floor.store(floor, Ordering::Release);
        self.moved.notify_all();
    }
    pub fn wait_for(&self, floor: usize) {
        let mut queue = self.queue.lock().unwrap();
        while self.floor.load(Ordering::Acquire) != floor {
            queue = self.moved.wait(queue).unwrap(); //~ lost-wakeup warning
        }
    }
}

// Under the lock; notified behind an empty section; looked at again after some time.
pub struct Crane {
    height: AtomicUsize,
    queue: Mutex<()>,
    moved: Condvar,
}
impl Crane {
    pub fn moves(&self, height: usize) {
        let _queue = self.queue.lock().unwrap();
        self.height.store(height, Ordering::Release);
        self.moved.notify_all();
    }
    pub fn wait_for(&self, height: usize) {
        let mut queue = self.queue.lock().unwrap();
        while self.height.load(Ordering::Acquire) < height {
            queue = self.moved.wait(queue).unwrap();
        }
    }
}
pub struct Ferry {
    trips: AtomicUsize,
    queue: Mutex<()>,
    landed: Condvar,
}
impl Ferry {
    pub fn lands(&self, trips: usize) {
        self.trips.store(trips, Ordering::Release);
        drop(self.queue.lock().unwrap());
        self.landed.notify_all();
    }
    pub fn wait_for(&self, trips: usize) {
        let mut queue = self.queue.lock().unwrap();
        while self.trips.load(Ordering::Acquire) < trips {
            queue = self.landed.wait(queue).unwrap();
        }
    }
}
pub struct Tram {
    stop: AtomicUsize,
    queue: Mutex<()>,
    stopped: Condvar,
}
impl Tram {
    pub fn stops(&self, stop: usize) {
        self.stop.store(stop, Ordering::Release);
        self.stopped.notify_all();
    }
    pub fn wait_for(&self, stop: usize) {
        let mut queue = self.queue.lock().unwrap();
        while self.stop.load(Ordering::Acquire) < stop {
            queue = self.stopped.wait_timeout(queue, Duration::from_millis(20)).unwrap().0;
        }
    }
}

/// Looks again after a while, in what it calls.
#[derive(Default)]
pub struct Weir {
    gates: std::sync::Mutex<Vec<u32>>,
    opened: std::sync::Condvar,
    shut: std::sync::atomic::AtomicBool,
}

impl Weir {
    fn drains(&self) {
        let gates = self.gates.lock().unwrap();
        let span = std::time::Duration::from_millis(30);
        let (mut gates, _) = self.opened.wait_timeout(gates, span).unwrap();
        gates.clear();
    }

    pub fn runs(&self) {
        while !self.shut.load(std::sync::atomic::Ordering::Acquire) {
            self.drains();
        }
    }

    pub fn shuts(&self) {
        self.shut.store(true, std::sync::atomic::Ordering::Release);
        self.opened.notify_all();
    }
}
