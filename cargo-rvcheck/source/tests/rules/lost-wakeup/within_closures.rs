//! Waits of condition variables in closures: the loop stands around what runs the closure.

use std::sync::{Condvar, Mutex, MutexGuard};

pub struct Airship {
    afloat: parking_lot::Mutex<bool>,
    rose: parking_lot::Condvar,
}

fn measured<R>(f: impl FnOnce() -> R) -> R {
    println!("begins");
    f()
}

impl Airship {
    pub fn looped(&self) {
        let mut afloat = self.afloat.lock();
        while !*afloat {
            measured(|| self.rose.wait(&mut afloat));
        }
    }

    pub fn once(&self) {
        let mut afloat = self.afloat.lock();
        if !*afloat {
            measured(|| self.rose.wait(&mut afloat)); //~ lost-wakeup warning
        }
    }

    pub fn rise(&self) {
        *self.afloat.lock() = true;
        self.rose.notify_all();
    }
}

pub struct Turnstile {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Turnstile {
    fn wait_once<'a>(&self, open: MutexGuard<'a, bool>) -> MutexGuard<'a, bool> {
        measured(|| self.opened.wait(open).unwrap())
    }

    pub fn pass(&self) {
        let mut open = self.open.lock().unwrap();
        while !*open {
            open = self.wait_once(open);
        }
    }

    pub fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}
