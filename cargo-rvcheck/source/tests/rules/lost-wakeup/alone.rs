//! Changes that whoever waits makes itself when it ends: nobody is left that waits for them.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

#[derive(Default)]
struct Orders {
    open: Vec<u32>,
    is_closed: bool,
}

#[derive(Default)]
struct Kitchen {
    orders: Mutex<Orders>,
    ordered: Condvar,
    served: Condvar,
}

impl Kitchen {
    fn next(&self) -> Option<u32> {
        let mut orders = self.orders.lock();
        self.ordered.wait_while(&mut orders, |it| it.open.is_empty() && !it.is_closed);
        orders.open.pop()
    }

    fn close(&self) {
        self.orders.lock().is_closed = true;
        self.ordered.notify_all();
    }

    pub fn order(&self, dish: u32) {
        let mut orders = self.orders.lock();
        if !orders.is_closed {
            orders.open.push(dish);
            self.ordered.notify_one();
        }
    }

    pub fn wait_until_served(&self) {
        let mut orders = self.orders.lock();
        while !orders.open.is_empty() {
            self.served.wait(&mut orders);
        }
    }
}

/// Closes when the cook goes, also where a dish goes wrong.
struct Leaves<'a>(&'a Kitchen);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        let mut orders = self.0.orders.lock();
        orders.is_closed = true;
        orders.open.clear();
        self.0.served.notify_all();
    }
}

fn cooks(kitchen: &Kitchen) -> u32 {
    let _leaves = Leaves(kitchen);
    let mut dishes = 0;
    while let Some(dish) = kitchen.next() {
        dishes += dish;
        kitchen.served.notify_all();
    }
    dishes
}

pub struct Restaurant {
    kitchen: Arc<Kitchen>,
    cook: JoinHandle<u32>,
}

impl Restaurant {
    pub fn opens() -> Restaurant {
        let kitchen = Arc::new(Kitchen::default());
        let own = Arc::clone(&kitchen);
        let cook = thread::spawn(move || cooks(&own));
        Restaurant { kitchen, cook }
    }

    pub fn closes(self) -> u32 {
        self.kitchen.close();
        self.cook.join().unwrap()
    }
}
