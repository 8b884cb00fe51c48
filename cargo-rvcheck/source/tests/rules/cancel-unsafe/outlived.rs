//! Blocking work that goes on when the future that awaits it is dropped, and what was held for it.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

fn presses(sheet: &str) -> usize {
    sheet.len()
}

pub struct Press {
    places: Arc<Semaphore>,
    turn: Arc<Mutex<()>>,
    counts: Mutex<Vec<usize>>,
}

impl Press {
    pub async fn prints_in_time(&self, sheet: String) -> Option<usize> {
        let _place = self.places.acquire().await.ok()?;
        let pressed = spawn_blocking(move || presses(&sheet)); //~ cancel-unsafe warning
        timeout(Duration::from_secs(1), pressed).await.ok()?.ok()
    }

    pub async fn prints_with_its_place(&self, sheet: String) -> Option<usize> {
        let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
        let pressed = spawn_blocking(move || {
            let _place = place;
            presses(&sheet)
        });
        timeout(Duration::from_secs(1), pressed).await.ok()?.ok()
    }

    async fn prints_in_turn(&self, sheet: String) -> Option<usize> {
        let _turn = self.turn.lock().await;
        spawn_blocking(move || presses(&sheet)).await.ok() //~ cancel-unsafe warning
    }

    pub async fn prints_one_of_two(&self, one: String, other: String) -> Option<usize> {
        tokio::select! {
            count = self.prints_in_turn(one) => { count }
            count = self.prints_with_its_place(other) => { count }
        }
    }

    /// Whoever calls it may wait for it.
    pub async fn prints(&self, sheet: String) -> Option<usize> {
        let _place = self.places.acquire().await.ok()?;
        spawn_blocking(move || presses(&sheet)).await.ok()
    }

    /// The lock is for the counts.
    pub async fn counts_in_time(&self, sheet: String) {
        let mut counts = self.counts.lock().await;
        let pressed = spawn_blocking(move || presses(&sheet));
        if let Ok(Ok(count)) = timeout(Duration::from_secs(1), pressed).await {
            counts.push(count);
        }
    }
}
