//! Requests for more permits than there are that somebody gives up in the end.

use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub struct Kitchen {
    burners: Semaphore,
}

impl Kitchen {
    pub fn new() -> Kitchen {
        Kitchen { burners: Semaphore::new(2) }
    }
    async fn banquet(&self) -> bool {
        self.burners.acquire_many(5).await.is_ok() //~ semaphore note
    }
    pub async fn tries(&self) -> bool {
        timeout(Duration::from_secs(1), self.banquet()).await.is_ok()
    }
    pub async fn tries_itself(&self) -> bool {
        timeout(Duration::from_secs(1), self.burners.acquire_many(3)).await.is_ok()
    }
    pub async fn insists(&self) -> bool {
        self.burners.acquire_many(3).await.is_ok() //~ semaphore error
    }
    async fn holds(&self) {
        let _all = self.burners.acquire_many(2).await.unwrap();
        let _one_more = self.burners.acquire().await.unwrap(); //~ semaphore note
    }
    pub async fn holds_for_a_while(&self) -> bool {
        timeout(Duration::from_secs(1), self.holds()).await.is_ok()
    }
}
