//! Permits.

use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_millis(20);

/// Whether a party of this size can be seated at a table for four. A larger one gives up.
pub async fn seat(party: u32) -> bool {
    let seats = Semaphore::new(4);
    timeout(PATIENCE, seats.acquire_many(party)).await.is_ok()
}

/// Waits until a party of this size can be seated at a table for four.
pub async fn insist(party: u32) -> bool {
    let seats = Semaphore::new(4);
    seats.acquire_many(party).await.is_ok() //~ note semaphore
}

/// Uses up all permits forever.
pub async fn burn() -> usize {
    let fuel = Semaphore::new(2);
    for _ in 0..2 {
        if let Ok(permit) = fuel.acquire().await {
            permit.forget(); //~ note semaphore
        }
    }
    fuel.available_permits()
}

/// Takes permits out while somebody holds them elsewhere, and gives them back.
pub async fn lend() -> usize {
    let objects = Semaphore::new(2);
    for _ in 0..4 {
        if let Ok(permit) = objects.acquire().await {
            permit.forget();
        }
        objects.add_permits(1);
    }
    objects.available_permits()
}

/// Waits until somebody else gives permits: a signal.
pub async fn signalled() -> bool {
    let signal = Semaphore::new(0);
    let waiting = timeout(PATIENCE, signal.acquire_many(2));
    let giving = async {
        tokio::task::yield_now().await;
        signal.add_permits(2);
    };
    tokio::join!(waiting, giving).0.is_ok()
}

/// Waits its turn.
pub async fn seat_in_turn() -> usize {
    let seats = Semaphore::new(1);
    let one = async {
        let _seat = seats.acquire().await;
        tokio::task::yield_now().await;
    };
    let other = async {
        let _seat = seats.acquire().await;
    };
    tokio::join!(one, other);
    seats.available_permits()
}
