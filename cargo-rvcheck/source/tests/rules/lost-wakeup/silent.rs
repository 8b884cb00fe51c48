//! Signals that somebody waits for, and that nobody gives.

use event_listener::Event;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

pub struct Kettle {
    hot: Mutex<bool>,
    whistle: Condvar,
}

impl Kettle {
    pub fn new() -> Kettle {
        Kettle { hot: Mutex::new(false), whistle: Condvar::new() }
    }
    pub fn boils(&self) {
        *self.hot.lock().unwrap() = true;
    }
    pub fn listens(&self) {
        let mut hot = self.hot.lock().unwrap();
        while !*hot {
            hot = self.whistle.wait(hot).unwrap(); //~ lost-wakeup
        }
    }
}

pub struct Oven {
    warm: AtomicBool,
    bell: Notify,
}

impl Oven {
    pub fn new() -> Oven {
        Oven { warm: AtomicBool::new(false), bell: Notify::new() }
    }
    pub fn warms(&self) {
        self.warm.store(true, Ordering::SeqCst);
    }
    pub async fn bakes(&self) {
        while !self.warm.load(Ordering::SeqCst) {
            self.bell.notified().await; //~ lost-wakeup
        }
    }
}

pub struct Fridge {
    cold: AtomicBool,
    hum: Event,
}

impl Fridge {
    pub fn new() -> Fridge {
        Fridge { cold: AtomicBool::new(false), hum: Event::new() }
    }
    fn tells(hum: &Event) {
        hum.notify(1);
    }
    pub fn cools(&self) {
        self.cold.store(true, Ordering::SeqCst);
        Fridge::tells(&self.hum);
    }
    pub async fn keeps(&self) {
        loop {
            let listener = self.hum.listen();
            if self.cold.load(Ordering::SeqCst) {
                return;
            }
            listener.await;
        }
    }
}

pub struct Toaster {
    done: parking_lot::Mutex<bool>,
    click: parking_lot::Condvar,
}

impl Toaster {
    pub fn new() -> Toaster {
        Toaster { done: parking_lot::Mutex::new(false), click: parking_lot::Condvar::new() }
    }
    pub fn pops(&self) {
        *self.done.lock() = true;
        self.click.notify_all();
    }
    pub fn waits(&self) {
        let mut done = self.done.lock();
        while !*done {
            self.click.wait(&mut done);
        }
    }
}
