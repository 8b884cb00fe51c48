//! Entries of requests whose time is over.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, sleep, timeout};

type Asked = HashMap<u64, oneshot::Sender<u32>>;

pub struct Kitchen {
    next: AtomicU64,
    asked: Mutex<Asked>,
    orders: mpsc::Sender<(u64, u32)>,
}

#[derive(Debug)]
pub struct Late;

impl Kitchen {
    fn registers(&self) -> (u64, oneshot::Receiver<u32>) {
        let (sender, served) = oneshot::channel();
        let order = self.next.fetch_add(1, Ordering::Relaxed);
        self.asked.lock().unwrap().insert(order, sender);
        (order, served)
    }

    pub async fn orders(&self, dish: u32, limit: Duration) -> Result<u32, Late> {
        let (order, served) = self.registers();
        if self.orders.send((order, dish)).await.is_err() {
            self.asked.lock().unwrap().remove(&order);
            return Err(Late);
        }
        match timeout(limit, served).await { //~ cancel-unsafe warning
            Ok(served) => served.map_err(|_| Late),
            Err(_) => Err(Late),
        }
    }

    pub async fn orders_and_forgets(&self, limit: Duration) -> Result<u32, Late> {
        let (order, served) = self.registers();
        match timeout(limit, served).await {
            Ok(served) => served.map_err(|_| Late),
            Err(_) => {
                self.asked.lock().unwrap().remove(&order);
                Err(Late)
            }
        }
    }

    pub async fn orders_by_select(&self) -> Result<u32, Late> {
        let (sender, served) = oneshot::channel();
        let order = self.next.fetch_add(1, Ordering::Relaxed);
        self.asked.lock().unwrap().insert(order, sender);
        tokio::select! { //~ cancel-unsafe warning
            served = served => { served.map_err(|_| Late) }
            _ = sleep(Duration::from_millis(5)) => { Err(Late) }
        }
    }

    pub fn serves(&self, order: u64, dish: u32) -> bool {
        let asked = self.asked.lock().unwrap().remove(&order);
        asked.is_some_and(|it| it.send(dish).is_ok())
    }
}

/// Each request has a guard that removes its entry.
pub struct Bar {
    next: AtomicU64,
    asked: Mutex<HashMap<u64, oneshot::Sender<u32>>>,
}

struct Round<'a> {
    bar: &'a Bar,
    number: u64,
}

impl Drop for Round<'_> {
    fn drop(&mut self) {
        self.bar.asked.lock().unwrap().remove(&self.number);
    }
}

impl Bar {
    pub async fn orders(&self, limit: Duration) -> Option<u32> {
        let (sender, served) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.asked.lock().unwrap().insert(number, sender);
        let _round = Round { bar: self, number };
        timeout(limit, served).await.ok()?.ok()
    }
}

/// A new request looks for those that are gone.
#[derive(Default)]
pub struct Cafe {
    next: AtomicU64,
    asked: Mutex<HashMap<u64, oneshot::Sender<u32>>>,
}

impl Cafe {
    pub async fn orders(&self, limit: Duration) -> Option<u32> {
        let (sender, served) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut asked = self.asked.lock().unwrap();
        asked.retain(|_, it| !it.is_closed());
        asked.insert(number, sender);
        drop(asked);
        timeout(limit, served).await.ok()?.ok()
    }

    pub fn serves(&self, order: u64) -> bool {
        self.asked.lock().unwrap().remove(&order).is_some_and(|it| it.send(1).is_ok())
    }
}

/// Who runs the request removes its entry.
#[derive(Default)]
pub struct Inn {
    asked: Mutex<HashMap<u64, oneshot::Sender<u32>>>,
}

impl Inn {
    async fn waits(&self, number: u64, limit: Duration) -> Option<u32> {
        let (sender, served) = oneshot::channel();
        self.asked.lock().unwrap().insert(number, sender);
        timeout(limit, served).await.ok()?.ok()
    }

    pub async fn orders(&self, number: u64) -> Option<u32> {
        let served = self.waits(number, Duration::from_millis(5)).await;
        self.asked.lock().unwrap().remove(&number);
        served
    }
}

/// A later request of the same table takes its place.
#[derive(Default)]
pub struct Tables {
    asked: Mutex<HashMap<String, oneshot::Sender<u32>>>,
}

impl Tables {
    pub async fn orders(&self, table: &str, limit: Duration) -> Option<u32> {
        let (sender, served) = oneshot::channel();
        self.asked.lock().unwrap().insert(table.to_owned(), sender);
        timeout(limit, served).await.ok()?.ok()
    }
}

/// The time is over for the whole exchange.
pub struct Grill {
    next: AtomicU64,
    asked: Mutex<Asked>,
}

struct Order<'a> {
    grill: &'a Grill,
    number: u64,
    served: oneshot::Receiver<u32>,
}

impl Order<'_> {
    async fn served(&mut self) -> Option<u32> {
        (&mut self.served).await.ok()
    }

    fn gives_up(self) {
        self.grill.asked.lock().unwrap().remove(&self.number);
    }
}

impl Grill {
    fn begins(&self) -> Order<'_> {
        let (sender, served) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.asked.lock().unwrap().insert(number, sender);
        Order { grill: self, number, served }
    }

    pub async fn orders(&self, is_open: bool, limit: Duration) -> Option<u32> {
        let exchange = async {
            let mut order = self.begins();
            if !is_open {
                order.gives_up();
                return None;
            }
            order.served().await
        };
        timeout(limit, exchange).await.unwrap_or(None) //~ cancel-unsafe warning
    }

    pub fn serves(&self, number: u64, dish: u32) {
        if let Some(it) = self.asked.lock().unwrap().remove(&number) {
            let _ = it.send(dish);
        }
    }
}
