//! Locks that are held while there is no room in a channel, and that its consumer requests in a helper, a trait or a closure.

use std::sync::Arc;
use std::thread;

/// Of threads, in a helper.
pub struct Bakery {
    shelves: parking_lot::Mutex<Vec<u32>>,
}

fn sells(bakery: &Bakery, loaf: u32) {
    bakery.shelves.lock().push(loaf);
}

pub fn opens(bakery: Arc<Bakery>, loaves: Vec<u32>) {
    let (oven, counter) = crossbeam_channel::bounded(2);
    let own = bakery.clone();
    let shop = thread::spawn(move || {
        while let Ok(loaf) = counter.recv() {
            sells(&own, loaf);
        }
    });
    for loaf in loaves {
        let shelves = bakery.shelves.lock();
        if shelves.len() < 9 {
            let _ = oven.send(loaf); //~ channel-deadlock warning
        }
    }
    drop(oven);
    let _ = shop.join();
}

/// Of tasks, in a method of the consumer.
struct Cellar {
    bottles: tokio::sync::Mutex<Vec<u32>>,
}

struct Waiter {
    cellar: Arc<Cellar>,
    orders: async_channel::Receiver<u32>,
}

impl Waiter {
    async fn serves(&self, order: u32) {
        self.cellar.bottles.lock().await.push(order);
    }

    async fn runs(self) {
        while let Ok(order) = self.orders.recv().await {
            self.serves(order).await;
        }
    }
}

pub async fn dines(orders: Vec<u32>) {
    let cellar = Arc::new(Cellar { bottles: tokio::sync::Mutex::new(Vec::new()) });
    let (to, from) = async_channel::bounded(4);
    let waiter = tokio::spawn(Waiter { cellar: cellar.clone(), orders: from }.runs());
    for order in orders {
        let mut bottles = cellar.bottles.lock().await;
        bottles.pop();
        let _ = to.send(order).await; //~ channel-deadlock warning
    }
    drop(to);
    let _ = waiter.await;
}

/// The lock is let go of first.
pub fn opens_early(bakery: Arc<Bakery>, loaves: Vec<u32>) {
    let (oven, counter) = flume::bounded(2);
    let own = bakery.clone();
    let shop = thread::spawn(move || {
        while let Ok(loaf) = counter.recv() {
            sells(&own, loaf);
        }
    });
    for loaf in loaves {
        let has_room = bakery.shelves.lock().len() < 9;
        if has_room {
            let _ = oven.send(loaf);
        }
    }
    drop(oven);
    let _ = shop.join();
}

/// There is always room.
pub fn opens_wide(bakery: Arc<Bakery>, loaves: Vec<u32>) {
    let (oven, counter) = crossbeam_channel::unbounded();
    let own = bakery.clone();
    let shop = thread::spawn(move || {
        while let Ok(loaf) = counter.recv() {
            sells(&own, loaf);
        }
    });
    for loaf in loaves {
        let shelves = bakery.shelves.lock();
        if shelves.len() < 9 {
            let _ = oven.send(loaf);
        }
    }
    drop(oven);
    let _ = shop.join();
}
