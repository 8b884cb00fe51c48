//! Locks of `async-lock` hand themselves over in the order of requests, too.

use async_lock::{Mutex, RwLock};
use std::pin::pin;
use std::time::Duration;
use tokio::time::{sleep, timeout};

#[derive(Default)]
pub struct Library {
    shelves: RwLock<Vec<String>>,
    desk: Mutex<u32>,
}

impl Library {
    async fn sorts(&self) -> usize {
        let mut shelves = self.shelves.write().await;
        shelves.sort();
        shelves.len()
    }

    pub async fn reads_while_it_sorts(&self) -> usize {
        let mut sorts = pin!(self.sorts());
        tokio::select! {
            all = &mut sorts => { all }
            _ = sleep(Duration::from_millis(5)) => {
                self.shelves.read().await.len() //~ futurelock
            }
        }
    }

    pub async fn asks_at_the_desk(&self) -> usize {
        let mut sorts = pin!(self.sorts());
        tokio::select! {
            all = &mut sorts => { all }
            _ = sleep(Duration::from_millis(5)) => {
                *self.desk.lock().await += 1;
                0
            }
        }
    }

    pub async fn within_a_while(&self) -> u32 {
        let mut lock = Box::pin(self.desk.lock());
        if let Ok(desk) = timeout(Duration::from_millis(5), &mut lock).await {
            return *desk;
        }
        *self.desk.lock().await //~ futurelock
    }

    pub async fn within_a_while_alone(&self) -> u32 {
        if let Ok(desk) = timeout(Duration::from_millis(5), self.desk.lock()).await {
            return *desk;
        }
        *self.desk.lock().await
    }
}
