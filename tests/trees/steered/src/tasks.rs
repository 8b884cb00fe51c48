//! A lock-order inversion of tasks.

use tokio::sync::Mutex;

#[derive(Default)]
pub struct Desk {
    pub inbox: Mutex<Vec<u32>>,
    pub outbox: Mutex<Vec<u32>>,
}

impl Desk {
    pub async fn work(&self) {
        let mut inbox = self.inbox.lock().await; // work: inbox
        let mut outbox = self.outbox.lock().await; // work: outbox
        outbox.append(&mut inbox);
    }

    pub async fn undo(&self) {
        let mut outbox = self.outbox.lock().await; // undo: outbox
        let mut inbox = self.inbox.lock().await; // undo: inbox
        inbox.append(&mut outbox);
    }
}
