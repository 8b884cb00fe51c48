//! Loops that end since somebody closes the channel by a call, while senders are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Mines whose galleries lead to others; the last one to be dug out closes the list.
struct Mine {
    undug: AtomicUsize,
    galleries: async_channel::Sender<u32>,
}

impl Mine {
    async fn digs(&self, gallery: u32) {
        for other in 0..gallery / 2 {
            self.undug.fetch_add(1, Ordering::SeqCst);
            let _ = self.galleries.send(other).await;
        }
        if self.undug.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.galleries.close();
        }
    }
}

async fn miner(mine: Arc<Mine>, list: async_channel::Receiver<u32>) -> u32 {
    let mut dug = 0;
    while let Ok(gallery) = list.recv().await {
        mine.digs(gallery).await;
        dug += 1;
    }
    dug
}

pub async fn digs_all(first: u32) -> u32 {
    let (galleries, list) = async_channel::unbounded();
    let mine = Arc::new(Mine { undug: AtomicUsize::new(1), galleries });
    let _ = mine.galleries.send(first).await;
    let one = tokio::spawn(miner(mine.clone(), list.clone()));
    let other = tokio::spawn(miner(mine.clone(), list));
    one.await.unwrap_or(0) + other.await.unwrap_or(0)
}

/// Nobody closes it.
struct Quarry {
    blocks: async_channel::Sender<u32>,
}

async fn hauls(quarry: Arc<Quarry>, list: async_channel::Receiver<u32>) -> u32 {
    let mut sum = 0;
    while let Ok(block) = list.recv().await { //~ channel-deadlock warning
        if block > 1 {
            let _ = quarry.blocks.send(block / 2).await;
        }
        sum += block;
    }
    sum
}

pub async fn hauls_all(first: u32) -> u32 {
    let (blocks, list) = async_channel::unbounded();
    let quarry = Arc::new(Quarry { blocks });
    let _ = quarry.blocks.send(first).await;
    let cart = tokio::spawn(hauls(quarry.clone(), list));
    drop(quarry);
    cart.await.unwrap_or(0)
}

/// A bounded list that each miner both takes from and adds to: once it is full, all of them wait for room.
struct Pit {
    undug: AtomicUsize,
    galleries: async_channel::Sender<u32>,
}

impl Pit {
    async fn adds(&self, gallery: u32) {
        self.undug.fetch_add(1, Ordering::SeqCst);
        let _ = self.galleries.send(gallery).await;
    }

    async fn digs(&self, gallery: &[u32]) {
        for other in gallery {
            self.adds(*other).await;
        }
        if self.undug.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.galleries.close();
        }
    }
}

async fn digger(pit: Arc<Pit>, list: async_channel::Receiver<u32>, plan: Arc<Vec<Vec<u32>>>) {
    while let Ok(gallery) = list.recv().await {
        pit.digs(&plan[gallery as usize]).await; //~ channel-deadlock warning
    }
}

pub async fn digs_by_plan(plan: Vec<Vec<u32>>, room: usize, diggers: usize) {
    let (galleries, list) = async_channel::bounded(room.max(1));
    let pit = Arc::new(Pit { undug: AtomicUsize::new(0), galleries });
    let plan = Arc::new(plan);
    pit.adds(0).await;
    let all: Vec<_> =
        (0..diggers).map(|_| tokio::spawn(digger(pit.clone(), list.clone(), plan.clone()))).collect();
    for it in all {
        let _ = it.await;
    }
}
