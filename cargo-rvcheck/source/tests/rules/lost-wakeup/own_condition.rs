//! Waiters that each wait for something of their own, and a notification for one of them.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard};
use tokio::sync::Notify;

#[derive(Default)]
struct Load {
    weight: u32,
    sealed: bool,
}

pub struct Lift {
    load: Mutex<Load>,
    changed: Notify,
    most: u32,
}

impl Lift {
    async fn until<T>(&self, mut asks: impl FnMut(&mut Load) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            if let Some(found) = asks(&mut self.load.lock().unwrap()) {
                return found;
            }
            changed.await;
        }
    }

    pub async fn enters(&self, weight: u32) {
        self.until(|it| (it.weight + weight <= self.most).then(|| it.weight += weight)).await
    }

    pub async fn is_empty(&self) {
        self.until(|it| (it.weight == 0 || it.sealed).then_some(())).await
    }

    pub fn leaves(&self, weight: u32) {
        self.load.lock().unwrap().weight -= weight;
        self.changed.notify_one(); //~ lost-wakeup warning
    }
}

/// All of them are notified.
pub struct Hoist {
    load: Mutex<Load>,
    changed: Condvar,
}

impl Hoist {
    fn until(&self, is_so: impl Fn(&Load) -> bool) -> MutexGuard<'_, Load> {
        self.changed.wait_while(self.load.lock().unwrap(), |it| !is_so(it)).unwrap()
    }

    pub fn enters(&self, weight: u32) {
        self.until(|it| it.weight + weight < 9).weight += weight;
    }

    pub fn seals(&self) {
        self.until(|it| it.weight == 0).sealed = true;
    }

    pub fn leaves(&self, weight: u32) {
        self.load.lock().unwrap().weight -= weight;
        self.changed.notify_all();
    }
}

/// Only one function waits.
pub struct Crane {
    load: Mutex<Load>,
    changed: Condvar,
}

impl Crane {
    fn until(&self, is_so: impl Fn(&Load) -> bool) -> MutexGuard<'_, Load> {
        self.changed.wait_while(self.load.lock().unwrap(), |it| !is_so(it)).unwrap()
    }

    pub fn lifts(&self) {
        self.until(|it| it.weight == 0).weight = 1;
    }

    pub fn lowers(&self) {
        self.load.lock().unwrap().weight = 0;
        self.changed.notify_one();
    }
}

/// Each waits for a shaft of its own.
#[derive(Default)]
pub struct Shafts {
    busy: Mutex<HashSet<String>>,
    changed: Condvar,
}

impl Shafts {
    pub fn enters(&self, shaft: &str) {
        let mut busy = self.busy.lock().unwrap();
        while busy.contains(shaft) {
            busy = self.changed.wait(busy).unwrap();
        }
        busy.insert(shaft.to_owned());
    }

    pub fn leaves(&self, shaft: &str) {
        self.busy.lock().unwrap().remove(shaft);
        self.changed.notify_one(); //~ lost-wakeup warning
    }
}

/// Whoever is woken for nothing wakes the next one.
#[derive(Default)]
pub struct Gates {
    busy: Mutex<HashSet<String>>,
    changed: Condvar,
}

impl Gates {
    pub fn enters(&self, gate: &str) {
        let mut busy = self.busy.lock().unwrap();
        while busy.contains(gate) {
            self.changed.notify_one();
            busy = self.changed.wait(busy).unwrap();
        }
        busy.insert(gate.to_owned());
    }

    pub fn leaves(&self, gate: &str) {
        self.busy.lock().unwrap().remove(gate);
        self.changed.notify_one();
    }
}
