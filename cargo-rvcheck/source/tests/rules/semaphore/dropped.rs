//! Permits that are given back where something is dropped.

use std::sync::Arc;
use tokio::sync::Semaphore;

pub struct Pool {
    slots: Semaphore,
}

pub struct Leased {
    pool: Arc<Pool>,
    broken: bool,
}

impl Pool {
    pub async fn get(self: &Arc<Self>) -> Option<Leased> {
        let permit = self.slots.acquire().await.ok()?;
        permit.forget(); //~ semaphore note
        Some(Leased { pool: self.clone(), broken: false })
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        if self.broken {
            return;
        }
        self.pool.slots.add_permits(1);
    }
}
