//! Permits that are added before a semaphore is put where others find it.

use std::sync::Arc;
use tokio::sync::Semaphore;

pub struct Oven {
    hot: Arc<Semaphore>,
    plates: Semaphore,
    racks: Semaphore,
}

async fn heats(degrees: u32) -> Result<u32, String> {
    tokio::task::yield_now().await;
    degrees.checked_sub(5).ok_or_else(String::new)
}

impl Oven {
    pub async fn starts(degrees: u32) -> Result<Oven, String> {
        let hot = Arc::new(Semaphore::new(0));
        let plates = Semaphore::new(1);
        plates.add_permits(3);
        heats(degrees).await?;
        hot.add_permits(Semaphore::MAX_PERMITS);
        Ok(Oven { hot, plates, racks: Semaphore::new(1) })
    }

    pub async fn bakes(&self) -> bool {
        let _plates = self.plates.acquire_many(4).await;
        self.hot.acquire().await.is_ok()
    }

    pub async fn roasts(&self) -> bool {
        self.racks.acquire_many(2).await.is_ok() //~ semaphore error
    }
}
