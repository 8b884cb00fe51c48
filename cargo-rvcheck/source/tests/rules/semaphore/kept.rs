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
