//! What is taken out of shared state and put back behind an await.

use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::time::{Duration, sleep};

pub struct Wire(u32);

impl Wire {
    async fn pings(&mut self) -> bool {
        sleep(Duration::from_millis(1)).await;
        self.0 > 0
    }
}

pub struct Exchange {
    line: Mutex<Option<Wire>>,
    lines: parking_lot::Mutex<VecDeque<Wire>>,
    words: tokio::sync::Mutex<Vec<String>>,
}

async fn sends(words: &[String]) -> bool {
    sleep(Duration::from_millis(1)).await;
    !words.is_empty()
}

impl Exchange {
    pub async fn calls(&self) -> Option<bool> {
        let taken = self.line.lock().unwrap().take(); //~ cancel-unsafe warning
        let Some(mut line) = taken else { return None };
        let alive = line.pings().await;
        *self.line.lock().unwrap() = Some(line);
        Some(alive)
    }

    pub async fn calls_on_one_of_many(&self) -> Result<bool, ()> {
        let mut line = self.lines.lock().pop_front().ok_or(())?; //~ cancel-unsafe warning
        let alive = line.pings().await;
        self.lines.lock().push_back(line);
        Ok(alive)
    }

    pub async fn calls_on_any(&self) -> bool {
        let taken = self.lines.lock().pop_front(); //~ cancel-unsafe note
        let mut line = match taken {
            Some(line) => line,
            None => Wire(1),
        };
        let alive = line.pings().await;
        self.lines.lock().push_back(line);
        alive
    }

    pub async fn flushes(&self) {
        let words = std::mem::take(&mut *self.words.lock().await); //~ cancel-unsafe warning
        if !sends(&words).await {
            self.words.lock().await.extend(words);
        }
    }

    pub async fn flushes_in_place(&self) {
        let mut words = self.words.lock().await;
        if sends(&words).await {
            words.clear();
        }
    }

    pub async fn closes(&self) -> bool {
        let taken = self.line.lock().unwrap().take();
        match taken {
            Some(mut line) => line.pings().await,
            None => false,
        }
    }
}
