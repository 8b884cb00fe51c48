//! Permits that are given back wherever something is dropped.

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
        permit.forget();
        Some(Leased { pool: self.clone(), broken: false })
    }

    pub async fn forgets_by_the_function(&self, key: Option<u32>) -> Option<u32> {
        let permit = self.slots.acquire().await.ok()?;
        permit.forget();
        key
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        if self.broken {
            println!("broken");
        }
        self.pool.slots.add_permits(1);
    }
}
