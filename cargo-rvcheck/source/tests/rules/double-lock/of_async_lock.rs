//! Locks of `async-lock` that their own task asks for again: in helpers, closures and callbacks.

use async_lock::{Mutex, MutexGuard, RwLock};
use std::future::Future;

#[derive(Default)]
pub struct Station {
    trains: Mutex<Vec<u32>>,
    signals: RwLock<u32>,
}

impl Station {
    async fn count(&self) -> usize {
        self.trains.lock().await.len() //~ double-lock
    }

    pub async fn arrives(&self, train: u32) -> usize {
        let mut trains = self.trains.lock().await;
        trains.push(train);
        self.count().await
    }

    pub async fn leaves(&self) -> usize {
        let gone = self.trains.lock().await.pop();
        self.count().await + usize::from(gone.is_some())
    }

    async fn platform(&self) -> MutexGuard<'_, Vec<u32>> {
        self.trains.lock().await
    }

    pub async fn announces(&self) -> u32 {
        let trains = self.platform().await;
        let signal = *self.signals.read().await;
        signal + trains.len() as u32
    }

    async fn with_signals<F: Future<Output = u32>>(&self, of: impl FnOnce() -> F) -> u32 {
        let mut signals = self.signals.write().await;
        *signals = of().await;
        *signals
    }

    pub async fn doubles(&self) -> u32 {
        self.with_signals(|| async { *self.signals.read().await * 2 }).await //~ double-lock
    }

    pub async fn resets(&self) -> u32 {
        let before = *self.signals.read().await;
        self.with_signals(|| async move { before }).await
    }
}
