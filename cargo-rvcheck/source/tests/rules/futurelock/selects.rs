//! Futures that stay queued for a lock while their task waits for it, and ones that do not.

use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};
use tokio::time::{Duration, sleep};

const LIMIT: Duration = Duration::from_millis(20);

async fn add(state: Arc<Mutex<u32>>, number: u32) {
    *state.lock().await += number;
}

pub struct Shop {
    state: Mutex<u32>,
    other: Mutex<u32>,
    table: RwLock<u32>,
}

impl Shop {
    async fn slow(&self) {
        *self.state.lock().await += 1;
    }

    async fn quick(&self) {
        *self.state.lock().await += 2;
    }

    async fn elsewhere(&self) {
        *self.other.lock().await += 2;
    }

    pub async fn itself(&self) {
        let future = self.state.lock();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { *self.state.lock().await += 1; } //~ futurelock warning
        }
    }

    pub async fn through_methods(&self) {
        let future = self.slow();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { self.quick().await; } //~ futurelock warning
        }
    }

    pub async fn of_an_arc(self: Arc<Self>) {
        let mut future = std::pin::pin!(self.slow());
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { self.quick().await; } //~ futurelock warning
        }
    }

    pub async fn through_functions_that_share_it(state: Arc<Mutex<u32>>) {
        let mut future = std::pin::pin!(add(state.clone(), 1));
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { add(state.clone(), 2).await; } //~ futurelock warning
        }
    }

    pub async fn through_functions_that_do_not(state: Arc<Mutex<u32>>, other: Arc<Mutex<u32>>) {
        let mut future = std::pin::pin!(add(state.clone(), 1));
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { add(other.clone(), 2).await; }
        }
    }

    pub async fn writes_behind_a_reader(&self) {
        let future = self.table.read();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { *self.table.write().await += 1; } //~ futurelock warning
        }
    }

    pub async fn both_read(&self) -> u32 {
        let future = self.table.read();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => { 1 }
            _ = sleep(LIMIT) => { *self.table.read().await }
        }
    }

    pub async fn by_value(&self) {
        tokio::select! {
            _ = self.slow() => {}
            _ = sleep(LIMIT) => { self.quick().await; }
        }
    }

    pub async fn another_lock(&self) {
        let future = self.slow();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { self.elsewhere().await; }
        }
    }

    pub async fn dropped_before(&self) {
        let mut future = Box::pin(self.slow());
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => {
                drop(future);
                self.quick().await;
            }
        }
    }

    pub async fn polled_to_its_end(&self) {
        let future = self.slow();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => {
                future.await;
                self.quick().await;
            }
        }
    }

    pub async fn only_tries(&self) {
        let future = self.slow();
        tokio::pin!(future);
        tokio::select! {
            _ = &mut future => {}
            _ = sleep(LIMIT) => { let _ = self.state.try_lock(); }
        }
    }

    pub async fn polls_again(&self) {
        let future = self.slow();
        tokio::pin!(future);
        loop {
            tokio::select! {
                _ = &mut future => { break; }
                _ = sleep(LIMIT) => {}
            }
        }
        self.quick().await;
    }
}
