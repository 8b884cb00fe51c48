//! Lock dependencies of which each test shows one half of an inversion, and which the source does not distinguish.

use std::sync::Mutex;

pub trait Counter {
    fn with(&self, then: &mut dyn FnMut(&mut u32));
}

pub struct Stock {
    pieces: Mutex<u32>,
}

pub struct Till {
    coins: Mutex<u32>,
}

impl Counter for Stock {
    fn with(&self, then: &mut dyn FnMut(&mut u32)) {
        then(&mut self.pieces.lock().unwrap());
    }
}

impl Counter for Till {
    fn with(&self, then: &mut dyn FnMut(&mut u32)) {
        then(&mut self.coins.lock().unwrap());
    }
}

pub fn stock() -> Box<dyn Counter> {
    Box::new(Stock { pieces: Mutex::new(1) })
}

pub fn till() -> Box<dyn Counter> {
    Box::new(Till { coins: Mutex::new(1) })
}

/// One from the first to the second.
pub fn pass(from: &dyn Counter, to: &dyn Counter) {
    from.with(&mut |from| {
        *from -= 1;
        to.with(&mut |to| *to += 1);
    });
}

/// Whoever changes gold and cash has opened the door.
pub struct Safe {
    door: Mutex<()>,
    gold: Box<dyn Counter>,
    cash: Box<dyn Counter>,
}

pub fn safe() -> Safe {
    let gold = Box::new(Stock { pieces: Mutex::new(1) });
    let cash = Box::new(Till { coins: Mutex::new(1) });
    Safe { door: Mutex::new(()), gold, cash }
}

impl Safe {
    pub fn sell(&self) {
        let _door = self.door.lock().unwrap();
        pass(&*self.gold, &*self.cash);
    }

    pub fn buy(&self) {
        let _door = self.door.lock().unwrap();
        pass(&*self.cash, &*self.gold);
    }
}
