//! Foreign code that does not run while the lock is held, or that takes another one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock, Weak};

type Bell = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
pub struct Tower {
    bells: parking_lot::Mutex<Vec<Bell>>,
}

impl Tower {
    pub fn hang(&self, bell: impl Fn(&str) + Send + Sync + 'static) {
        self.bells.lock().push(Arc::new(bell));
    }

    pub fn ring(&self, hour: &str) {
        let bells = self.bells.lock().clone();
        for bell in &bells {
            bell(hour);
        }
    }
}

pub fn hang_at_noon(tower: &Arc<Tower>) {
    let same = Arc::downgrade(tower);
    tower.hang(move |_| {
        if let Some(tower) = same.upgrade() {
            tower.hang(|_| {});
        }
    });
}

// A function that only one may call at a time is all that the lock is around.

pub struct Alarm {
    sound: Mutex<Box<dyn FnMut(u32) + Send>>,
    rung: Mutex<u32>,
}

impl Alarm {
    pub fn ring(&self, times: u32) {
        let mut sound = self.sound.lock().unwrap();
        sound(times);
        drop(sound);
        *self.rung.lock().unwrap() += times;
    }
}

// Each of a tree has a lock of its own.

pub trait Branch: Send + Sync {
    fn weight(&self) -> u32;
}

#[derive(Default)]
pub struct Fork {
    arms: RwLock<Vec<Arc<dyn Branch>>>,
}

impl Branch for Fork {
    fn weight(&self) -> u32 {
        self.arms.read().unwrap().iter().map(|it| it.weight()).sum()
    }
}

impl Fork {
    pub fn add(&self, arm: Arc<dyn Branch>) {
        self.arms.write().unwrap().push(arm);
    }
}

// What is removed goes when the lock is free.

#[derive(Default)]
pub struct Rack {
    coats: Mutex<HashMap<u32, Coat>>,
}

pub struct Coat {
    rack: Weak<Rack>,
    hook: u32,
}

impl Drop for Coat {
    fn drop(&mut self) {
        if let Some(rack) = self.rack.upgrade() {
            let gone = rack.coats.lock().unwrap().remove(&self.hook);
            drop(gone);
        }
    }
}

impl Rack {
    pub fn replace(&self, hook: u32, coat: Coat) {
        let before = self.coats.lock().unwrap().insert(hook, coat);
        drop(before);
    }

    pub fn clear(&self) {
        let all = std::mem::take(&mut *self.coats.lock().unwrap());
        drop(all);
    }
}

// A closure is given what it is to look at, and takes another lock.

#[derive(Default)]
pub struct Ledge {
    rows: Mutex<Vec<u32>>,
    sums: Mutex<Vec<u32>>,
}

impl Ledge {
    pub fn with<R>(&self, of: impl FnOnce(&mut Vec<u32>) -> R) -> R {
        of(&mut self.rows.lock().unwrap())
    }

    pub fn sum(&self, other: &Ledge) {
        self.with(|rows| {
            self.sums.lock().unwrap().push(rows.iter().sum());
            other.rows.lock().unwrap().clear();
        });
    }
}

// A function makes the repair of a pump, and its caller puts it into the ledger of the station: it writes into that of the pump.
type Repair = Box<dyn Fn() + Send + Sync>;
#[derive(Clone, Default)]
pub struct Ledger {
    lines: Arc<Mutex<Lines>>,
}
#[derive(Default)]
struct Lines {
    repairs: Vec<Repair>,
    written: u32,
}
fn repair(own: Ledger) -> Repair {
    Box::new(move || own.lines.lock().unwrap().written += 1) //~ double-lock note
}
impl Ledger {
    pub fn employ(&self, pump: &Ledger) {
        let repair = repair(pump.clone());
        self.lines.lock().unwrap().repairs.push(repair);
    }
    pub fn repair_all(&self) {
        let lines = self.lines.lock().unwrap();
        for repair in &lines.repairs {
            repair();
        }
    }
}
