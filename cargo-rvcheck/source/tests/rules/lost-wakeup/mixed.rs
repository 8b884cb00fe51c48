//! One notification where several waiters may need it.

use parking_lot::{Condvar as PlCondvar, Mutex as Lock};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

pub struct Shelf {
    jars: Mutex<Vec<u32>>,
    room: usize,
    changed: Condvar,
}

impl Shelf {
    pub fn stack(&self, jar: u32) {
        let mut jars = self.jars.lock().unwrap();
        while jars.len() >= self.room {
            jars = self.changed.wait(jars).unwrap();
        }
        jars.push(jar);
        self.changed.notify_one(); //~ lost-wakeup warning
    }

    pub fn fetch(&self) -> u32 {
        let mut jars = self.jars.lock().unwrap();
        while jars.is_empty() {
            jars = self.changed.wait(jars).unwrap();
        }
        let jar = jars.pop().unwrap();
        self.changed.notify_one(); //~ lost-wakeup warning
        jar
    }
}

pub struct Rack {
    jars: parking_lot::Mutex<Vec<u32>>,
    room: usize,
    emptied: parking_lot::Condvar,
    filled: parking_lot::Condvar,
}

impl Rack {
    pub fn stack(&self, jar: u32) {
        let mut jars = self.jars.lock();
        while jars.len() >= self.room {
            self.emptied.wait(&mut jars);
        }
        jars.push(jar);
        self.filled.notify_one();
    }

    pub fn fetch(&self) -> u32 {
        let mut jars = self.jars.lock();
        while jars.is_empty() {
            self.filled.wait(&mut jars);
        }
        let jar = jars.pop().unwrap();
        self.emptied.notify_one();
        jar
    }
}

#[derive(Default)]
struct Tray {
    plates: Vec<u32>,
    cleared: bool,
}

#[derive(Default)]
pub struct Hatch {
    tray: Mutex<Tray>,
    served: Condvar,
}

impl Hatch {
    pub fn serve(&self, plate: u32) {
        self.tray.lock().unwrap().plates.push(plate);
        self.served.notify_one();
    }

    pub fn close(&self) {
        self.tray.lock().unwrap().cleared = true;
        self.served.notify_one(); //~ lost-wakeup warning
    }

    pub fn next(&self) -> Option<u32> {
        let mut tray = self.tray.lock().unwrap();
        loop {
            if let Some(plate) = tray.plates.pop() {
                return Some(plate);
            }
            if tray.cleared {
                return None;
            }
            tray = self.served.wait(tray).unwrap();
        }
    }
}

#[derive(Default)]
pub struct Window {
    shut: Mutex<bool>,
    served: Condvar,
}

impl Window {
    pub fn close(&self) {
        *self.shut.lock().unwrap() = true;
        self.served.notify_all();
    }

    pub fn next(&self) -> bool {
        let mut shut = self.shut.lock().unwrap();
        while !*shut {
            shut = self.served.wait(shut).unwrap();
        }
        true
    }
}

#[derive(Default)]
struct Sign {
    lit: bool,
}

/// Both have a sign of their own, and one of them nobody waits for.
#[derive(Default)]
pub struct Street {
    north: Mutex<Sign>,
    south: Mutex<Sign>,
    lit: Condvar,
}

impl Street {
    pub fn light_north(&self) {
        self.north.lock().unwrap().lit = true;
        self.lit.notify_all();
    }

    pub fn light_south(&self) {
        self.south.lock().unwrap().lit = true;
    }

    pub fn wait(&self) {
        let mut north = self.north.lock().unwrap();
        while !north.lit {
            north = self.lit.wait(north).unwrap();
        }
    }
}

#[derive(Default)]
struct Crate {
    apples: VecDeque<u32>,
    is_sold: bool,
}

/// A stall where whoever likes takes apples.
pub struct Stall {
    stock: Lock<Crate>,
    stocked: PlCondvar,
    told: Notify,
}

impl Stall {
    pub fn stocks(&self, apple: u32) {
        let mut stock = self.stock.lock();
        let was_empty = stock.apples.is_empty();
        stock.apples.push_back(apple);
        if was_empty {
            self.stocked.notify_one(); //~ lost-wakeup warning
        }
        self.told.notify_one();
    }

    pub fn stocks_each(&self, apple: u32) {
        let mut stock = self.stock.lock();
        stock.apples.push_back(apple);
        self.stocked.notify_one();
        self.told.notify_one();
    }

    pub fn sells_out(&self) {
        self.stock.lock().is_sold = true;
        self.stocked.notify_all();
        self.told.notify_one(); //~ lost-wakeup warning
    }

    pub fn takes(&self) -> Option<u32> {
        let mut stock = self.stock.lock();
        loop {
            if let Some(apple) = stock.apples.pop_front() {
                return Some(apple);
            }
            if stock.is_sold {
                return None;
            }
            self.stocked.wait(&mut stock);
        }
    }

    fn tries(&self) -> Option<Option<u32>> {
        let mut stock = self.stock.lock();
        if let Some(apple) = stock.apples.pop_front() {
            return Some(Some(apple));
        }
        if stock.is_sold { Some(None) } else { None }
    }

    pub async fn takes_later(&self) -> Option<u32> {
        loop {
            if let Some(it) = self.tries() {
                return it;
            }
            self.told.notified().await; //~ lost-wakeup note
        }
    }
}
