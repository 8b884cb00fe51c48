//! Permits in values that are put into a collection.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub struct Film {
    name: String,
    _reel: OwnedSemaphorePermit,
}

pub struct Cinema {
    reels: Arc<Semaphore>,
    torn: Mutex<Vec<Film>>,
}

impl Cinema {
    pub async fn shows(&self, name: &str) -> usize {
        let reel = self.reels.clone().acquire_owned().await.unwrap();
        let film = Film { name: name.to_owned(), _reel: reel };
        if name.is_empty() {
            self.torn.lock().unwrap().push(film); //~ semaphore warning
        }
        self.torn.lock().unwrap().len()
    }

    pub fn names(&self) -> Vec<String> {
        self.torn.lock().unwrap().iter().map(|it| it.name.clone()).collect()
    }
}

/// Somebody takes them out again.
pub struct Parcel {
    name: String,
    _shelf: OwnedSemaphorePermit,
}

pub struct Shelf {
    room: Arc<Semaphore>,
    parcels: Mutex<VecDeque<Parcel>>,
}

impl Shelf {
    pub async fn takes(&self, name: &str) {
        let room = self.room.clone().acquire_owned().await.unwrap();
        self.parcels.lock().unwrap().push_back(Parcel { name: name.to_owned(), _shelf: room });
    }

    pub fn gives(&self) -> Option<String> {
        self.parcels.lock().unwrap().pop_front().map(|it| it.name)
    }
}

/// All of them are taken at once, or let go of.
pub struct Coat {
    name: String,
    _hook: OwnedSemaphorePermit,
}

pub struct Bag {
    name: String,
    _rack: OwnedSemaphorePermit,
}

pub struct Lobby {
    room: Arc<Semaphore>,
    coats: Mutex<Vec<Coat>>,
    bags: Mutex<Vec<Bag>>,
}

impl Lobby {
    pub async fn takes(&self, name: &str) {
        let hook = self.room.clone().acquire_owned().await.unwrap();
        self.coats.lock().unwrap().push(Coat { name: name.to_owned(), _hook: hook });
        let rack = self.room.clone().acquire_owned().await.unwrap();
        self.bags.lock().unwrap().push(Bag { name: name.to_owned(), _rack: rack });
    }

    pub fn closes(&self) -> usize {
        self.bags.lock().unwrap().clear();
        std::mem::take(&mut *self.coats.lock().unwrap()).len()
    }
}

/// They are looked at one by one, as a whole.
pub struct Ticket {
    name: String,
    _seat: OwnedSemaphorePermit,
}

pub struct Tour {
    seats: Arc<Semaphore>,
    tickets: Mutex<Vec<Ticket>>,
}

impl Tour {
    pub async fn sells(&self, name: &str) {
        let seat = self.seats.clone().acquire_owned().await.unwrap();
        self.tickets.lock().unwrap().push(Ticket { name: name.to_owned(), _seat: seat });
    }

    pub fn ends(self) -> Vec<String> {
        self.tickets.into_inner().unwrap().into_iter().map(|it| it.name).collect()
    }
}
