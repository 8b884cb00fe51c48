//! A semaphore that others have, who may add permits.

use std::sync::Arc;
use tokio::sync::Semaphore;

pub struct Boats {
    moorings: Arc<Semaphore>,
}

impl Boats {
    pub fn new() -> Boats {
        Boats { moorings: Arc::new(Semaphore::new(2)) }
    }
    pub fn moorings(&self) -> Arc<Semaphore> {
        self.moorings.clone()
    }
    pub async fn fleet(&self) -> bool {
        self.moorings.acquire_many(3).await.is_ok() //~ semaphore note
    }
}
