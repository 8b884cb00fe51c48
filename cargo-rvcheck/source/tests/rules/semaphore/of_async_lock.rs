//! Permits of `async-lock`: held while more are waited for, kept in structs, and given back first.

use async_lock::{Semaphore, SemaphoreGuardArc};
use std::sync::Arc;

pub struct Lanes {
    only: Semaphore,
    all: Arc<Semaphore>,
}

/// A swimmer in a lane.
pub struct Swimmer {
    _lane: SemaphoreGuardArc,
    laps: u32,
}

impl Lanes {
    pub fn new(lanes: usize) -> Lanes {
        Lanes { only: Semaphore::new(1), all: Arc::new(Semaphore::new(lanes)) }
    }

    pub async fn twice(&self) {
        let _one = self.only.acquire().await;
        let _other = self.only.acquire().await; //~ semaphore
    }

    pub async fn one_after_the_other(&self) {
        let one = self.only.acquire().await;
        drop(one);
        let _other = self.only.acquire().await;
    }

    async fn enter(&self) -> Swimmer {
        Swimmer { _lane: self.all.acquire_arc().await, laps: 0 } //~ semaphore
    }

    pub async fn relay(&self) -> u32 {
        let first = self.enter().await;
        self.next().await + first.laps
    }

    async fn next(&self) -> u32 {
        self.enter().await.laps
    }
}
