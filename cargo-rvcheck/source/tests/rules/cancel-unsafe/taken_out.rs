//! What is taken out of a collection that others have, too, and is in the hands of a future that is dropped.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Interval, timeout};

async fn carry(load: &[u32]) -> bool {
    tokio::task::yield_now().await;
    !load.is_empty()
}

#[derive(Clone)]
pub struct Quarry {
    stones: Arc<Mutex<Vec<u32>>>,
    carts: Arc<parking_lot::Mutex<HashMap<u32, Vec<u32>>>>,
    queue: Arc<async_lock::Mutex<VecDeque<u32>>>,
}

impl Quarry {
    fn heap(&self) -> Vec<u32> {
        std::mem::take(&mut *self.stones.lock().unwrap())
    }

    fn cart(&self, number: u32) -> Option<Vec<u32>> {
        self.carts.lock().remove(&number)
    }

    async fn heap_is_carried(&self) -> bool {
        let heap = self.heap();
        carry(&heap).await
    }

    async fn cart_is_carried(&self, number: u32) -> bool {
        match self.cart(number) {
            Some(cart) => carry(&cart).await,
            None => false,
        }
    }

    async fn queue_is_carried(&self) -> bool {
        let load: Vec<u32> = self.queue.lock().await.drain(..).collect();
        carry(&load).await
    }

    /// Takes it out only when it was carried.
    async fn carried_first(&self, number: u32) -> bool {
        let Some(cart) = self.carts.lock().get(&number).cloned() else { return false };
        let fine = carry(&cart).await;
        self.carts.lock().remove(&number);
        fine
    }

    pub async fn works(self, mut bells: Interval) {
        loop {
            tokio::select! {
                _ = bells.tick() => { println!("a bell"); }
                fine = self.heap_is_carried() => { if !fine { return; } } //~ cancel-unsafe warning
            }
        }
    }

    pub async fn works_by_carts(self, numbers: Vec<u32>) -> usize {
        let mut late = 0;
        for number in numbers {
            if timeout(Duration::from_secs(1), self.cart_is_carried(number)).await.is_err() { //~ cancel-unsafe warning
                late += 1;
            }
        }
        late
    }

    pub async fn works_by_queue(self, mut orders: mpsc::Receiver<u32>) {
        loop {
            tokio::select! {
                order = orders.recv() => { println!("{order:?}"); }
                fine = self.queue_is_carried() => { if !fine { return; } } //~ cancel-unsafe warning
            }
        }
    }

    pub async fn works_with_care(self, numbers: Vec<u32>) -> usize {
        let mut late = 0;
        for number in numbers {
            if timeout(Duration::from_secs(1), self.carried_first(number)).await.is_err() {
                late += 1;
            }
        }
        late
    }
}

pub struct Gang {
    workers: Arc<Mutex<BTreeMap<u32, JoinHandle<()>>>>,
}

impl Gang {
    async fn ends(&self, number: u32) {
        let worker = self.workers.lock().unwrap().remove(&number);
        if let Some(worker) = worker {
            let _ = worker.await;
        }
    }

    /// A worker that is waited for goes on without that.
    pub async fn end(self, mut bells: Interval) {
        for number in 0..9 {
            tokio::select! {
                _ = bells.tick() => { println!("a bell"); }
                _ = self.ends(number) => { println!("{number} ended"); }
            }
        }
    }
}

/// Its own list goes with it.
async fn all_of(mut list: Vec<u32>) -> u32 {
    let mut sum = 0;
    let own = std::mem::take(&mut list);
    if carry(&own).await {
        sum += own.len() as u32;
    }
    sum
}

pub async fn sums(mut bells: Interval) {
    loop {
        tokio::select! {
            _ = bells.tick() => { println!("a bell"); }
            sum = all_of(vec![1, 2]) => { println!("{sum}"); }
        }
    }
}
