//! Several items or permits at once, and one notification.

use event_listener::Event;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

pub struct Harbour {
    berths: parking_lot::Mutex<u32>,
    left: Notify,
}

impl Harbour {
    fn is_moored(&self, count: u32) -> bool {
        let mut berths = self.berths.lock();
        match berths.checked_sub(count) {
            Some(rest) => {
                *berths = rest;
                true
            }
            None => false,
        }
    }

    pub fn leaves(&self, count: u32) {
        *self.berths.lock() += count;
        self.left.notify_one(); //~ lost-wakeup warning
    }

    pub async fn moors(&self, count: u32) {
        loop {
            let left = self.left.notified();
            if self.is_moored(count) {
                return;
            }
            left.await;
        }
    }
}

/// The same, and all are told.
pub struct Marina {
    berths: parking_lot::Mutex<u32>,
    left: Notify,
}

impl Marina {
    fn is_moored(&self, count: u32) -> bool {
        let mut berths = self.berths.lock();
        match berths.checked_sub(count) {
            Some(rest) => {
                *berths = rest;
                true
            }
            None => false,
        }
    }

    pub fn leaves(&self, count: u32) {
        *self.berths.lock() += count;
        self.left.notify_waiters();
    }

    pub async fn moors(&self, count: u32) {
        loop {
            let left = self.left.notified();
            if self.is_moored(count) {
                return;
            }
            left.await;
        }
    }
}

#[derive(Default)]
pub struct Orchard {
    apples: Mutex<VecDeque<u32>>,
    fallen: Condvar,
}

impl Orchard {
    pub fn shakes(&self, apples: Vec<u32>) {
        self.apples.lock().unwrap().extend(apples);
        self.fallen.notify_one(); //~ lost-wakeup warning
    }

    pub fn shakes_and_calls(&self, apples: Vec<u32>) {
        self.apples.lock().unwrap().extend(apples);
        self.fallen.notify_all();
    }

    pub fn picks(&self) -> u32 {
        let mut apples = self.apples.lock().unwrap();
        loop {
            if let Some(apple) = apples.pop_front() {
                return apple;
            }
            apples = self.fallen.wait(apples).unwrap();
        }
    }
}

/// Whoever takes one tells the next.
pub struct Meadow {
    flowers: Mutex<VecDeque<u32>>,
    grown: Event,
}

impl Meadow {
    pub fn grows(&self, flowers: Vec<u32>) {
        self.flowers.lock().unwrap().extend(flowers);
        self.grown.notify(1);
    }

    pub async fn picks(&self) -> u32 {
        loop {
            let grown = self.grown.listen();
            let flower = self.flowers.lock().unwrap().pop_front();
            if let Some(flower) = flower {
                self.grown.notify(1);
                return flower;
            }
            grown.await;
        }
    }
}
