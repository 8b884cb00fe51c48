//! Permits that are forgotten round after round, and given back or not.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

async fn next_guest() -> u32 {
    std::future::ready(7).await
}

fn seats(guest: u32) {
    println!("{guest}");
}

pub struct Usher {
    seats: Arc<Semaphore>,
}

impl Usher {
    pub async fn ushers(&self) {
        loop {
            self.seats.acquire().await.unwrap().forget(); //~ semaphore
            let guest = next_guest().await;
            tokio::spawn(async move { seats(guest) });
        }
    }
}

pub struct Doorman {
    places: Arc<Semaphore>,
}

impl Doorman {
    async fn place(&self) -> OwnedSemaphorePermit {
        self.places.clone().acquire_owned().await.unwrap()
    }
    pub async fn lets_in(&self, most: usize) {
        let mut inside = 0;
        while inside < most {
            let permit = self.places.acquire().await.unwrap();
            std::mem::forget(permit); //~ semaphore
            inside += 1;
        }
        drop(self.place().await);
    }
}

pub struct Shrinking {
    slots: Semaphore,
}

impl Shrinking {
    // Once is meant.
    pub async fn shrinks(&self) {
        self.slots.acquire().await.unwrap().forget();
    }
}
