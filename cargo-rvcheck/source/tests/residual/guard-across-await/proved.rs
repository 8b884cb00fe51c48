//@ proved: guard-across-await
//! Guards that are gone before their task can suspend.

use std::sync::{Mutex, RwLock};

pub async fn other() {}

pub struct Ledger {
    lines: Mutex<Vec<u32>>,
    total: RwLock<u32>,
}

impl Ledger {
    pub async fn dropped(&self) {
        let guard = self.lines.lock().unwrap(); //~ guard-across-await orphan
        drop(guard);
        other().await;
    }

    pub async fn in_a_block(&self) -> usize {
        let count = {
            let guard = self.lines.lock().unwrap(); //~ guard-across-await orphan
            guard.len()
        };
        other().await;
        count
    }

    pub async fn poisoned_or_not(&self) {
        self.lines.lock().unwrap_or_else(|it| it.into_inner()).push(1); //~ guard-across-await orphan
        other().await;
    }

    pub fn never_in_a_task(&self) -> u32 {
        let total = self.total.read().unwrap(); //~ guard-across-await orphan
        *total
    }

    pub async fn taken_out_again(&self) {
        let mut guard = Some(self.lines.lock().unwrap()); //~ guard-across-await orphan
        drop(guard.take());
        drop(guard);
        other().await;
    }
}
