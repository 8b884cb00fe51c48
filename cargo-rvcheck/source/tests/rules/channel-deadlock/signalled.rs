//! Waits for a signal by who holds a lock that those request who give it.

use event_listener::Event;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notified, Notify};

pub fn captured() {
    let book = Arc::new(Mutex::new(Vec::<u32>::new()));
    let bell = Arc::new((Mutex::new(false), Condvar::new()));
    let (same_book, same_bell) = (book.clone(), bell.clone());
    let guest = thread::spawn(move || {
        let _book = book.lock().unwrap();
        let (rung, condvar) = &*bell;
        let mut rung = rung.lock().unwrap();
        while !*rung {
            rung = condvar.wait(rung).unwrap(); //~ channel-deadlock warning
        }
    });
    let porter = thread::spawn(move || {
        same_book.lock().unwrap().push(1);
        let (rung, condvar) = &*same_bell;
        *rung.lock().unwrap() = true;
        condvar.notify_one();
    });
    guest.join().unwrap();
    porter.join().unwrap();
}

pub fn let_go_before() {
    let book = Arc::new(Mutex::new(Vec::<u32>::new()));
    let bell = Arc::new((Mutex::new(false), Condvar::new()));
    let (same_book, same_bell) = (book.clone(), bell.clone());
    let guest = thread::spawn(move || {
        drop(book.lock().unwrap());
        let (rung, condvar) = &*bell;
        let mut rung = rung.lock().unwrap();
        while !*rung {
            rung = condvar.wait(rung).unwrap();
        }
    });
    let porter = thread::spawn(move || {
        same_book.lock().unwrap().push(1);
        let (rung, condvar) = &*same_bell;
        *rung.lock().unwrap() = true;
        condvar.notify_one();
    });
    guest.join().unwrap();
    porter.join().unwrap();
}

/// Somebody else gives the signal, too.
pub struct Desk {
    keys: parking_lot::Mutex<Vec<u32>>,
    free: parking_lot::Mutex<u32>,
    freed: parking_lot::Condvar,
}

impl Desk {
    pub fn check_in(&self) {
        let mut keys = self.keys.lock();
        let mut free = self.free.lock();
        while *free == 0 {
            self.freed.wait(&mut free);
        }
        *free -= 1;
        keys.pop();
    }

    pub fn check_out(&self, key: u32) {
        self.keys.lock().push(key);
        *self.free.lock() += 1;
        self.freed.notify_one();
    }

    pub fn open_a_room(&self) {
        *self.free.lock() += 1;
        self.freed.notify_one();
    }
}

/// Nobody else does.
pub struct Cloakroom {
    coats: parking_lot::Mutex<Vec<u32>>,
    free: parking_lot::Mutex<u32>,
    freed: parking_lot::Condvar,
}

impl Cloakroom {
    fn wait_for_room(&self) {
        let mut free = self.free.lock();
        while *free == 0 {
            self.freed.wait(&mut free);
        }
        *free -= 1;
    }

    pub fn leave(&self, coat: u32) {
        let mut coats = self.coats.lock();
        self.wait_for_room(); //~ channel-deadlock warning
        coats.push(coat);
    }

    pub fn take(&self) -> Option<u32> {
        let coat = self.coats.lock().pop();
        self.make_room();
        coat
    }

    fn make_room(&self) {
        *self.free.lock() += 1;
        self.freed.notify_one();
    }
}

/// The wait lets go of the one lock that there is.
#[derive(Default)]
pub struct Tray {
    cups: Mutex<Vec<u32>>,
    filled: Condvar,
}

impl Tray {
    pub fn take(&self) -> Option<u32> {
        let mut cups = self.cups.lock().unwrap();
        while cups.is_empty() {
            cups = self.filled.wait(cups).unwrap();
        }
        cups.pop()
    }

    pub fn fill(&self, cup: u32) {
        self.cups.lock().unwrap().push(cup);
        self.filled.notify_one();
    }
}

/// It gives up in the end.
#[derive(Default)]
pub struct Kitchen {
    orders: Mutex<Vec<u32>>,
    ready: Mutex<bool>,
    cooked: Condvar,
}

impl Kitchen {
    pub fn serve(&self) {
        let mut orders = self.orders.lock().unwrap();
        let mut ready = self.ready.lock().unwrap();
        while !*ready {
            ready = self.cooked.wait_timeout(ready, Duration::from_secs(1)).unwrap().0;
        }
        orders.pop();
    }

    pub fn cook(&self) {
        self.orders.lock().unwrap().push(1);
        *self.ready.lock().unwrap() = true;
        self.cooked.notify_one();
    }
}

pub struct Lift {
    doors: tokio::sync::Mutex<u32>,
    arrived: Notify,
}

impl Lift {
    pub async fn enter(&self) {
        let mut doors = self.doors.lock().await;
        self.arrived.notified().await; //~ channel-deadlock warning
        *doors += 1;
    }

    pub async fn arrive(&self) {
        let doors = self.doors.lock().await;
        if *doors > 0 {
            self.arrived.notify_one();
        }
    }
}

pub struct Hall {
    lamps: async_lock::Mutex<u32>,
    dusk: Event,
}

impl Hall {
    pub async fn light(&self) {
        let dusk = self.dusk.listen();
        let mut lamps = self.lamps.lock().await;
        dusk.await; //~ channel-deadlock warning
        *lamps += 1;
    }

    pub async fn evening(&self) {
        *self.lamps.lock().await = 0;
        self.dusk.notify(usize::MAX);
    }
}

/// A future by hand looks under the lock, and has let go of it when it is not ready.
pub struct Letterbox {
    letters: Mutex<Vec<u32>>,
    arrived: Notify,
}

pub struct Fetches<'a> {
    letterbox: &'a Letterbox,
    arrived: Pin<Box<Notified<'a>>>,
}

impl Future for Fetches<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let letterbox = self.letterbox;
        let mut letters = letterbox.letters.lock().unwrap();
        loop {
            if let Some(letter) = letters.pop() {
                return Poll::Ready(letter);
            }
            if self.arrived.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.arrived = Box::pin(letterbox.arrived.notified());
        }
    }
}

impl Letterbox {
    pub fn puts(&self, letter: u32) {
        self.letters.lock().unwrap().push(letter);
        self.arrived.notify_waiters();
    }
}
