//! A permit that a lease gives back when it is dropped.

use std::sync::Arc;
use tokio::sync::Semaphore;

async fn step(n: i32) -> Result<i32, String> {
    if n < 0 { Err(String::new()) } else { Ok(n) }
}

pub struct Pool {
    lent: Arc<Semaphore>,
}

impl Pool {
    pub async fn lends(&self, n: i32) -> Result<Lease, String> {
        let permit = self.lent.acquire().await.unwrap();
        step(n).await?;
        permit.forget();
        if n == 7 {
            self.lent.add_permits(1);
            return Err(String::new());
        }
        Ok(Lease { of: self.lent.clone() })
    }
}

pub struct Lease {
    of: Arc<Semaphore>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.of.add_permits(1);
    }
}
