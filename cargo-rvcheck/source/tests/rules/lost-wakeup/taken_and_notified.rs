//! Each entry of a table has a signal of its own: who takes the entry out gives it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Kennels {
    taken: Mutex<HashMap<u32, Arc<Notify>>>,
}

impl Kennels {
    fn enters(&self, kennel: u32) -> Option<Arc<Notify>> {
        let mut taken = self.taken.lock().unwrap();
        match taken.get(&kennel) {
            Some(free) => Some(free.clone()),
            None => {
                taken.insert(kennel, Arc::new(Notify::new()));
                None
            }
        }
    }

    fn is_taken(&self, kennel: u32) -> bool {
        self.taken.lock().unwrap().contains_key(&kennel)
    }

    fn leaves(&self, kennel: u32) {
        if let Some(free) = self.taken.lock().unwrap().remove(&kennel) {
            free.notify_waiters();
        }
    }

    async fn waits(&self, kennel: u32, free: &Notify) {
        loop {
            let freed = free.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            if !self.is_taken(kennel) {
                return;
            }
            freed.await;
        }
    }

    pub async fn sleeps(&self, kennel: u32) {
        while let Some(free) = self.enters(kennel) {
            self.waits(kennel, &free).await;
        }
        self.leaves(kennel);
    }
}
