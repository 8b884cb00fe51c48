//! Guards of each kind of lock, in plain variables.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};

pub struct Desk {
    std: Mutex<u32>,
    table: RwLock<Vec<u32>>,
    fast: parking_lot::Mutex<u32>,
    shared: parking_lot::RwLock<u32>,
    cell: RefCell<u32>,
    task: tokio::sync::Mutex<u32>,
}

async fn other() -> u32 {
    tokio::task::yield_now().await;
    1
}

impl Desk {
    pub async fn held(&self) -> u32 {
        let guard = self.std.lock().unwrap(); //~ guard-across-await warning
        other().await;
        *guard
    }

    pub async fn read(&self) -> usize {
        let guard = self.table.read().unwrap(); //~ guard-across-await
        other().await;
        guard.len()
    }

    pub async fn written(&self) {
        let mut guard = self.table.write().unwrap(); //~ guard-across-await
        guard.push(other().await);
    }

    pub async fn parked(&self) -> u32 {
        let guard = self.fast.lock(); //~ guard-across-await
        other().await + *guard
    }

    pub async fn upgraded(&self) {
        let guard = self.shared.upgradable_read(); //~ guard-across-await
        other().await;
        let mut guard = parking_lot::RwLockUpgradableReadGuard::upgrade(guard);
        *guard += 1;
    }

    pub async fn borrowed(&self) {
        let mut guard = self.cell.borrow_mut(); //~ guard-across-await
        *guard += other().await;
    }

    pub async fn borrowed_to_read(&self) -> u32 {
        let guard = self.cell.borrow(); //~ guard-across-await
        *guard + other().await
    }

    pub async fn of_the_task(&self) -> u32 {
        let guard = self.task.lock().await;
        other().await + *guard
    }

    pub async fn twice(&self) -> u32 {
        let first = self.std.lock().unwrap(); //~ guard-across-await
        other().await;
        let second = self.fast.lock(); //~ guard-across-await
        other().await;
        *first + *second
    }

    pub async fn only_before(&self) -> u32 {
        let sum = *self.std.lock().unwrap() + *self.cell.borrow();
        sum + other().await
    }

    pub async fn only_after(&self) -> u32 {
        let sum = other().await;
        sum + *self.fast.lock()
    }
}

pub async fn watched(mut news: tokio::sync::watch::Receiver<u32>) -> u32 {
    let now = news.borrow_and_update(); //~ guard-across-await
    other().await + *now
}

pub async fn watched_and_copied(mut news: tokio::sync::watch::Receiver<u32>) -> u32 {
    news.changed().await.unwrap();
    let now = *news.borrow();
    other().await + now
}
