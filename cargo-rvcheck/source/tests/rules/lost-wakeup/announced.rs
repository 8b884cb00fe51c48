//! Waiters that say that they wait, to those who notify only where somebody does.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use tokio::sync::Notify;

struct Kitchen {
    orders: Mutex<VecDeque<u32>>,
    is_idle: AtomicBool,
}

/// A cook who lies down after the last look for orders.
struct Cook {
    kitchen: Arc<Kitchen>,
}

impl Cook {
    fn cooks(&self) {
        loop {
            let order = self.kitchen.orders.lock().unwrap().pop_front();
            match order {
                Some(0) => return,
                Some(_) => {}
                None => self.rests(),
            }
        }
    }

    fn rests(&self) {
        self.kitchen.is_idle.store(true, Ordering::SeqCst);
        thread::park(); //~ lost-wakeup warning
        self.kitchen.is_idle.store(false, Ordering::SeqCst);
    }
}

pub struct Restaurant {
    kitchen: Arc<Kitchen>,
    cook: Thread,
}

impl Restaurant {
    pub fn opens() -> Restaurant {
        let kitchen = Arc::new(Kitchen { orders: Mutex::default(), is_idle: AtomicBool::new(false) });
        let cook = Cook { kitchen: kitchen.clone() };
        let thread = thread::spawn(move || cook.cooks());
        Restaurant { kitchen, cook: thread.thread().clone() }
    }

    fn calls(&self) {
        if self.kitchen.is_idle.load(Ordering::SeqCst) {
            self.cook.unpark();
        }
    }

    pub fn orders(&self, order: u32) {
        self.kitchen.orders.lock().unwrap().push_back(order);
        self.calls();
    }
}

struct Bakery {
    loaves: Mutex<VecDeque<u32>>,
    is_idle: AtomicBool,
}

/// The same, with another look behind that.
struct Baker {
    bakery: Arc<Bakery>,
}

impl Baker {
    fn bakes(&self) {
        loop {
            let loaf = self.bakery.loaves.lock().unwrap().pop_front();
            match loaf {
                Some(0) => return,
                Some(_) => {}
                None => self.rests(),
            }
        }
    }

    fn rests(&self) {
        self.bakery.is_idle.store(true, Ordering::SeqCst);
        if self.bakery.loaves.lock().unwrap().is_empty() {
            thread::park();
        }
        self.bakery.is_idle.store(false, Ordering::SeqCst);
    }
}

pub struct Shop {
    bakery: Arc<Bakery>,
    baker: Thread,
}

impl Shop {
    pub fn opens() -> Shop {
        let bakery = Arc::new(Bakery { loaves: Mutex::default(), is_idle: AtomicBool::new(false) });
        let baker = Baker { bakery: bakery.clone() };
        let thread = thread::spawn(move || baker.bakes());
        Shop { bakery, baker: thread.thread().clone() }
    }

    pub fn orders(&self, loaf: u32) {
        self.bakery.loaves.lock().unwrap().push_back(loaf);
        if self.bakery.is_idle.load(Ordering::SeqCst) {
            self.baker.unpark();
        }
    }
}

/// A notification that is stored, given only where somebody is counted.
#[derive(Default)]
pub struct Counter {
    parcels: Mutex<VecDeque<u32>>,
    customers: AtomicUsize,
    arrived: Notify,
}

impl Counter {
    pub fn brings(&self, parcel: u32) {
        self.parcels.lock().unwrap().push_back(parcel);
        if self.customers.load(Ordering::SeqCst) > 0 {
            self.arrived.notify_one();
        }
    }

    pub async fn fetches(&self) -> u32 {
        loop {
            if let Some(parcel) = self.parcels.lock().unwrap().pop_front() {
                return parcel;
            }
            self.customers.fetch_add(1, Ordering::SeqCst);
            self.arrived.notified().await; //~ lost-wakeup warning
            self.customers.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// The same, counted before the look.
#[derive(Default)]
pub struct Desk {
    letters: Mutex<VecDeque<u32>>,
    customers: AtomicUsize,
    arrived: Notify,
}

impl Desk {
    pub fn brings(&self, letter: u32) {
        self.letters.lock().unwrap().push_back(letter);
        if self.customers.load(Ordering::SeqCst) > 0 {
            self.arrived.notify_one();
        }
    }

    pub async fn fetches(&self) -> u32 {
        self.customers.fetch_add(1, Ordering::SeqCst);
        loop {
            if let Some(letter) = self.letters.lock().unwrap().pop_front() {
                self.customers.fetch_sub(1, Ordering::SeqCst);
                return letter;
            }
            self.arrived.notified().await;
        }
    }
}

/// What is there and whether somebody waits is one word, and an exchange looks at both at once.
struct Bell {
    word: AtomicUsize,
    cups: AtomicUsize,
    waiter: Thread,
}

impl Bell {
    fn waits(&self) {
        if self.cups.load(Ordering::Acquire) > 0 {
            return;
        }
        if self.word.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            thread::park();
        }
    }

    fn rings(&self) {
        self.cups.fetch_add(1, Ordering::Release);
        if self.word.swap(2, Ordering::AcqRel) == 1 {
            self.waiter.unpark();
        }
    }
}

/// To add nothing is to look.
impl Bell {
    fn counts(&self) -> usize {
        self.cups.fetch_add(0, Ordering::Release)
    }
}
