//! Guards that are kept at an await, and what follows.

use std::sync::{Mutex, RwLock};

pub struct Press {
    turn: Mutex<u32>,
    plates: RwLock<Vec<u32>>,
    printed: Mutex<Vec<u32>>,
}

async fn print(sheet: u32) {
    tokio::task::yield_now().await;
    drop(sheet);
}

impl Press {
    /// Nothing needs the lock any more.
    pub async fn counts(&self) -> u32 {
        let mut turn = self.turn.lock().unwrap(); //~ sure
        *turn += 1;
        let sheet = *turn;
        tokio::task::yield_now().await;
        sheet
    }

    /// One sheet is printed at a time.
    pub async fn prints(&self, sheet: u32) {
        let mut turn = self.turn.lock().unwrap(); //~ maybe
        *turn += 1;
        print(sheet).await;
    }

    /// The number and the sheet belong together.
    pub async fn numbers(&self) {
        let mut turn = self.turn.lock().unwrap(); //~ maybe
        *turn += 1;
        let sheet = *turn;
        tokio::task::yield_now().await;
        self.printed.lock().unwrap().push(sheet);
    }

    /// Nobody changes the plates while one is printed.
    pub async fn prints_plate(&self) {
        let plates = self.plates.read().unwrap(); //~ maybe
        let first = plates.len() as u32;
        print(first).await;
    }

    /// There are a few of them in a second.
    pub async fn slowly(&self) {
        let mut turn = self.turn.lock().unwrap(); //~ maybe
        *turn += 1;
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}
