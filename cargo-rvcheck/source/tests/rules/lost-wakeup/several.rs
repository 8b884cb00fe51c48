//! Several items or permits at once, and one notification.

use event_listener::Event;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use tokio::sync::Notify;

pub struct Harbour {
    berths: parking_lot::Mutex<u32>,
    left: Notify,
}

impl Harbour {
    fn is_moored(&self, count: u32) -> bool {
        let mut berths = self.berths.lock();
        match berths.checked_sub(count) {
            Some(rest) => {
                *berths = rest;
                true
            }
            None => false,
        }
    }

    pub fn leaves(&self, count: u32) {
        *self.berths.lock() += count;
        self.left.notify_one(); //~ lost-wakeup warning
    }

    pub async fn moors(&self, count: u32) {
        loop {
            let left = self.left.notified();
            if self.is_moored(count) {
                return;
            }
            left.await;
        }
    }
}

/// The same, and all are told.
pub struct Marina {
    berths: parking_lot::Mutex<u32>,
    left: Notify,
}

impl Marina {
    fn is_moored(&self, count: u32) -> bool {
        let mut berths = self.berths.lock();
        match berths.checked_sub(count) {
            Some(rest) => {
                *berths = rest;
                true
            }
            None => false,
        }
    }

    pub fn leaves(&self, count: u32) {
        *self.berths.lock() += count;
        self.left.notify_waiters();
    }

    pub async fn moors(&self, count: u32) {
        loop {
            let left = self.left.notified();
            if self.is_moored(count) {
                return;
            }
            left.await;
        }
    }
}

#[derive(Default)]
pub struct Orchard {
    apples: Mutex<VecDeque<u32>>,
    fallen: Condvar,
}

impl Orchard {
    pub fn shakes(&self, apples: Vec<u32>) {
        self.apples.lock().unwrap().extend(apples);
        self.fallen.notify_one(); //~ lost-wakeup warning
    }

    pub fn shakes_and_calls(&self, apples: Vec<u32>) {
        self.apples.lock().unwrap().extend(apples);
        self.fallen.notify_all();
    }

    pub fn picks(&self) -> u32 {
        let mut apples = self.apples.lock().unwrap();
        loop {
            if let Some(apple) = apples.pop_front() {
                return apple;
            }
            apples = self.fallen.wait(apples).unwrap();
        }
    }
}

/// Whoever takes one tells the next.
pub struct Meadow {
    flowers: Mutex<VecDeque<u32>>,
    grown: Event,
}

impl Meadow {
    pub fn grows(&self, flowers: Vec<u32>) {
        self.flowers.lock().unwrap().extend(flowers);
        self.grown.notify(1);
    }

    pub async fn picks(&self) -> u32 {
        loop {
            let grown = self.grown.listen();
            let flower = self.flowers.lock().unwrap().pop_front();
            if let Some(flower) = flower {
                self.grown.notify(1);
                return flower;
            }
            grown.await;
        }
    }
}

/// Tickets of which each stall has its own: its seller alone waits for them.
pub mod of_one_seller {
    use super::*;
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Default)]
    struct Printed {
        left: usize,
        closed: bool,
    }

    #[derive(Default)]
    struct Tickets {
        printed: Mutex<Printed>,
        more: Condvar,
    }

    impl Tickets {
        fn with(left: usize) -> Tickets {
            Tickets { printed: Mutex::new(Printed { left, closed: false }), more: Condvar::new() }
        }

        fn sells(&self) -> bool {
            let mut printed = self.printed.lock();
            while printed.left == 0 && !printed.closed {
                self.more.wait(&mut printed);
            }
            if printed.closed {
                return false;
            }
            printed.left -= 1;
            true
        }

        fn prints(&self, count: usize) {
            self.printed.lock().left += count;
            self.more.notify_one();
        }
    }

    pub struct Stall {
        tickets: Arc<Tickets>,
    }

    impl Stall {
        pub fn open(mut buyers: VecDeque<u32>) -> Stall {
            let tickets = Arc::new(Tickets::with(1));
            let its = Arc::clone(&tickets);
            let seller = thread::spawn(move || {
                while buyers.pop_front().is_some() && its.sells() {}
            });
            drop(seller);
            Stall { tickets }
        }

        pub fn prints(&self, count: usize) {
            self.tickets.prints(count);
        }

        pub fn closes(&self) {
            self.tickets.printed.lock().closed = true;
            self.tickets.more.notify_all();
        }
    }
}

/// The same, with two sellers of one stall.
pub mod of_two_sellers {
    use super::*;
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    #[derive(Default)]
    struct Issued {
        left: usize,
        closed: bool,
    }

    #[derive(Default)]
    struct Coupons {
        issued: Mutex<Issued>,
        more: Condvar,
    }

    impl Coupons {
        fn hands_out(&self) -> bool {
            let mut issued = self.issued.lock();
            while issued.left == 0 && !issued.closed {
                self.more.wait(&mut issued);
            }
            if issued.closed {
                return false;
            }
            issued.left -= 1;
            true
        }

        fn issues(&self, count: usize) {
            self.issued.lock().left += count;
            self.more.notify_one(); //~ lost-wakeup
        }
    }

    pub struct Booth {
        coupons: Arc<Coupons>,
    }

    impl Booth {
        pub fn open(sellers: usize) -> Booth {
            let coupons = Arc::new(Coupons::default());
            for _ in 0..sellers {
                let its = Arc::clone(&coupons);
                drop(thread::spawn(move || its.hands_out()));
            }
            Booth { coupons }
        }

        pub fn issues(&self, count: usize) {
            self.coupons.issues(count);
        }

        pub fn closes(&self) {
            self.coupons.issued.lock().closed = true;
            self.coupons.more.notify_all();
        }
    }
}
