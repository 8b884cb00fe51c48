//! Permits that are forgotten round after round, and given back by somebody who shares the semaphore.

use std::sync::Arc;
use tokio::sync::Semaphore;

async fn next_order() -> u32 {
    std::future::ready(3).await
}

pub struct Counter {
    stoves: Arc<Semaphore>,
}

struct Cooking {
    stoves: Arc<Semaphore>,
}

impl Drop for Cooking {
    fn drop(&mut self) {
        self.stoves.add_permits(1);
    }
}

impl Counter {
    pub async fn serves(&self) {
        loop {
            self.stoves.acquire().await.unwrap().forget();
            let order = next_order().await;
            let cooking = Cooking { stoves: self.stoves.clone() };
            tokio::spawn(async move {
                println!("{order}");
                drop(cooking);
            });
        }
    }
}
