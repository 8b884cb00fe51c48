//! Changes of what a waiter looks at, before the notification or without one.

use event_listener::Event;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Kiln {
    fired: Mutex<Option<u32>>,
    hot: Notify,
}

impl Kiln {
    pub fn notifies_early(&self, degrees: u32) {
        self.hot.notify_waiters();
        *self.fired.lock().unwrap() = Some(degrees); //~ lost-wakeup warning
    }

    pub fn notifies_after(&self, degrees: u32) {
        *self.fired.lock().unwrap() = Some(degrees);
        self.hot.notify_waiters();
    }

    pub fn notifies_early_under_the_lock(&self, degrees: u32) {
        let mut fired = self.fired.lock().unwrap();
        self.hot.notify_waiters();
        *fired = Some(degrees);
    }

    pub fn cools(&self) {
        self.hot.notify_waiters();
        *self.fired.lock().unwrap() = None;
    }

    pub async fn degrees(&self) -> u32 {
        loop {
            let hot = self.hot.notified();
            if let Some(degrees) = *self.fired.lock().unwrap() {
                return degrees;
            }
            hot.await;
        }
    }
}

#[derive(Default)]
struct Belt {
    parts: Vec<u32>,
    stopped: bool,
}

#[derive(Default)]
pub struct Line {
    belt: Mutex<Belt>,
    moved: Condvar,
}

fn weigh(part: u32) -> Result<u32, String> {
    part.checked_mul(2).ok_or_else(String::new)
}

impl Line {
    pub fn put(&self, part: u32) {
        self.belt.lock().unwrap().parts.push(part);
        self.moved.notify_one();
    }

    pub fn put_and_weigh(&self, part: u32) -> Result<u32, String> {
        self.belt.lock().unwrap().parts.push(part); //~ lost-wakeup note
        let weight = weigh(part)?;
        self.moved.notify_one();
        Ok(weight)
    }

    pub fn stop_silently(&self) {
        self.belt.lock().unwrap().stopped = true; //~ lost-wakeup note
    }

    pub fn stop(&self) {
        self.mark_stopped();
        self.moved.notify_all();
    }

    fn mark_stopped(&self) {
        self.belt.lock().unwrap().stopped = true;
    }

    pub fn take(&self) -> Option<u32> {
        let mut belt = self.belt.lock().unwrap();
        loop {
            if belt.stopped {
                return None;
            }
            if let Some(part) = belt.parts.pop() {
                return Some(part);
            }
            belt = self.moved.wait(belt).unwrap();
        }
    }
}

pub struct Curtain {
    up: AtomicBool,
    raised: Event,
}

impl Curtain {
    pub fn raise(&self) {
        self.raised.notify(1);
        self.up.store(true, Ordering::SeqCst); //~ lost-wakeup warning
    }

    pub fn raise_well(&self) {
        self.up.store(true, Ordering::SeqCst);
        self.raised.notify(1);
    }

    pub async fn is_up(&self) {
        loop {
            let raised = self.raised.listen();
            if self.up.load(Ordering::SeqCst) {
                return;
            }
            raised.await;
        }
    }
}
