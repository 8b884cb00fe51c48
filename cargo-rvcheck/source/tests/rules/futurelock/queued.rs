//! Futures that are queued and not polled: for permits, readers and writers, through helpers, and in what races.

use futures::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock, Semaphore};

pub struct Pool {
    seats: Semaphore,
    taken: Mutex<u32>,
    names: RwLock<Vec<String>>,
}

impl Pool {
    async fn sits(&self) -> u32 {
        let _seat = self.seats.acquire().await.unwrap();
        1
    }

    async fn counts(&self) -> u32 {
        let mut taken = self.taken.lock().await;
        *taken += 1;
        *taken
    }

    async fn waits(&self) {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }

    pub async fn permits_race(&self) -> u32 {
        let sits = self.sits();
        tokio::pin!(sits);
        tokio::select! {
            one = &mut sits => { one }
            _ = self.waits() => {
                let _seat = self.seats.acquire().await; //~ futurelock warning
                0
            }
        }
    }

    pub async fn through_helpers(&self) -> u32 {
        let counts = self.counts();
        tokio::pin!(counts);
        tokio::select! {
            one = &mut counts => { one }
            _ = self.waits() => { self.counts().await } //~ futurelock warning
        }
    }

    pub async fn dropped_first(&self) -> u32 {
        let mut counts = Box::pin(self.counts());
        tokio::select! {
            one = &mut counts => { one }
            _ = self.waits() => {
                drop(counts);
                self.counts().await
            }
        }
    }

    pub async fn given_away(&self) -> u32 {
        tokio::select! {
            one = self.counts() => { one }
            _ = self.waits() => { self.counts().await }
        }
    }

    pub async fn writer_is_queued(&self, name: String) -> usize {
        let adds = async {
            self.names.write().await.push(name);
        };
        tokio::pin!(adds);
        tokio::select! {
            _ = &mut adds => { 1 }
            _ = self.waits() => { self.names.read().await.len() } //~ futurelock warning
        }
    }

    pub async fn race_of_two(&self) -> u32 {
        let counts = pin!(self.counts());
        let waits = pin!(self.waits());
        match select(counts, waits).await {
            Either::Left((one, _)) => one,
            Either::Right((_, rest)) => {
                let taken = *self.taken.lock().await; //~ futurelock warning
                taken + rest.await
            }
        }
    }

    pub async fn race_that_goes_on(&self) -> u32 {
        let counts = pin!(self.counts());
        let waits = pin!(self.waits());
        match select(counts, waits).await {
            Either::Left((one, _)) => one,
            Either::Right((_, rest)) => {
                let one = rest.await;
                one + *self.taken.lock().await
            }
        }
    }
}

/// The handle of a task is polled by the runtime, whoever looks.
pub async fn of_a_task(pool: Arc<Mutex<u32>>) -> u32 {
    let shared = pool.clone();
    let mut task = tokio::spawn(async move { *shared.lock().await });
    tokio::select! {
        one = &mut task => { one.unwrap() }
        _ = tokio::time::sleep(std::time::Duration::from_millis(5)) => { *pool.lock().await }
    }
}
