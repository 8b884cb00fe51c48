//! Locks of one place, in the order in which they are named, taken by tasks of one thread.

use tokio::sync::Mutex;

#[derive(Default)]
pub struct Shelves {
    all: [Mutex<u32>; 3],
}

impl Shelves {
    pub async fn put(&self, from: usize, to: usize) {
        let mut source = self.all[from].lock().await; // put: from
        let mut target = self.all[to].lock().await; // put: to
        *source = source.saturating_sub(1);
        *target += 1;
    }

    /// The one that comes first in the row is taken first.
    pub async fn put_in_turn(&self, from: usize, to: usize) {
        let mut first = self.all[from.min(to)].lock().await;
        let mut second = self.all[from.max(to)].lock().await;
        *first += 1;
        *second += 1;
    }
}
