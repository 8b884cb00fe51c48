//! A cloakroom whose bell is heard only by those who already wait for it.

use std::sync::Arc;
use tokio::sync::{Mutex, Notify};

/// Coats, and a bell that says that there are some.
#[derive(Default)]
pub struct Cloakroom {
    coats: Mutex<Vec<u32>>,
    bell: Notify,
}

impl Cloakroom {
    /// An empty one.
    pub fn open() -> Arc<Cloakroom> {
        Arc::default()
    }

    /// Hangs a coat up, and rings.
    pub async fn hang(&self, coat: u32) {
        self.coats.lock().await.push(coat);
        self.bell.notify_waiters();
    }

    /// Takes a coat, as soon as there is one.
    pub async fn take(&self) -> Option<u32> {
        let is_empty = self.coats.lock().await.is_empty();
        if is_empty {
            tokio::task::yield_now().await;
            self.bell.notified().await;
        }
        self.coats.lock().await.pop()
    }
}
