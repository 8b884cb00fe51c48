//! Futures that become a waiter when they are polled first, made in one function and polled by another that is given them.

use event_listener::Event;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

pub struct Convoy {
    ships: AtomicUsize,
    arrived: Notify,
    patience: Option<Duration>,
}

impl Convoy {
    pub fn depart(&self) {
        self.ships.fetch_add(1, Ordering::SeqCst);
    }

    pub fn arrive(&self) {
        if self.ships.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.arrived.notify_waiters();
        }
    }

    async fn arrival(&self) {
        self.arrived.notified().await
    }

    async fn within<F: Future<Output = ()>>(&self, event: F) -> Result<(), usize> {
        match self.patience {
            None => {
                event.await;
                Ok(())
            }
            Some(patience) => {
                let arrived = tokio::time::timeout(patience, event).await;
                arrived.map_err(|_| self.ships.load(Ordering::SeqCst))
            }
        }
    }

    pub async fn lazily(&self) -> Result<(), usize> {
        if self.ships.load(Ordering::SeqCst) == 0 {
            return Ok(());
        }
        let arrival = self.arrival();
        self.within(arrival).await //~ lost-wakeup warning
    }

    pub async fn eagerly(&self) -> Result<(), usize> {
        let arrival = self.arrived.notified();
        if self.ships.load(Ordering::SeqCst) == 0 {
            return Ok(());
        }
        self.within(arrival).await
    }

    async fn all_arrived(&self) {
        loop {
            let arrived = self.arrived.notified();
            if self.ships.load(Ordering::SeqCst) == 0 {
                return;
            }
            arrived.await;
        }
    }

    pub async fn lazily_with_a_look(&self) -> Result<(), usize> {
        if self.ships.load(Ordering::SeqCst) == 0 {
            return Ok(());
        }
        let arrival = self.all_arrived();
        self.within(arrival).await
    }
}

pub struct Lantern {
    lit: Arc<AtomicBool>,
    kindled: Event,
}

async fn shown<F: Future>(label: &str, event: F) -> F::Output {
    println!("{label}");
    event.await
}

impl Lantern {
    pub fn kindle(&self) {
        self.lit.store(true, Ordering::SeqCst);
        self.kindled.notify(usize::MAX);
    }

    async fn kindling(&self) {
        self.kindled.listen().await
    }

    pub async fn lazily(&self) {
        if !self.lit.load(Ordering::SeqCst) {
            shown("dark", self.kindling()).await; //~ lost-wakeup warning
        }
    }

    pub async fn eagerly(&self) {
        let kindling = self.kindled.listen();
        if !self.lit.load(Ordering::SeqCst) {
            shown("dark", kindling).await;
        }
    }
}
