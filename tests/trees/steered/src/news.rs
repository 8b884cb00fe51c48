//! What waiters look at, and when they are told: too early, or after a look that is stale.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::thread::{self, Thread};
use tokio::sync::{Notify, watch};

/// Tells of the weather before it is written down.
#[derive(Default)]
pub struct Weather {
    report: Mutex<Option<u32>>,
    told: Notify,
}

impl Weather {
    async fn measured(&self) -> u32 {
        tokio::task::yield_now().await;
        21
    }

    pub async fn tell(&self) {
        self.told.notify_waiters(); // tell: signals
        let degrees = self.measured().await;
        self.write(degrees);
    }

    fn write(&self, degrees: u32) {
        *self.report.lock().unwrap() = Some(degrees);
    }

    fn read(&self) -> Option<u32> {
        *self.report.lock().unwrap()
    }

    pub async fn hear(&self) -> u32 {
        loop {
            let told = self.told.notified(); // hear: waits
            match self.read() {
                Some(degrees) => return degrees,
                None => told.await,
            }
        }
    }
}

/// Rings before the parcel is on the table, with threads.
#[derive(Default)]
pub struct Table {
    parcels: parking_lot::Mutex<VecDeque<u32>>,
    rung: parking_lot::Condvar,
}

impl Table {
    pub fn bring(&self, parcel: u32) {
        self.rung.notify_all(); // bring: signals
        self.parcels.lock().push_back(parcel);
    }

    pub fn fetch(&self) -> u32 {
        let mut parcels = self.parcels.lock();
        loop {
            if let Some(parcel) = parcels.pop_front() {
                return parcel;
            }
            self.rung.wait(&mut parcels); // fetch: waits
        }
    }
}

/// Walkers park at a crossing until the light is green.
#[derive(Default)]
pub struct Crossing {
    is_green: Mutex<bool>,
    walkers: Mutex<Vec<Thread>>,
}

impl Crossing {
    fn may_go(&self) -> bool {
        *self.is_green.lock().unwrap()
    }

    fn queue(&self) {
        self.walkers.lock().unwrap().push(thread::current());
    }

    pub fn cross(&self) {
        if self.may_go() {
            return;
        }
        self.queue();
        while !self.may_go() {
            thread::park(); // cross: parks
        }
    }

    /// Parks without another look once it is in the queue.
    pub fn cross_blindly(&self) {
        if !self.may_go() {
            self.queue();
            thread::park(); // cross blindly: parks
        }
    }

    pub fn turn_green(&self) {
        *self.is_green.lock().unwrap() = true;
        self.walkers.lock().unwrap().drain(..).for_each(|it| it.unpark());
    }
}

/// A level that somebody watches from after a look.
pub struct Tank(watch::Sender<u32>);

impl Default for Tank {
    fn default() -> Tank {
        Tank(watch::Sender::new(0))
    }
}

impl Tank {
    pub fn fill(&self, level: u32) {
        self.0.send_replace(level); // fill: changes
    }

    fn level(&self) -> u32 {
        *self.0.borrow()
    }

    pub async fn reaches(&self, level: u32) {
        if self.level() < level {
            let mut levels = self.0.subscribe();
            while *levels.borrow_and_update() < level {
                levels.changed().await.unwrap();
            }
        }
    }

    pub async fn overflows(&self, level: u32) {
        if self.level() < level {
            let mut levels = self.0.subscribe();
            levels.changed().await.unwrap(); // overflows: waits
        }
    }
}

/// A counter with a signal after each change.
#[derive(Default)]
pub struct Counter {
    count: Mutex<u32>,
    changed: Condvar,
}

impl Counter {
    pub fn add(&self) {
        *self.count.lock().unwrap() += 1;
        self.changed.notify_all();
        drop(self.count.lock().unwrap());
    }

    pub fn reaches(&self, count: u32) {
        let mut now = self.count.lock().unwrap();
        while *now < count {
            now = self.changed.wait(now).unwrap();
        }
    }
}
