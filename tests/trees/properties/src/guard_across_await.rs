//! Guards of locks, and awaits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

/// A list that tasks and threads share.
pub type Shared = Arc<Mutex<Vec<u32>>>;

const WHILE: Duration = Duration::from_millis(30);

async fn sent(number: u32) -> u32 {
    tokio::task::yield_now().await;
    number
}

/// Empties the list, which stays locked meanwhile.
pub async fn flush(list: Shared) -> u32 {
    let mut sum = 0;
    let mut list = list.lock().unwrap(); //~ warning guard-across-await
    for number in list.drain(..) {
        sum += sent(number).await;
    }
    sum
}

/// The same, and slow.
pub async fn flush_slowly(list: Shared) -> usize {
    let list = list.lock().unwrap(); //~ error guard-across-await
    tokio::time::sleep(WHILE).await;
    list.len()
}

/// Adds to the list.
pub fn add(list: &Shared, number: u32) {
    list.lock().unwrap().push(number);
}

/// Sends on what is there, while nobody can change it.
pub async fn forward(level: watch::Receiver<u32>) -> u32 {
    let level = level.borrow(); //~ warning guard-across-await
    sent(*level).await
}

/// Takes the numbers first, and then waits.
pub async fn flush_well(list: Shared) -> u32 {
    let mut sum = 0;
    let numbers = std::mem::take(&mut *list.lock().unwrap());
    for number in numbers {
        sum += sent(number).await;
    }
    let length = list.lock().unwrap().len() as u32;
    sent(sum + length).await
}

/// Drops the guard first, and then waits.
pub async fn length(list: Shared) -> u32 {
    let list = list.lock().unwrap();
    let length = list.len() as u32;
    drop(list);
    sent(length).await
}

/// Waits with a lock that tasks wait for.
pub async fn flush_tasks(list: Arc<tokio::sync::Mutex<Vec<u32>>>) -> u32 {
    let mut sum = 0;
    let mut list = list.lock().await;
    for number in list.drain(..) {
        sum += sent(number).await;
    }
    sum
}

/// Has the lock only at an await that is over at once.
pub async fn count(list: Shared) -> usize {
    let list = list.lock().unwrap();
    std::future::ready(()).await;
    list.len()
}
