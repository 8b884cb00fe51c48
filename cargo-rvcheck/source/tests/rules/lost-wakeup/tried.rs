//! Waiters that try to get something by helpers of helpers, under a lock, and begin to wait after that.

use event_listener::Event;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

// One kiln for all: a method of what is behind the lock says whether it is free.
#[derive(Default)]
pub struct Firing {
    is_hot: bool,
    fired: u32,
}
impl Firing {
    fn begins(&mut self) -> bool {
        if self.is_hot {
            return false;
        }
        self.is_hot = true;
        self.fired += 1;
        true
    }
}
#[derive(Default)]
pub struct Kiln {
    firing: Mutex<Firing>,
    cooled: Notify,
}
pub struct Fired<'a>(&'a Kiln);
impl Drop for Fired<'_> {
    fn drop(&mut self) {
        self.0.firing().is_hot = false;
        self.0.cooled.notify_waiters();
    }
}
impl Kiln {
    fn firing(&self) -> MutexGuard<'_, Firing> {
        self.firing.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn tries(&self) -> Option<Fired<'_>> {
        let begun = self.firing().begins();
        begun.then(|| Fired(self))
    }
    pub async fn fires(&self) -> Fired<'_> {
        loop {
            if let Some(it) = self.tries() {
                return it;
            }
            self.cooled.notified().await; //~ lost-wakeup warning
        }
    }
}

// By an event, with an answer that is yes or no.
#[derive(Default)]
pub struct Loom {
    woven: parking_lot::Mutex<Weaving>,
    done: Event,
}
#[derive(Default)]
pub struct Weaving {
    is_busy: bool,
}
impl Weaving {
    fn takes(&mut self) -> bool {
        !std::mem::replace(&mut self.is_busy, true)
    }
    fn gives(&mut self) {
        self.is_busy = false;
    }
}
impl Loom {
    fn takes(&self) -> bool {
        self.woven.lock().takes()
    }
    pub async fn weaves(&self) {
        while !self.takes() {
            self.done.listen().await; //~ lost-wakeup warning
        }
    }
    pub fn is_done(&self) {
        self.woven.lock().gives();
        self.done.notify(usize::MAX);
    }
}

// A listener before each try.
#[derive(Default)]
pub struct Press {
    state: Mutex<Pressing>,
    done: Event,
}
#[derive(Default)]
pub struct Pressing {
    is_busy: bool,
}
impl Pressing {
    fn takes(&mut self) -> bool {
        if self.is_busy {
            return false;
        }
        self.is_busy = true;
        true
    }
}
impl Press {
    fn takes(&self) -> bool {
        self.state.lock().unwrap().takes()
    }
    pub async fn presses(&self) {
        loop {
            let done = self.done.listen();
            if self.takes() {
                return;
            }
            done.await;
        }
    }
    pub fn is_done(&self) {
        self.state.lock().unwrap().is_busy = false;
        self.done.notify(usize::MAX);
    }
}
