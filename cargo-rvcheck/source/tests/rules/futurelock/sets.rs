//! Locks that are awaited between two results of a set of futures, or when the time of one is over.

use futures::stream::{FuturesUnordered, StreamExt};
use std::pin::pin;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::time::{Duration, timeout};

async fn works(n: u32, sum: Arc<Mutex<u32>>) -> u32 {
    tokio::task::yield_now().await;
    *sum.lock().await += n;
    n
}

pub async fn locks_between_two(all: Vec<u32>) -> u32 {
    let sum = Arc::new(Mutex::new(0));
    let mut set = FuturesUnordered::new();
    for n in all {
        set.push(works(n, sum.clone()));
    }
    while let Some(n) = set.next().await {
        *sum.lock().await -= n; //~ futurelock
    }
    0
}

pub async fn locks_behind_the_loop(all: Vec<u32>) -> u32 {
    let sum = Arc::new(Mutex::new(0));
    let mut set = FuturesUnordered::new();
    for n in all {
        set.push(works(n, sum.clone()));
    }
    let mut n = 0;
    while let Some(it) = set.next().await {
        n += it;
    }
    *sum.lock().await - n
}

pub async fn locks_another_one(all: Vec<u32>, other: &Mutex<u32>) {
    let sum = Arc::new(Mutex::new(0));
    let mut set = FuturesUnordered::new();
    for n in all {
        set.push(works(n, sum.clone()));
    }
    while let Some(n) = set.next().await {
        *other.lock().await -= n;
    }
}

pub struct Job {
    step: Mutex<u32>,
}

impl Job {
    async fn steps(&self, n: u32) {
        for _ in 0..n {
            *self.step.lock().await += 1;
        }
    }

    pub async fn locks_when_the_time_is_over(&self) {
        let mut steps = pin!(self.steps(3));
        if timeout(Duration::from_secs(1), &mut steps).await.is_err() {
            *self.step.lock().await = 0; //~ futurelock
            steps.await;
        }
    }

    pub async fn goes_on_when_the_time_is_over(&self) {
        let mut steps = pin!(self.steps(3));
        if timeout(Duration::from_secs(1), &mut steps).await.is_err() {
            steps.await;
        }
    }

    pub async fn drops_it_when_the_time_is_over(&self) {
        if timeout(Duration::from_secs(1), self.steps(3)).await.is_err() {
            *self.step.lock().await = 0;
        }
    }
}
