//! Maps that lock a part of themselves are locks like others: what has an entry of one waits for the other one.

use dashmap::DashMap;
use dashmap::mapref::one::RefMut;
use std::sync::Mutex;

#[derive(Default)]
pub struct Harbour {
    ships: DashMap<u32, Vec<u32>>,
    berths: DashMap<u32, Option<u32>>,
}

impl Harbour {
    pub fn moor(&self, ship: u32, berth: u32) {
        let mut place = self.berths.entry(berth).or_default();
        *place = Some(ship);
        self.called_at(ship, berth);
    }

    fn called_at(&self, ship: u32, berth: u32) {
        self.ships.entry(ship).or_default().push(berth); //~ lock-order
    }

    pub fn cast_off(&self, ship: u32) {
        if let Some(calls) = self.ships.get(&ship) {
            calls.iter().for_each(|berth| self.free(*berth));
        }
    }

    fn free(&self, berth: u32) {
        if let Some(mut it) = self.berths.get_mut(&berth) {
            *it = None;
        }
    }
}

#[derive(Default)]
pub struct Quay {
    cranes: DashMap<u32, u32>,
    shifts: Mutex<Vec<u32>>,
}

impl Quay {
    fn crane(&self, number: u32) -> RefMut<'_, u32, u32> {
        self.cranes.entry(number).or_default()
    }

    pub fn begin_shift(&self, number: u32) {
        let mut crane = self.crane(number);
        *crane += 1;
        self.shifts.lock().unwrap().push(number);
    }

    pub fn end_shifts(&self) {
        let mut shifts = self.shifts.lock().unwrap();
        for number in shifts.drain(..) {
            self.cranes.remove(&number); //~ lock-order
        }
    }
}

/// The same, always in one order.
#[derive(Default)]
pub struct Dock {
    cranes: DashMap<u32, u32>,
    shifts: Mutex<Vec<u32>>,
}

impl Dock {
    pub fn begin_shift(&self, number: u32) {
        let mut crane = self.cranes.entry(number).or_default();
        *crane += 1;
        self.shifts.lock().unwrap().push(number);
    }

    pub fn end_shifts(&self) {
        let ended = std::mem::take(&mut *self.shifts.lock().unwrap());
        for number in ended {
            self.cranes.remove(&number);
        }
    }

    pub fn looks_first(&self, number: u32) -> bool {
        let is_known = self.cranes.contains_key(&number);
        is_known && self.shifts.lock().unwrap().contains(&number)
    }
}
