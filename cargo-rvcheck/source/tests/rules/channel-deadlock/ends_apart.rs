//! A constructor gives both ends away, each in a struct with the same lock: who sends under it waits for who needs it. How much room there
//! is others say.

use async_channel::{Receiver, Sender};
use async_lock::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

type Stock = BTreeMap<u32, u32>;

#[derive(Clone)]
pub struct Counter {
    stock: Arc<Mutex<Stock>>,
    orders: Sender<u32>,
}

pub struct Store {
    stock: Arc<Mutex<Stock>>,
    orders: Receiver<u32>,
}

pub fn shop(room: usize) -> (Counter, Store) {
    let (orders, incoming) = async_channel::bounded(room.max(1));
    let stock = Arc::new(Mutex::new(Stock::default()));
    let counter = Counter { stock: Arc::clone(&stock), orders };
    (counter, Store { stock, orders: incoming })
}

impl Counter {
    pub async fn orders(&self, item: u32) -> bool {
        let stock = self.stock.lock().await;
        if !stock.contains_key(&item) {
            return false;
        }
        self.orders.send(item).await.is_ok() //~ channel-deadlock
    }
}

impl Store {
    pub async fn serves(self) -> u32 {
        let mut served = 0;
        while let Ok(item) = self.orders.recv().await {
            let mut stock = self.stock.lock().await;
            *stock.entry(item).or_default() -= 1;
            served += 1;
        }
        served
    }
}

/// The same, where the lock is let go of before.
#[derive(Clone)]
pub struct CarefulCounter {
    stock: Arc<Mutex<Stock>>,
    orders: Sender<u32>,
}

pub struct CarefulStore {
    stock: Arc<Mutex<Stock>>,
    orders: Receiver<u32>,
}

pub fn careful_shop(room: usize) -> (CarefulCounter, CarefulStore) {
    let (orders, incoming) = async_channel::bounded(room.max(1));
    let stock = Arc::new(Mutex::new(Stock::default()));
    let counter = CarefulCounter { stock: Arc::clone(&stock), orders };
    (counter, CarefulStore { stock, orders: incoming })
}

impl CarefulCounter {
    pub async fn orders(&self, item: u32) -> bool {
        let is_there = self.stock.lock().await.contains_key(&item);
        is_there && self.orders.send(item).await.is_ok()
    }
}

impl CarefulStore {
    pub async fn serves(self) -> u32 {
        let mut served = 0;
        while let Ok(item) = self.orders.recv().await {
            *self.stock.lock().await.entry(item).or_default() -= 1;
            served += 1;
        }
        served
    }
}

/// The same, where there is room without end.
#[derive(Clone)]
pub struct WideCounter {
    stock: Arc<Mutex<Stock>>,
    orders: Sender<u32>,
}

pub struct WideStore {
    stock: Arc<Mutex<Stock>>,
    orders: Receiver<u32>,
}

pub fn wide_shop() -> (WideCounter, WideStore) {
    let (orders, incoming) = async_channel::unbounded();
    let stock = Arc::new(Mutex::new(Stock::default()));
    (WideCounter { stock: Arc::clone(&stock), orders }, WideStore { stock, orders: incoming })
}

impl WideCounter {
    pub async fn orders(&self, item: u32) -> bool {
        let stock = self.stock.lock().await;
        stock.contains_key(&item) && self.orders.send(item).await.is_ok()
    }
}

impl WideStore {
    pub async fn serves(self) -> u32 {
        let mut served = 0;
        while let Ok(item) = self.orders.recv().await {
            *self.stock.lock().await.entry(item).or_default() -= 1;
            served += 1;
        }
        served
    }
}
