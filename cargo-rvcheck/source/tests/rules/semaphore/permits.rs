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
        let _q = self.s.acquire().await.unwrap(); //~ semaphore warning
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

pub struct Tree {
    slots: Semaphore,
    below: Vec<Tree>,
}

type Boxed<'a> = std::pin::Pin<Box<dyn Future<Output = u32> + Send + 'a>>;

impl Tree {
    pub fn walk(&self, depth: u32) -> Boxed<'_> {
        Box::pin(async move {
            let _slot = self.slots.acquire().await.unwrap(); //~ semaphore
            if depth == 0 { 1 } else { self.walk(depth - 1).await }
        })
    }
    pub fn lets_go(&self, depth: u32) -> Boxed<'_> {
        Box::pin(async move {
            let slot = self.slots.acquire().await.unwrap();
            drop(slot);
            if depth == 0 { 1 } else { self.lets_go(depth - 1).await }
        })
    }
    // Each has slots of its own.
    pub fn descends(&self) -> Boxed<'_> {
        Box::pin(async move {
            let _slot = self.slots.acquire().await.unwrap();
            let mut sum = 1;
            for it in &self.below {
                sum += it.descends().await;
            }
            sum
        })
    }
}

pub struct Pool {
    free: Semaphore,
    kept: Semaphore,
}

async fn step(n: i32) -> Result<i32, String> {
    if n < 0 { Err(String::new()) } else { Ok(n) }
}

impl Pool {
    pub fn new() -> Pool {
        Pool { free: Semaphore::new(4), kept: Semaphore::new(4) }
    }
    pub async fn forgets(&self, n: i32) -> Result<i32, String> {
        self.free.acquire().await.unwrap().forget(); //~ semaphore
        let result = step(n).await?;
        self.free.add_permits(1);
        Ok(result)
    }
    pub async fn remembers(&self, n: i32) -> Result<i32, String> {
        self.kept.acquire().await.unwrap().forget();
        let result = step(n).await;
        self.kept.add_permits(1);
        result
    }
}

pub struct Connections {
    free: Semaphore,
    all: Option<Arc<Connections>>,
}

impl Connections {
    pub fn new() -> Connections {
        Connections { free: Semaphore::new(4), all: None }
    }
    async fn audit(&self) {
        let _p = self.free.acquire().await.unwrap(); //~ semaphore warning
        step(1).await.unwrap();
    }
    pub async fn query(&self) {
        let _p = self.free.acquire().await.unwrap();
        step(1).await.unwrap();
        self.audit().await;
    }
    pub async fn query_of_all(&self) {
        let _p = self.free.acquire().await.unwrap();
        if let Some(all) = &self.all {
            let _q = all.free.acquire().await.unwrap();
            step(1).await.unwrap();
        }
    }
    pub async fn query_first(&self) {
        let p = self.free.acquire().await.unwrap();
        step(1).await.unwrap();
        drop(p);
        self.audit().await;
    }
}
