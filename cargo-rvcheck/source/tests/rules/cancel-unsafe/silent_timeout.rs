//! Timeouts in functions that say nothing of them to the loop that calls them again.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

pub trait Kiln {
    fn fire(&mut self, pot: &str) -> impl Future<Output = bool>;
}

pub struct Pottery<K> {
    kiln: K,
    pots: VecDeque<String>,
    fired: u32,
    late: u32,
}

impl<K: Kiln> Pottery<K> {
    pub async fn works(mut self, mut orders: mpsc::Receiver<String>) -> u32 {
        while let Some(pot) = orders.recv().await {
            self.pots.push_back(pot);
            self.fires_some().await;
            self.fires_some_and_counts().await;
            self.fires_the_first().await;
            if !self.fires_some_and_says_so().await {
                break;
            }
        }
        self.fired
    }

    async fn fires_some(&mut self) {
        let _ = timeout(Duration::from_secs(1), self.fires()).await; //~ cancel-unsafe warning
    }

    async fn fires_some_and_counts(&mut self) {
        match timeout(Duration::from_secs(1), self.fires()).await { //~ cancel-unsafe warning
            Ok(()) => {}
            Err(_) => self.late += 1,
        }
    }

    async fn fires_some_and_says_so(&mut self) -> bool {
        timeout(Duration::from_secs(1), self.fires()).await.is_ok()
    }

    async fn fires(&mut self) {
        while let Some(pot) = self.pots.pop_front() {
            self.kiln.fire(&pot).await;
            self.fired += 1;
        }
    }

    async fn fires_the_first(&mut self) {
        let _ = timeout(Duration::from_secs(1), self.fires_and_then_takes()).await;
    }

    async fn fires_and_then_takes(&mut self) {
        while let Some(pot) = self.pots.front() {
            self.kiln.fire(pot).await;
            self.pots.pop_front();
        }
    }
}
