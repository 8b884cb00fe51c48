//! Foreign code that runs while a lock is held, and takes it again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, Once, OnceLock, RwLock, Weak};

// Functions that are stored, and called under the lock of what stores them.

type Bell = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
pub struct Tower {
    bells: parking_lot::Mutex<Vec<Bell>>,
    rung: parking_lot::Mutex<Vec<String>>,
}

impl Tower {
    pub fn hang(&self, bell: impl Fn(&str) + Send + Sync + 'static) {
        self.bells.lock().push(Box::new(bell)); //~ double-lock warning
    }

    pub fn ring(&self, hour: &str) {
        for bell in self.bells.lock().iter() {
            bell(hour);
        }
        self.rung.lock().push(hour.to_owned());
    }

    pub fn last(&self) -> Option<String> {
        self.rung.lock().last().cloned()
    }
}

pub fn hang_at_noon(tower: &Arc<Tower>) {
    let same = Arc::downgrade(tower);
    tower.hang(move |hour| {
        if hour == "noon" {
            if let Some(tower) = same.upgrade() {
                tower.hang(|_| {});
            }
        }
    });
}

// A trait object that has a way back.

pub trait Gauge: Send + Sync {
    fn level(&self, of: u32);
}

#[derive(Default)]
pub struct Basin {
    gauges: RwLock<HashMap<u32, Arc<dyn Gauge>>>,
}

impl Basin {
    pub fn fill(&self, of: u32) {
        let gauges = self.gauges.read().unwrap();
        if let Some(gauge) = gauges.get(&of) {
            gauge.level(of);
        }
    }

    pub fn empty(&self, of: u32) {
        let gauge = self.gauges.write().unwrap().remove(&of); //~ double-lock warning
        drop(gauge);
    }
}

pub struct Overflow {
    basin: Weak<Basin>,
}

impl Gauge for Overflow {
    fn level(&self, of: u32) {
        if let Some(basin) = self.basin.upgrade() {
            basin.empty(of);
        }
    }
}

// A trait object that is given what calls it.

pub trait Guest {
    fn greet(&self, house: &House);
}

#[derive(Default)]
pub struct House {
    guests: Mutex<Vec<Box<dyn Guest>>>,
}

impl House {
    pub fn open(&self) {
        for guest in self.guests.lock().unwrap().iter() {
            guest.greet(self);
        }
    }

    pub fn count(&self) -> usize {
        self.guests.lock().unwrap().len() //~ double-lock warning
    }
}

pub struct Neighbour;

impl Guest for Neighbour {
    fn greet(&self, house: &House) {
        house.count();
    }
}

// What is removed gives itself back.

#[derive(Default)]
pub struct Rack {
    coats: Mutex<HashMap<u32, Coat>>,
    free: Mutex<Vec<u32>>,
}

pub struct Coat {
    rack: Arc<Rack>,
    hook: u32,
}

impl Drop for Coat {
    fn drop(&mut self) {
        self.rack.note(self.hook);
    }
}

impl Rack {
    fn note(&self, hook: u32) {
        let coats = self.coats.lock().unwrap(); //~ double-lock warning
        if coats.len() < 9 {
            self.free.lock().unwrap().push(hook);
        }
    }

    pub fn replace(&self, hook: u32, coat: Coat) {
        let mut coats = self.coats.lock().unwrap();
        coats.insert(hook, coat);
    }

    pub fn clear(&self) {
        self.coats.lock().unwrap().clear();
    }
}

// A closure goes through two functions before it is called.

#[derive(Default)]
pub struct Ledge {
    rows: Mutex<Vec<u32>>,
}

impl Ledge {
    fn each(&self, of: impl Fn(u32)) {
        let rows = self.rows.lock().unwrap();
        for row in rows.iter() {
            of(*row);
        }
    }

    fn odd(&self, of: impl Fn(u32)) {
        self.each(|row| {
            if row % 2 == 1 {
                of(row);
            }
        });
    }

    pub fn double(&self) {
        self.odd(|row| self.rows.lock().unwrap().push(row * 2)); //~ double-lock
    }
}

// What has the lock is handed to a function of the caller.

#[derive(Clone)]
pub struct Fault {
    cause: Arc<Mutex<String>>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause.lock().unwrap()) //~ double-lock warning
    }
}

pub fn explain<R>(fault: &Fault, of: impl FnOnce(Fault) -> R) -> Option<R> {
    let cause = fault.cause.lock().unwrap(); //~ double-lock warning
    if cause.is_empty() {
        return None;
    }
    Some(of(fault.clone()))
}

pub fn print(fault: &Fault) {
    let cause = fault.cause.lock().unwrap();
    println!("{} {fault}", cause.len());
}

// What is initialised once is asked for by what initialises it.

pub trait Part: Sync {
    fn value(&self) -> u32;
}

pub struct Whole {
    sum: OnceLock<u32>,
    begun: Once,
    parts: Vec<Box<dyn Part + Send>>,
}

impl Whole {
    pub fn sum(&self) -> u32 {
        *self.sum.get_or_init(|| self.parts.iter().map(|it| it.value()).sum::<u32>() + self.half())
    }

    fn half(&self) -> u32 {
        self.begun.call_once(|| {});
        7
    }
}
