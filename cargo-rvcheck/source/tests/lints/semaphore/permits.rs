//! Waits for permits that are never free, and for ones that are.

use std::sync::Arc;
use tokio::sync::Semaphore;
const ALL: u32 = 4;
pub struct Table {
    s: Semaphore,
    named: Semaphore,
    one: Arc<Semaphore>,
    grown: Semaphore,
}

impl Table {
    pub fn new() -> Table {
        Table {
            s: Semaphore::new(2),
            named: Semaphore::new(ALL as usize),
            one: Arc::new(Semaphore::new(1)),
            grown: Semaphore::new(1),
        }
    }
    pub async fn never(&self) {
        let _p = self.s.acquire_many(3).await.unwrap(); //~ semaphore error
    }
    pub async fn fits(&self) {
        let _p = self.s.acquire_many(2).await.unwrap();
    }
    pub async fn twice(&self) {
        let _p = self.one.acquire().await.unwrap();
        let _q = self.one.acquire().await.unwrap(); //~ semaphore
    }
    pub async fn dropped(&self) {
        let p = self.one.acquire().await.unwrap();
        drop(p);
        let _q = self.one.acquire().await.unwrap();
    }
    pub async fn ignored(&self) {
        let _ = self.one.acquire().await.unwrap();
        let _q = self.one.acquire().await.unwrap();
    }
    pub async fn two(&self) {
        let _p = self.s.acquire().await.unwrap();
        let _q = self.s.acquire().await.unwrap();
    }
    pub async fn all(&self) {
        let _p = self.named.acquire().await.unwrap();
        self.compact().await;
    }
    async fn compact(&self) {
        let _a = self.named.acquire_many(ALL).await.unwrap(); //~ semaphore
    }
    pub async fn inner(&self) {
        let _p = self.one.acquire().await.unwrap();
        self.more().await;
    }
    async fn more(&self) {
        let _p = self.one.clone().acquire_owned().await.unwrap(); //~ semaphore
    }
    pub async fn other(&self, o: &Table) {
        let _p = self.one.acquire().await.unwrap();
        o.lone().await;
    }
    async fn lone(&self) {
        let _p = self.one.acquire().await.unwrap();
    }
    pub async fn grows(&self) {
        self.grown.add_permits(1);
        let _p = self.grown.acquire_many(2).await.unwrap();
    }
}

pub async fn local() {
    let s = Semaphore::new(1);
    let _a = s.acquire().await.unwrap();
    let _b = s.acquire().await.unwrap(); //~ semaphore
}

pub async fn local_arc() {
    let s = Arc::new(Semaphore::new(1));
    let _a = s.clone().acquire_owned().await.unwrap();
    let _b = s.acquire().await.unwrap(); //~ semaphore
}

pub async fn local_try() {
    let s = Arc::new(Semaphore::new(1));
    let _a = s.clone().acquire_owned().await.unwrap();
    let _b = s.try_acquire();
}
