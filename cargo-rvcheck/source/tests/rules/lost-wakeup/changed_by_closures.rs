//! Changes that a closure makes, which is run under the lock by the helper that it is given to, and that notifies behind it.

use event_listener::Event;
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

pub struct Kiln {
    heat: parking_lot::Mutex<Heat>,
    turned: Event,
}

struct Heat {
    is_hot: bool,
    shelves: usize,
}

impl Kiln {
    fn turn<R>(&self, by: impl FnOnce(&mut Heat) -> R) -> R {
        let result = by(&mut self.heat.lock());
        self.turned.notify(usize::MAX);
        result
    }

    fn try_fire(&self) -> bool {
        let mut heat = self.heat.lock();
        if !heat.is_hot {
            return false;
        }
        heat.shelves += 1;
        true
    }

    pub fn light(&self) {
        self.turn(|it| it.is_hot = true);
    }

    pub fn unload(&self) -> usize {
        self.turn(|it| std::mem::take(&mut it.shelves))
    }

    pub async fn listens_late(&self) {
        while !self.try_fire() {
            self.turned.listen().await; //~ lost-wakeup warning
        }
    }

    pub async fn listens_first(&self) {
        loop {
            let turned = self.turned.listen();
            if self.try_fire() {
                return;
            }
            turned.await;
        }
    }
}

pub struct Orchard {
    ripe: Mutex<u32>,
    ripened: Notify,
}

impl Orchard {
    fn with<R>(&self, f: impl FnOnce(&mut u32) -> R) -> R {
        let mut ripe = self.ripe.lock().unwrap();
        let result = f(&mut ripe);
        drop(ripe);
        self.ripened.notify_waiters();
        result
    }

    fn is_ripe(&self) -> bool {
        *self.ripe.lock().unwrap() > 0
    }

    pub fn ripen(&self) {
        self.with(|it| *it += 1);
    }

    pub async fn looks_first(&self) {
        if self.is_ripe() {
            return;
        }
        self.ripened.notified().await; //~ lost-wakeup warning
    }

    pub async fn notices(&self) {
        let ripened = self.ripened.notified();
        if self.is_ripe() {
            return;
        }
        ripened.await;
    }
}

pub struct Weir {
    level: Mutex<u32>,
    rose: Condvar,
}

impl Weir {
    fn with<R>(&self, f: impl FnOnce(&mut u32) -> R) -> R {
        let result = f(&mut self.level.lock().unwrap());
        self.rose.notify_all();
        result
    }

    pub fn rise(&self) {
        self.with(|it| *it += 1);
    }

    pub fn wait(&self) {
        let mut level = self.level.lock().unwrap();
        while *level == 0 {
            level = self.rose.wait(level).unwrap();
        }
    }
}
