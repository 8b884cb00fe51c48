//! State that is looked at and changed by functions that are given.

use std::sync::Mutex;
use tokio::sync::Notify;

pub struct Gauge {
    level: u32,
    broken: bool,
}

/// The waiter becomes known after the look.
pub struct Tank {
    gauge: Mutex<Gauge>,
    changed: Notify,
}

impl Tank {
    fn change<R>(&self, by: impl FnOnce(&mut Gauge) -> R) -> R {
        let result = by(&mut self.gauge.lock().unwrap());
        self.changed.notify_waiters();
        result
    }

    async fn until<R>(&self, mut look: impl FnMut(&Gauge) -> Option<R>) -> R {
        loop {
            if let Some(seen) = look(&self.gauge.lock().unwrap()) {
                return seen;
            }
            self.changed.notified().await; //~ lost-wakeup
        }
    }

    pub fn fills(&self, by: u32) {
        self.change(|gauge| gauge.level += by);
    }

    pub async fn filled(&self, to: u32) -> u32 {
        self.until(|gauge| (gauge.level >= to).then_some(gauge.level)).await
    }
}

/// The same with a lock that is awaited, and a function behind a pointer.
pub struct Basin {
    gauge: tokio::sync::Mutex<Gauge>,
    changed: Notify,
}

impl Basin {
    pub async fn change(&self, by: Box<dyn FnOnce(&mut Gauge) + Send>) {
        let mut gauge = self.gauge.lock().await;
        by(&mut gauge);
        drop(gauge);
        self.changed.notify_waiters();
    }

    pub async fn until(&self, look: &(dyn Fn(&Gauge) -> bool + Sync)) {
        while !look(&*self.gauge.lock().await) {
            self.changed.notified().await; //~ lost-wakeup
        }
    }
}

/// Known before it looks.
pub struct Cistern {
    gauge: Mutex<Gauge>,
    changed: Notify,
}

impl Cistern {
    fn change<R>(&self, by: impl FnOnce(&mut Gauge) -> R) -> R {
        let result = by(&mut self.gauge.lock().unwrap());
        self.changed.notify_waiters();
        result
    }

    async fn until<R>(&self, mut look: impl FnMut(&Gauge) -> Option<R>) -> R {
        loop {
            let changed = self.changed.notified();
            if let Some(seen) = look(&self.gauge.lock().unwrap()) {
                return seen;
            }
            changed.await;
        }
    }

    pub fn breaks(&self) {
        self.change(|gauge| gauge.broken = true);
    }

    pub async fn broken(&self) {
        self.until(|gauge| gauge.broken.then_some(())).await;
    }
}

/// What is given only looks on both sides: nothing changes.
pub struct Meter {
    gauge: Mutex<Gauge>,
    asked: Notify,
}

impl Meter {
    pub fn ask<R>(&self, by: impl FnOnce(&Gauge) -> R) -> R {
        let result = by(&self.gauge.lock().unwrap());
        self.asked.notify_waiters();
        result
    }

    pub async fn until(&self, look: impl Fn(&Gauge) -> bool) {
        while !look(&self.gauge.lock().unwrap()) { //~ double-lock note
            self.asked.notified().await;
        }
    }
}
