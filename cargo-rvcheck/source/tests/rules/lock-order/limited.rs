//! Two orders of two locks in tasks that have a time limit, and in ones that have not.

use tokio::sync::Mutex;
use tokio::time::{Duration, timeout};

const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub struct Patient {
    stock: Mutex<u32>,
    orders: Mutex<u32>,
}

impl Patient {
    async fn reserve(&self) {
        let mut stock = self.stock.lock().await;
        let mut orders = self.orders.lock().await;
        *stock -= 1;
        *orders += 1;
    }

    async fn restock(&self) {
        let orders = self.orders.lock().await;
        *self.stock.lock().await += *orders; //~ lock-order note
    }

    pub async fn handle(&self, request: u32) -> bool {
        let work = async {
            if request > 0 {
                self.reserve().await;
            } else {
                self.restock().await;
            }
        };
        timeout(PATIENCE, work).await.is_ok()
    }
}

/// One of them alone gives up, which is enough.
#[derive(Default)]
pub struct OneSide {
    stock: Mutex<u32>,
    orders: Mutex<u32>,
}

impl OneSide {
    async fn reserve(&self) {
        let mut stock = self.stock.lock().await;
        *self.orders.lock().await += *stock;
        *stock = 0;
    }

    pub async fn restock(&self) {
        let orders = self.orders.lock().await;
        *self.stock.lock().await += *orders; //~ lock-order note
    }

    pub async fn handle(&self) -> bool {
        timeout(PATIENCE, self.reserve()).await.is_ok()
    }
}

/// What has a limit in one place has none in another.
#[derive(Default)]
pub struct Impatient {
    stock: Mutex<u32>,
    orders: Mutex<u32>,
}

impl Impatient {
    async fn reserve(&self) {
        let mut stock = self.stock.lock().await;
        *self.orders.lock().await += *stock;
        *stock = 0;
    }

    async fn restock(&self) {
        let orders = self.orders.lock().await;
        *self.stock.lock().await += *orders; //~ lock-order warning
    }

    pub async fn handle(&self) -> bool {
        let reserved = timeout(PATIENCE, self.reserve()).await.is_ok();
        reserved && timeout(PATIENCE, self.restock()).await.is_ok()
    }

    pub async fn at_night(&self) {
        self.reserve().await;
        self.restock().await;
    }
}

/// A thread that waits for a lock of std does not give up.
#[derive(Default)]
pub struct Blocking {
    stock: std::sync::Mutex<u32>,
    orders: std::sync::Mutex<u32>,
}

impl Blocking {
    async fn reserve(&self) {
        let mut stock = self.stock.lock().unwrap();
        *self.orders.lock().unwrap() += *stock;
        *stock = 0;
    }

    async fn restock(&self) {
        let orders = self.orders.lock().unwrap();
        *self.stock.lock().unwrap() += *orders; //~ lock-order warning
    }

    pub async fn handle(&self) -> bool {
        let reserved = timeout(PATIENCE, self.reserve()).await.is_ok();
        reserved && timeout(PATIENCE, self.restock()).await.is_ok()
    }
}
