//! Things that go to the first in line, and to a shelf where nobody is in line. In a loop a notification of the round before is none of
//! the change: between them nobody was found to be in line.

use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::sync::{Notify, oneshot};

/// Looms for rent: whoever wants one looks and gets in line under one lock.
#[derive(Default)]
pub struct Rental {
    books: parking_lot::Mutex<Books>,
}

#[derive(Default)]
struct Books {
    free: Vec<u32>,
    line: VecDeque<oneshot::Sender<u32>>,
    broken: u32,
}

impl Rental {
    pub async fn rents(&self) -> Option<u32> {
        let (to_me, given) = oneshot::channel();
        {
            let mut books = self.books.lock();
            if let Some(loom) = books.free.pop() {
                return Some(loom);
            }
            books.line.push_back(to_me);
        }
        given.await.ok()
    }

    pub fn returns(&self, mut loom: u32) {
        loop {
            let mut books = self.books.lock();
            let Some(first) = books.line.pop_front() else {
                books.free.push(loom);
                return;
            };
            drop(books);
            match first.send(loom) {
                Ok(()) => return,
                Err(back) => loom = back,
            }
        }
    }
}

/// The same in a `while let` over a helper, with the lock of std.
#[derive(Default)]
pub struct Stable {
    stalls: Mutex<Stalls>,
}

#[derive(Default)]
struct Stalls {
    horses: Vec<u8>,
    riders: VecDeque<oneshot::Sender<u8>>,
}

impl Stable {
    pub async fn rides(&self) -> Option<u8> {
        let waits = {
            let mut stalls = self.stalls.lock().unwrap();
            if let Some(horse) = stalls.horses.pop() {
                return Some(horse);
            }
            let (to_me, given) = oneshot::channel();
            stalls.riders.push_back(to_me);
            given
        };
        waits.await.ok()
    }

    fn next_rider(&self, horse: u8) -> Option<oneshot::Sender<u8>> {
        let mut stalls = self.stalls.lock().unwrap();
        let next = stalls.riders.pop_front();
        if next.is_none() {
            stalls.horses.push(horse);
        }
        next
    }

    pub fn comes_back(&self, mut horse: u8) {
        while let Some(rider) = self.next_rider(horse) {
            match rider.send(horse) {
                Ok(()) => return,
                Err(back) => horse = back,
            }
        }
    }
}

/// Somebody is notified before, and the shelf is filled whoever is in line.
#[derive(Default)]
pub struct Bench {
    tools: Mutex<Vec<u32>>,
    line: Mutex<VecDeque<oneshot::Sender<()>>>,
}

impl Bench {
    pub async fn borrows(&self) -> u32 {
        loop {
            let told = {
                let mut line = self.line.lock().unwrap();
                if let Some(tool) = self.tools.lock().unwrap().pop() {
                    return tool;
                }
                let (to_me, told) = oneshot::channel();
                line.push_back(to_me);
                told
            };
            let _ = told.await;
        }
    }

    pub fn puts_back(&self, tool: u32) {
        let told: Vec<_> = self.line.lock().unwrap().drain(..).collect();
        for it in told {
            let _ = it.send(());
        }
        self.tools.lock().unwrap().push(tool); //~ lost-wakeup warning
    }
}

/// A branch that comes after the notification does not answer it.
#[derive(Default)]
pub struct Gate {
    ways: Mutex<Ways>,
    told: Notify,
}

#[derive(Default)]
struct Ways {
    is_open: bool,
    is_shut_for_good: bool,
}

impl Gate {
    pub async fn passes(&self) {
        loop {
            let told = self.told.notified();
            if self.ways.lock().unwrap().is_open {
                return;
            }
            told.await;
        }
    }

    pub fn opens(&self) {
        self.told.notify_waiters();
        if self.ways.lock().unwrap().is_shut_for_good {
            self.told.notify_waiters();
            return;
        }
        self.ways.lock().unwrap().is_open = true; //~ lost-wakeup warning
    }
}

/// Whoever is dropped from the line learns of it by that: all of them look again.
#[derive(Default)]
pub struct Kiln {
    firing: Mutex<Firing>,
}

#[derive(Default)]
struct Firing {
    pots: u32,
    potters: Vec<oneshot::Sender<()>>,
}

impl Kiln {
    pub async fn fires(&self) {
        loop {
            let told = {
                let mut firing = self.firing.lock().unwrap();
                if firing.pots < 9 {
                    firing.pots += 1;
                    return;
                }
                let (to_me, told) = oneshot::channel();
                firing.potters.push(to_me);
                told
            };
            let _ = told.await;
        }
    }

    pub fn is_done(&self) {
        let mut firing = self.firing.lock().unwrap();
        firing.pots -= 1;
        while let Some(first) = firing.potters.pop() {
            if first.send(()).is_ok() {
                return;
            }
        }
    }

    pub fn is_emptied(&self) {
        let mut firing = self.firing.lock().unwrap();
        firing.pots -= 1;
        let potters = std::mem::take(&mut firing.potters);
        drop(firing);
        drop(potters);
    }

    pub fn is_cleared(&self) {
        let mut firing = self.firing.lock().unwrap();
        firing.pots -= 1;
        firing.potters.clear();
    }

    pub fn breaks(&self) {
        let mut firing = self.firing.lock().unwrap(); //~ lost-wakeup
        firing.pots -= 1;
    }
}
