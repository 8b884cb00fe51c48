//! What is taken out by a helper goes at once, and the helper gives something else.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is taken out goes at once. What is put in later is made of something else that the helper gives.
#[derive(Default)]
pub struct Counter {
    orders: Mutex<HashMap<u32, String>>,
    rounds: AtomicU32,
}

impl Counter {
    fn clears(&self, table: u32) -> u32 {
        self.orders.lock().unwrap().remove(&table);
        self.rounds.fetch_add(1, Ordering::SeqCst)
    }

    pub async fn serves(&self, table: u32) -> Option<String> {
        if !self.orders.lock().unwrap().contains_key(&table) {
            return None;
        }
        let round = self.clears(table);
        tokio::task::yield_now().await;
        let order = round.to_string();
        self.orders.lock().unwrap().insert(table, order.clone());
        Some(order)
    }
}
