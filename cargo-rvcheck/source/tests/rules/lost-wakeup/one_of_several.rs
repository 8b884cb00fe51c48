//! Changes that one of several who wait makes when it ends: the others wait on.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

#[derive(Default)]
struct Loads {
    open: Vec<u32>,
    is_closed: bool,
}

#[derive(Default)]
struct Yard {
    loads: Mutex<Loads>,
    loaded: Condvar,
    served: Condvar,
}

impl Yard {
    fn next(&self) -> Option<u32> {
        let mut loads = self.loads.lock();
        self.loaded.wait_while(&mut loads, |it| it.open.is_empty() && !it.is_closed);
        loads.open.pop()
    }

    fn close(&self) {
        self.loads.lock().is_closed = true;
        self.loaded.notify_all();
    }

    pub fn order(&self, stone: u32) {
        let mut loads = self.loads.lock();
        if !loads.is_closed {
            loads.open.push(stone);
            self.loaded.notify_one();
        }
    }

    pub fn wait_until_served(&self) {
        let mut loads = self.loads.lock();
        while !loads.open.is_empty() {
            self.served.wait(&mut loads);
        }
    }
}

/// Closes when the worker goes, also where a stone goes wrong.
struct Goes<'a>(&'a Yard);

impl Drop for Goes<'_> {
    fn drop(&mut self) {
        let mut loads = self.0.loads.lock(); //~ lost-wakeup warning
        loads.is_closed = true;
        loads.open.clear();
        self.0.served.notify_all();
    }
}

fn works(yard: &Yard) -> u32 {
    let _goes = Goes(yard);
    let mut stones = 0;
    while let Some(stone) = yard.next() {
        stones += stone;
        yard.served.notify_all();
    }
    stones
}

pub struct Site {
    yard: Arc<Yard>,
    worker: [JoinHandle<u32>; 2],
}

impl Site {
    pub fn opens() -> Site {
        let yard = Arc::new(Yard::default());
        let start = || {
            let own = Arc::clone(&yard);
            thread::spawn(move || works(&own))
        };
        let worker = [start(), start()];
        Site { yard, worker }
    }

    pub fn closes(self) -> u32 {
        self.yard.close();
        self.worker.into_iter().map(|it| it.join().unwrap()).sum()
    }
}
