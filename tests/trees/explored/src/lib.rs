//! A shop whose faults only other schedules show, and what is right with it.

pub mod desk;
pub mod door;
pub mod prices;

use std::sync::Mutex;

/// Things to sell, and the money for them.
#[derive(Default)]
pub struct Shop {
    stock: Mutex<u32>,
    till: Mutex<u32>,
}

impl Shop {
    /// With so many things.
    pub fn with(stock: u32) -> Shop {
        Shop { stock: Mutex::new(stock), ..Shop::default() }
    }

    /// Sells one, if there is one: another seller may take the last one between the two.
    pub fn sell(&self) -> bool {
        if *self.stock.lock().unwrap() == 0 {
            return false;
        }
        let mut stock = self.stock.lock().unwrap();
        *stock = stock.checked_sub(1).expect("there was one"); // panics
        *self.till.lock().unwrap() += 1;
        true
    }

    /// Sells one in one step.
    pub fn sell_at_once(&self) -> bool {
        let mut stock = self.stock.lock().unwrap();
        let is_there = *stock > 0;
        *stock -= u32::from(is_there);
        *self.till.lock().unwrap() += u32::from(is_there);
        is_there
    }

    /// Takes one back: the till first, and then the stock.
    pub fn take_back(&self) {
        let mut till = self.till.lock().unwrap();
        *self.stock.lock().unwrap() += 1; // waits for the stock
        *till -= 1;
    }

    /// Gives the money for one back: nobody may have bought any yet.
    pub fn refund(&self) {
        let mut till = self.till.lock().unwrap();
        *till = till.checked_sub(1).expect("one was sold"); // panics
    }

    /// What was sold, if nobody sells meanwhile.
    pub fn sold(&self) -> u32 {
        *self.till.lock().unwrap()
    }
}
